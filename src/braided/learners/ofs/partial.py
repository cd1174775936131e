"""OFS_P: online feature selection from few features of each row.

Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.
Algorithm 4, for a row x with label y in {-1, +1} and d features in all::

    with chance e, explore: read B features drawn at random from all d
    else exploit: read the features whose weight is not 0
    if y w.x <= 1, over what was read:
        x_i = x_i / (e B/d + (1 - e) [w_i is not 0])          the chance that x_i would be read
        w = w + eta y x
        w = min(1, R / |w|_2) w
        keep the B largest |w|, the others become 0

The rivals of section 4.3: OFS_rand always explores (e = 1). PE_rand also does, and is a perceptron:
w = w + y x, with x as it is read, after a mistake. RAND is PE_rand with B random weights kept.

The paper knows all features beforehand, and every row has them all. Here, in a round:

- the d features *known* are those of the rounds before; B(d) is the number that the budget allows;
- exploring, the learner draws B(d) of them, and reads those that the row has;
- of the n features that are *new* in the row it draws B(d + n) - B(d). So never more than B(d + n)
  features are read, a share of new features is read at once, and a budget that is a number and used
  up leaves them for later rounds, in which they are known;
- a value is divided by the chance of its own draw, B(d)/d or (B(d + n) - B(d))/n in place of B/d.

What is drawn depends on the seed, the round and d, but not on which features a row has. So it can
be said before the row is there (``wanted``), and a row of the wanted features alone teaches the
same as the full row.

A round costs O(nnz log B): whether a feature was drawn is found for the features of the row alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from braided.errors import InputError
from braided.kernels.budget import budget_as_number
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.kernels.rng import new_rng
from braided.kernels.scaled_weights import SQUARES, new_weights
from braided.learners.budgeted import Budgeted
from braided.learners.ofs.partial_kernels import OFSPartialParameters, OFSPartialState, choose
from braided.parameters import (
    as_float,
    check_between,
    check_budget,
    check_choice,
    check_positive,
    check_seed,
)

if TYPE_CHECKING:
    from braided.learner.engine import Engine
    from braided.learner.merging import Merge

__all__ = ["OFSPartial"]

UPDATES = ("gradient", "perceptron")
SELECTIONS = ("largest", "random")

RAREST = 1e-9
"""The smallest rate of exploration except 0: values are divided by it."""


class OFSPartial(Budgeted):
    """OFS_P, for features that cost something: at most ``budget`` features of a row are read.

    Given full rows it reads only what it has chosen, which is how to evaluate it. In use, it says
    which features it wants, and the row need have no more than those::

        names = model.wanted(all_names)
        x = {name: fetch(name) for name in names}
        model.predict_one(x)
        model.learn_one(x, y)

    Both give the same, if the names are given in the order that the full row has them. What is
    wanted changes whenever a row is learned; until then all predictions are made from it, whether
    it was drawn at random or not. After ``set_params(exploration=0.0)`` a model only exploits.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.2
        How far a row moves the weights (eta in the paper).
    radius : float, above 0, default 10.0
        The Euclidean ball that the weights stay in (R in the paper).
    exploration : float, 0 or 1e-9 to 1, default 0.2
        The chance that a round reads features at random (epsilon in the paper).
    budget : float or int, default 0.1
        How many features of a row are read, and may have a weight (B). A float above 0 and at most
        1.0 is a share of the features known, an int of at least 1 a number of features.
    update : {"gradient", "perceptron"}, default "gradient"
        ``"perceptron"`` (PE_rand) learns after a mistake only, from values as they are read.
    selection : {"largest", "random"}, default "largest"
        Which weights are kept; ``"random"`` is RAND.
    seed : int, at least 0, default 0
        Seed of all that is drawn.

    Notes
    -----
    The paper knows all features beforehand, and every row has them all. Where it does, and the
    budget is an int, this is the paper's algorithm. Beyond the paper, features may be new in a row;
    a share of them is read at once, as far as the budget allows.

    References
    ----------
    Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.

    Examples
    --------
    >>> model = OFSPartial(budget=2, exploration=0.5)
    >>> for t in range(100):
    ...     costly = {"age": t % 7 - 3.0, "income": (-1.0) ** t, "height": t % 3 - 1.0}
    ...     x = {name: costly[name] for name in model.wanted(costly)}
    ...     model.learn_one(x, t % 2)
    >>> len(x), max(model.weights(), key=lambda name: abs(model.weights()[name]))
    (2, 'income')
    """

    _power = SQUARES

    def __init__(
        self,
        *,
        step: float = 0.2,
        radius: float = 10.0,
        exploration: float = 0.2,
        budget: float = 0.1,
        update: str = "gradient",
        selection: str = "largest",
        seed: int = 0,
    ) -> None:
        self.step = step
        self.radius = radius
        self.exploration = exploration
        self.budget = budget
        self.update = update
        self.selection = selection
        self.seed = seed

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_positive("radius", self.radius)
        if as_float(self.exploration) != 0:
            check_between("exploration", self.exploration, RAREST, 1)
        check_budget(self.budget)
        check_choice("update", self.update, UPDATES)
        check_choice("selection", self.selection, SELECTIONS)
        check_seed(self.seed)

    def wanted(self, available: Iterable[Hashable]) -> list[Hashable]:
        """Say which of the available features the next row should have.

        Names that are new become known with the next row, as if that had them.

        Parameters
        ----------
        available : iterable of hashable
            The names of the features that could be fetched for the next row.

        Returns
        -------
        list
            The names that are wanted, never more than the budget.
        """
        try:
            names = list(dict.fromkeys(available))
        except TypeError as error:
            raise InputError(f"available features are given by their names ({error})") from None
        if self._engine is None:
            self._engine = self.new_engine()
        engine = self._engine
        engine.add_names(names)
        engine.state.seen[0] = len(engine.space)
        return _wanted_of(engine, names)

    def learn_one(self, x: Mapping[Hashable, Any], y: Any) -> None:
        """Learn one row and its label.

        Parameters
        ----------
        x : mapping
            The row: values by name. Of a mapping that is no dict, which may fetch a value when it
            is asked for, only the wanted features are read, here and in predictions.
        y : hashable
            The label.
        """
        super().learn_one({n: x[n] for n in self.wanted(x)} if _fetches(x) else x, y)

    def predict_one(self, x: Mapping[Hashable, Any]) -> Any:
        """Predict the label of one row, from the wanted features alone.

        Parameters
        ----------
        x : mapping
            The row: values by name.

        Returns
        -------
        hashable
            The predicted label; None before anything was learned.
        """
        return super().predict_one(self._fetched(x))

    def score_one(self, x: Mapping[Hashable, Any]) -> Any:
        """Score one row, from the wanted features alone.

        Parameters
        ----------
        x : mapping
            The row: values by name.

        Returns
        -------
        float
            Positive on the side of ``classes_[1]``.
        """
        return super().score_one(self._fetched(x))

    def _fetched(self, x: Mapping[Hashable, Any]) -> Mapping[Hashable, Any]:
        if self._engine is None or not _fetches(x):
            return x
        known = [name for name in x if name in self._engine.space]
        return {name: x[name] for name in _wanted_of(self._engine, known)}

    def kernel_parameters(self) -> OFSPartialParameters:
        return OFSPartialParameters(
            step=float(self.step),
            radius=float(self.radius),
            exploration=float(self.exploration),
            budget=budget_as_number(self.budget),
            perceptron=self.update == "perceptron",
            random=self.selection == "random",
        )

    def new_state(self, capacity: int) -> OFSPartialState:
        return OFSPartialState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            known=np.zeros(1, np.int64),
            weights=new_weights(capacity, self.room(capacity)),
            rng=new_rng(self.seed),
        )

    def room(self, capacity: int) -> int:
        return super().room(capacity) or capacity

    def merged_state(self, state: OFSPartialState, merge: Merge) -> OFSPartialState:
        averaged: OFSPartialState = super().merged_state(state, merge)
        return averaged._replace(known=state.seen.copy())

    def is_sound(self, state: OFSPartialState, capacity: int) -> bool:
        return 0 <= state.known[0] <= state.seen[0] and super().is_sound(state, capacity)


def _wanted_of(engine: Engine, names: list[Hashable]) -> list[Hashable]:
    """Which of these features, all of which have a column, are wanted."""
    columns = np.array([engine.space.columns[name] for name in names], dtype=np.int32)
    is_wanted = np.zeros(columns.size, dtype=np.bool_)
    choose(engine.state, engine.kernel_parameters, columns, is_wanted)
    return [name for name, wanted in zip(names, is_wanted.tolist(), strict=True) if wanted]


def _fetches(x: object) -> bool:
    return isinstance(x, Mapping) and not isinstance(x, dict)
