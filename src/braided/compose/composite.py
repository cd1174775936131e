"""What all learners that are made of learners have in common."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.estimator import clone
from braided.learner.learner import Learner
from braided.learner.single_row import OneRow
from braided.learner.state import capacity_for
from braided.rows.rows import Rows
from braided.targets import Labels

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Composite", "Wrapper"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]


class Composite(Learner):
    """Reads and places a row once, and hands it on to the learners inside.

    They share its feature space, and begin as clones of ``learner``. A subclass overrides what
    ``Core`` and ``OneByOne`` do with rows that are already in their columns.
    """

    learner: Learner
    _no_mean = "only single learners can, not those that are made of learners"

    def _check(self) -> None:
        if not isinstance(self.learner, Learner):
            raise InputError(
                f"{type(self).__name__} is made of a learner, such as braided.OLSF(), "
                f"not of {self.learner!r}"
            )
        self.learner._check()
        if self._state is None:
            return
        pattern = self._pattern()
        for model in self._inside():
            if type(model) is not type(pattern):
                raise InputError(
                    f"{type(self).__name__} has begun with {type(model).__name__}: it can not go "
                    f"on with {type(pattern).__name__}; use fit to begin anew"
                )
            copy.deepcopy(model).set_params(**_parameters_of(pattern))
            break  # all of them are alike

    def _inside(self) -> Iterator[Learner]:
        """The learners inside, as far as they have begun."""
        raise NotImplementedError

    def _pattern(self) -> Learner:
        """What the learners inside are clones of."""
        return self.learner

    @property
    def _settled(self) -> Self:
        """Itself with the parameters that are in force."""
        return self if self._state is None else cast("Self", self._in_force)

    def _begun(self, pattern: Learner, labels: Labels, seed_shift: int = 0) -> Learner:
        """A new learner inside, ready for rows in the columns of this one's space."""
        model: Learner = clone(pattern)
        model.set_params(**_parameters_of(model, seed_shift))
        model._begin(self._space, labels)
        model._make_room()
        return model

    def set_params(self, **params: Any) -> Self:
        """Change parameters, those of the learner inside as ``learner__name``."""
        super().set_params(**params)
        if self._state is not None:
            for number, model in enumerate(self._inside()):
                model.set_params(**_parameters_of(self._pattern(), number))
        return self

    def _parameters(self) -> None:
        return None

    def _new_space(self) -> FeatureSpace:
        return self.learner._new_space()

    @property
    def _most_features(self) -> int | None:
        return self.learner._most_features

    @property
    def _keeps_pairs(self) -> bool:  # type: ignore[override]
        return self.learner._keeps_pairs

    def _make_room(self, more: int = 0) -> None:
        super()._make_room(more)
        for model in self._inside():
            model._make_room(more)

    @property
    def _state_bytes(self) -> int:
        return super()._state_bytes + sum(model._state_bytes for model in self._inside())

    # ---------------------------------------------- rows before they have their columns

    def _prepared(self, rows: Rows) -> Rows:
        """What must be done to rows while features that are unknown are still there."""
        inside = self._settled.learner
        return inside._prepared(rows) if isinstance(inside, Composite) else rows

    def _prepared_one(self, x: Row) -> Row | None:
        """The same for one dict; None if it needs care."""
        inside = self._settled.learner
        return inside._prepared_one(x) if isinstance(inside, Composite) else x

    def _learn(self, rows: Rows, *more: Any) -> Floats:
        return super()._learn(self._prepared(rows), *more)

    def _scores_inward(self, rows: Rows) -> Floats:
        return super()._scores_inward(self._prepared(rows))

    def _interleave(self, rows: Rows, learned: Rows, due: NDArray[np.int64]) -> Floats:
        return super()._interleave(self._prepared(rows), self._prepared(learned), due)

    def _learn_one_quickly(self, x: Row, y: Any) -> bool:
        prepared = self._prepared_one(x)
        return prepared is not None and super()._learn_one_quickly(prepared, y)

    def _score_one_quickly(self, x: Row) -> float | None:
        prepared = self._prepared_one(x)
        return None if prepared is None else super()._score_one_quickly(prepared)

    def _interleave_placed(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        scores, scored, done = [], 0, 0
        for row in np.flatnonzero(np.diff(due, prepend=0)).tolist():
            scores.append(self._score_placed(rows[scored : row + 1]))
            turn = slice(done, int(due[row]))
            self._learn_placed(learned[turn], signs[turn], weights[turn])
            scored, done = row + 1, int(due[row])
        return np.concatenate([*scores, self._score_placed(rows[scored:])])


class Wrapper(Composite):
    """A composite with one learner inside."""

    _inner: Learner

    @property
    def scores_are_log_odds(self) -> bool:  # type: ignore[override]
        """Whether those of the learner inside are."""
        return self.learner.scores_are_log_odds

    def _inside(self) -> Iterator[Learner]:
        yield self._inner

    def _begin(self, space: FeatureSpace, labels: Labels, capacity: int = capacity_for(0)) -> None:
        super()._begin(space, labels, capacity)
        self._inner = self._begun(self._settled.learner, labels)

    def _new_labels(self) -> Labels:
        return self.learner._new_labels()

    def _new_one_row(self) -> OneRow:
        return self._inner._new_one_row()

    def _linear_weights(self) -> Floats:
        return self._inner._linear_weights()

    def weights(self) -> dict[Hashable, float]:
        """The weights of the learner inside."""
        return {} if self._state is None else self._inner.weights()

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return 0 if self._state is None else self._inner.rounds

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        return 0 if self._state is None else self._inner.features_kept

    @property
    def _many_classes(self) -> bool:
        return self.learner._many_classes


def _parameters_of(learner: Learner, seed_shift: int = 0) -> dict[str, Any]:
    """The parameters of a learner, with another seed if it has one."""
    parameters: dict[str, Any] = clone(learner).get_params()
    for name, value in parameters.items():
        if name == "seed" or name.endswith("__seed"):
            parameters[name] = value + seed_shift
    return parameters
