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

What the paper leaves open: nobody says when a switch happens. It is seen from the stream
(``_generations.py``; the map is in ``_recovery.py``). So the learner must also go on when it is
none: until features vanish it is OCO, bit for bit, and new features are learned as they come, in
the overlap too, where the paper uses the old ones alone. When the lost features return, the map is
taken back and OCO goes on with the weights they had. When the next generation is lost, the
mixture of both models becomes the first model and all begins again.

The map is solved once, when features vanish. Afterwards it is not needed: with v = w1_new +
M w1_old the first model is v.x, and its gradient step is v + step y sigmoid(..) (I + M M') x.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import driver
from braided.kernels.compiled import Floats, Index, Ints, compiled, inlined
from braided.kernels.logistic import pull, sigmoid
from braided.kernels.rng import new_rng, uniform
from braided.learner import Learner
from braided.learners._generations import (
    Generations,
    accumulate,
    are_sound,
    find_lost,
    has_returned,
    new_generations,
    observe,
    same_as_before,
    take_back,
    watching_at_most,
)
from braided.learners._recovery import map_row, tell_lost
from braided.learners.oco import LARGEST_STEP, SCHEDULES
from braided.parameters import (
    LOWEST,
    check_between,
    check_choice,
    check_seed,
    check_share,
    check_whole,
)

__all__ = ["FESL"]

COMBINATIONS = ("mix", "select")


class FESL(Learner):
    """Two models after each loss of old features, one of which sees them recovered.

    Parameters
    ----------
    combine
        ``"mix"`` (FESL-c): both models predict, by their merits; ``"select"`` (FESL-s): one of
        them, drawn by its merits.
    step
        how far a gradient moves the weights.
    schedule
        ``"constant"``, or ``"sqrt"``: the step is divided by the root of the model's rounds.
    ridge
        of the map, as a share of each feature's mean square.
    share
        delta of FESL-s: the part of the chances that is shared at each round.
    width
        the most features that are watched at a time; a map takes room for the square of it.
        Features beyond are learned as OCO does.
    seed
        of the draws of ``"select"``.

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
        self._check()

    def _check(self) -> None:
        check_choice("combine", self.combine, COMBINATIONS)
        check_choice("schedule", self.schedule, SCHEDULES)
        check_between("step", self.step, LOWEST, LARGEST_STEP)
        check_between("ridge", self.ridge, LOWEST, LARGEST_STEP)
        check_share("share", self.share)
        check_whole("width", self.width, 1)
        check_seed(self.seed)

    @property
    def switches(self) -> int:
        """How many times a generation of features was lost and its map put to use."""
        return 0 if self._state is None else int(self._state.generations.switches[0])

    @property
    def mixing(self) -> float:
        """a: what the first model, which uses recovered features, weighs; 1 before any switch."""
        return float(self._state.chance[0]) if self._state is not None else 1.0

    def _parameters(self) -> FESLParameters:
        return FESLParameters(
            select=self.combine == "select",
            step=float(self.step),
            shrinking=self.schedule == "sqrt",
            ridge=float(self.ridge),
            share=float(self.share),
        )

    def _fresh_state(self, capacity: int) -> FESLState:
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

    def _adapted(self, state: FESLState) -> FESLState:
        room = self._room(state.weight.size)
        return state._replace(generations=watching_at_most(state.generations, room))

    def _is_sound(self, state: FESLState) -> bool:
        chances = 0 <= state.chance[0] <= 1 and 0 <= state.chosen[0] <= 1
        counts = int(state.rounds[0]), int(state.seen[0])
        return bool(chances) and are_sound(state.generations, *counts)

    def _linear_weights(self) -> NDArray[np.float64]:
        state = self._state
        weights: NDArray[np.float64] = state.weight
        if state.generations.started[0] == 0:
            return weights
        mixed = state.chance[0] * weights + (1.0 - state.chance[0]) * state.second
        lost = state.generations.lost.astype(np.bool_)
        return np.where(lost, 0.0, mixed)


class FESLParameters(NamedTuple):
    """The parameters as the kernels see them."""

    select: bool
    step: float
    shrinking: bool
    ridge: float
    share: float


class FESLState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weight: NDArray[np.float64]  # the first model, v
    recovered: NDArray[np.float64]  # the part of it that stands for lost features
    second: NDArray[np.float64]  # the second model
    chance: NDArray[np.float64]  # a
    difference: NDArray[np.float64]  # L1 - L2 since the switch
    chosen: NDArray[np.int64]  # 1 when "select" follows the second model
    generations: Generations
    rng: NDArray[np.uint64]


@inlined
def score(state: FESLState, params: FESLParameters, indices: Ints, values: Floats) -> float:
    """One model before any switch, two after it."""
    if state.generations.started[0] == 0:
        return _dot(state.weight, indices, values)
    first, second, returned = _both(state, indices, values)
    if returned:
        return first - _dot(state.recovered, indices, values)
    if params.select:
        return second if state.chosen[0] else first
    a = float(state.chance[0])
    return a * first + (1.0 - a) * second


@inlined
def _dot(weight: Floats, indices: Ints, values: Floats) -> float:
    total = 0.0
    for i in range(indices.size):
        total += weight[Index(indices[i])] * values[i]
    return total


@inlined
def _both(state: FESLState, indices: Ints, values: Floats) -> tuple[float, float, bool]:
    """The scores of both models, and whether a lost feature is in the row."""
    first, second, returned = 0.0, 0.0, 0
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        first += state.weight[j] * x
        second += state.second[j] * x
        returned += state.generations.lost[j]
    return first, second, returned > 0


@inlined
def update(
    state: FESLState,
    params: FESLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """See who came and who is lost, then let each model take its step."""
    now = state.rounds[0]
    if not same_as_before(state.generations, indices, now):
        score = _look(state, params, indices, values, score)
    if state.generations.started[0] == 0:
        step = weight * params.step * pull(label, score)
        if params.shrinking:
            step /= math.sqrt(now)
        for i in range(indices.size):
            state.weight[indices[i]] += step * values[i]
    else:
        _learn_both(state, params, indices, values, label, weight)


@compiled
def _look(
    state: FESLState, params: FESLParameters, indices: Ints, values: Floats, score: float
) -> float:
    """Begin or end a switch if the row says so; the score by the first model."""
    generations, now = state.generations, state.rounds[0]
    if generations.started[0] and has_returned(generations, indices):
        _end_switch(state)
        take_back(generations)
    all_there = observe(generations, indices, now)
    if not all_there and find_lost(generations, indices.size, now):
        if generations.started[0] and generations.newest[0] > generations.started[0]:
            _fold(state)
        if generations.started[0] == 0:
            state.chance[0], state.difference[0], state.chosen[0] = 0.5, 0.0, 0
        tell_lost(generations, params.ridge, state.weight, state.recovered, now)
        return _dot(state.weight, indices, values)
    accumulate(generations, indices, values, now)
    return score


@inlined
def _slowing(params: FESLParameters, rounds: int) -> float:
    return math.sqrt(rounds) if params.shrinking else 1.0


@inlined
def _learn_both(
    state: FESLState,
    params: FESLParameters,
    indices: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    generations = state.generations
    now = state.rounds[0]
    rounds = now - generations.started[0] + 1
    first, second, _ = _both(state, indices, values)
    pull_1, pull_2, loss = _pulls_and_loss(label * first, label * second)
    step = weight * params.step * label
    step_1 = step * pull_1 / _slowing(params, now)
    step_2 = step * pull_2 / _slowing(params, rounds)
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        state.weight[j] += step_1 * x
        state.second[j] += step_2 * x
    map_row(generations, indices, values)  # M M' x; the row without the map is learned above
    for slot in range(generations.watched[0]):
        state.weight[Index(generations.owner[slot])] += step_1 * generations.through[slot]

    eta = math.sqrt(8.0 * math.log(2.0) / rounds)
    state.difference[0] += loss
    if not params.select:
        state.chance[0] = sigmoid(-eta * state.difference[0])
        return
    a = state.chance[0]
    # In logarithms, so that a chance near 0 or 1 is kept exactly.
    kept = sigmoid(math.log(a / (1.0 - a)) - eta * loss) if 0.0 < a < 1.0 else a
    state.chance[0] = (1.0 - params.share) * kept + 0.5 * params.share
    state.chosen[0] = 0 if uniform(state.rng) < state.chance[0] else 1


@inlined
def _pulls_and_loss(margin_1: float, margin_2: float) -> tuple[float, float, float]:
    """How strongly each margin is pulled up, sigmoid(-m), and by how much the first loses more."""
    tail_1, tail_2 = math.exp(-abs(margin_1)), math.exp(-abs(margin_2))
    pull_1 = (1.0 if margin_1 < 0.0 else tail_1) / (1.0 + tail_1)
    pull_2 = (1.0 if margin_2 < 0.0 else tail_2) / (1.0 + tail_2)
    # log(1 + e^-m) = max(0, -m) + log(1 + e^-|m|), with one logarithm for both.
    more = max(0.0, -margin_1) - max(0.0, -margin_2)
    return pull_1, pull_2, more + math.log((1.0 + tail_1) / (1.0 + tail_2))


@compiled
def _fold(state: FESLState) -> None:
    """The mixture becomes the first model, and what was lost is forgotten."""
    a = state.chance[0]
    for j in range(state.seen[0]):
        if state.generations.lost[j]:
            continue
        state.weight[j] = a * state.weight[j] + (1.0 - a) * state.second[j]
        state.recovered[j] = 0.0
        state.second[j] = 0.0
    take_back(state.generations)


@compiled
def _end_switch(state: FESLState) -> None:
    """Lost features are back: take out what stood for them."""
    for j in range(state.seen[0]):
        state.weight[j] -= state.recovered[j]
        state.recovered[j] = 0.0
        state.second[j] = 0.0
    state.chance[0] = 1.0


driver.register(FESLState, score=score, update=update)
