"""FESL: learning on when a whole generation of features gives way to the next.

Hou, Zhang and Zhou, "Learning with Feature Evolvable Streams", NIPS 2017. Old features come alone,
then for some rounds old and new ones together, then only new ones. In the overlap the
least-squares map M from new features to old ones is accumulated; after it, for a row x of new
features::

    s1 = w1.(x, M'x)                  the first model, on the row completed by its lost features
    s2 = w2.x                         the second, which started from zero when they were lost
    score = a s1 + (1 - a) s2         (FESL-c, "mix")
            s1 with chance a, else s2 (FESL-s, "select")
    w1, w2: a step of gradient descent each (logistic loss, step / sqrt(the model's rounds))
    a / (1 - a) = exp(-eta (L1 - L2)),  eta = sqrt(8 ln 2 / rounds since the switch)

where "select" shares a part of the chances at each round, a = (1 - share) a + share / 2.

What the paper leaves open: when a switch happens. It is found from the stream. So the
learner must also go on when there is none: until features vanish it is OCO, bit for bit, and new
features are learned as they come, in the overlap too, where the paper uses the old ones alone. When
the lost features return, the map is taken back and OCO goes on with the weights they had. When the
next generation is lost, the mixture of both models becomes the first model and all begins again.

The map is solved once, when features vanish. Afterwards it is not needed: with v = w1_new +
M w1_old the first model is v.x, and its gradient step is v + step y sigmoid(..) (I + M M') x.

``generations.py`` says which features came and which are lost; ``recovery.py`` has the moments of
the overlap, and the map from them; ``kernels.py`` has a round of both models.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.kernels.numerics import LOWEST
from braided.kernels.rng import new_rng
from braided.learner.learner import Learner
from braided.learners.fesl.generations import are_sound, new_generations, with_room_for
from braided.learners.fesl.kernels import FESLParameters, FESLState
from braided.learners.oco import LARGEST_STEP
from braided.parameters import check_between, check_choice, check_seed, check_share, check_whole

__all__ = ["FESL"]

COMBINATIONS = ("mix", "select")


class FESL(Learner):
    """Learn on when old features are lost: recover them from the new ones that overlapped.

    Parameters
    ----------
    combine : {"mix", "select"}, default "mix"
        ``"mix"`` (FESL-c): the score is the mean of both models, weighted by how well each did.
        ``"select"`` (FESL-s): one of them predicts, drawn with these weights as chances.
    step : float, 1e-40 to 1e6, default 1.0
        How far a gradient moves the weights.
    schedule : {"constant", "sqrt"}, default "sqrt"
        ``"sqrt"``: the step is divided by the root of the number of the model's rounds.
    ridge : float, 1e-40 to 1e6, default 0.01
        Ridge of the map, as a share of each feature's mean square.
    share : float, 0 to 1, default 0.01
        The part of the chances that FESL-s shares at each round (delta in the paper).
    width : int, at least 1, default 1024
        How many features are watched at most; memory grows with its square. Features beyond are
        learned as OCO does.
    seed : int, at least 0, default 0
        Seed of the draws of ``"select"``.

    Notes
    -----
    In the paper it is known when old features are lost; here it is found from the stream. Until
    then it is OCO, bit for bit, and new features are learned as they come, in the overlap too,
    where the paper uses the old ones alone. When lost features return, OCO goes on with the weights
    that they had. There is no switch for the paper's letter.

    References
    ----------
    Hou, Zhang and Zhou, "Learning with Feature Evolvable Streams", NIPS 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from braided.streams import linear_switch
    >>> model = FESL()
    >>> rows = next(linear_switch(generations=2, rounds=1000, overlap=50).blocks(2000))
    >>> right = model.prequential(rows) * rows.labels > 0
    >>> model.switches
    1
    >>> bool(right[1001:1100].mean() > 0.9)  # although these features are new
    True
    """

    scores_are_log_odds = True

    def __init__(
        self,
        *,
        combine: str = "mix",
        step: float = 1.0,
        schedule: str = "sqrt",
        ridge: float = 0.01,
        share: float = 0.01,
        width: int = 1024,
        seed: int = 0,
    ) -> None:
        self.combine = combine
        self.step = step
        self.schedule = schedule
        self.ridge = ridge
        self.share = share
        self.width = width
        self.seed = seed

    def check_parameters(self) -> None:
        check_choice("combine", self.combine, COMBINATIONS)
        check_choice("schedule", self.schedule, ("constant", "sqrt"))
        check_between("step", self.step, LOWEST, LARGEST_STEP)
        check_between("ridge", self.ridge, LOWEST, LARGEST_STEP)
        check_share("share", self.share)
        check_whole("width", self.width, 1)
        check_seed(self.seed)

    @property
    def switches(self) -> int:
        """How many times a generation of features was lost and its map put to use."""
        return 0 if self.engine is None else int(self.engine.state.generations.switches[0])

    @property
    def mixing(self) -> float:
        """Weight of the first model, which uses recovered features; 1 before any switch (a)."""
        return 1.0 if self.engine is None else float(self.engine.state.chance[0])

    def kernel_parameters(self) -> FESLParameters:
        return FESLParameters(
            select=self.combine == "select",
            step=float(self.step),
            shrinking=self.schedule == "sqrt",
            ridge=float(self.ridge),
            share=float(self.share),
        )

    def new_state(self, capacity: int) -> FESLState:
        return FESLState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            weight=np.zeros(capacity),
            recovered=np.zeros(capacity),
            second=np.zeros(capacity),
            chance=np.ones(1),
            difference=np.zeros(1),
            chosen=np.zeros(1, np.int64),
            generations=new_generations(capacity, self._room(capacity)),
            rng=new_rng(self.seed),
        )

    def _room(self, capacity: int) -> int:
        return min(int(self.width), capacity)

    def adapted(self, state: FESLState, before: Any) -> FESLState:
        room = self._room(state.weight.size)
        return state._replace(generations=with_room_for(state.generations, room))

    def is_sound(self, state: FESLState, capacity: int) -> bool:
        chances = 0 <= state.chance[0] <= 1 and 0 <= state.chosen[0] <= 1
        counts = int(state.rounds[0]), int(state.seen[0])
        return bool(chances) and are_sound(state.generations, *counts)

    def linear_weights(self, state: FESLState) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = state.weight
        if state.generations.started[0] == 0:
            return weights
        mixed = state.chance[0] * weights + (1.0 - state.chance[0]) * state.second
        lost = state.generations.lost.astype(np.bool_)
        return np.where(lost, 0.0, mixed)
