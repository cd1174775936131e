"""WideningEngine: an engine of two labels that becomes one for many at the third label.

The model of the first two labels goes on as that of one label against the rest and, with its sign
turned, as that of the other: until then, the rest was the other. The third label begins as a new
class does in ``OneVsRest``, whose engine does all the work from then on. All of this happens at the
row with the third label, wherever a block ends.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.learner.engine import Engine
from braided.learner.estimator import clone
from braided.learner.single_row import SingleRow
from braided.registry import MANY_CLASSES, resolve
from braided.rows.rows import Rows
from braided.targets import ManyLabels, sign_of_first

__all__ = ["WideningEngine"]

Floats = NDArray[np.float64]


class Nothing(NamedTuple):
    """The state of an engine whose model is inside."""


class WideningEngine(Engine):
    """An engine of two labels; with a third one it hands all on to an engine of many classes.

    While labels are coded by class numbers and ``wide`` is None, the third label is known, but its
    row was not learned yet.
    """

    widens = True
    wide: Any = None  # an engine of OneVsRest
    _fits: type | None = None  # the class of the state that its buffers fit

    def _new_wide(self) -> Any:
        wide = _one_vs_rest(self.algorithm).new_engine(
            space=self.space, labels=self.labels, capacity=self.capacity
        )
        wide.turn(1 if self._first_sign > 0 else 0)
        return wide

    @property
    def _first_sign(self) -> float:
        """The sign of the first label in the model of two; the second has the other one."""
        return sign_of_first(self.labels.values[0])

    def _widen(self) -> None:
        wide = self._new_wide()
        wide.go_on_from(self)
        self._hand_on(wide)

    def _hand_on(self, wide: Any) -> None:
        self.wide, self.state, self._rows, self._fits = wide, Nothing(), [], None
        self.most_names = math.inf  # classes share names, and drop none

    def change_parameters(self, algorithm: Any) -> None:
        """Go on with other parameters; what was learned stays."""
        if self.learned_nothing:
            self.wide = None
        if self.wide is None:
            super().change_parameters(algorithm)
            return
        algorithm.check_change(self.algorithm)
        self.wide.change_parameters(_one_vs_rest(algorithm))
        self._settle(algorithm)
        self.most_names = math.inf

    # ---------------------------------------------------------------- what was learned

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return super().rounds if self.wide is None else int(self.wide.rounds)

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        return super().features_kept if self.wide is None else int(self.wide.features_kept)

    def weights(self) -> dict[Hashable, Any]:
        """Return the weights that are not zero; with many classes, those of each."""
        if self.wide is None:
            return super().weights()
        weights: dict[Hashable, Any] = self.wide.weights()
        return weights

    def models(self) -> dict[Hashable, Engine]:
        """Return an engine of two labels for each class; none while there are two."""
        return {} if self.wide is None else self.wide.models()

    def inside(self) -> Iterator[Engine]:
        """Return the engine of many classes, if there is one."""
        return iter(() if self.wide is None else (self.wide,))

    @property
    def state_bytes(self) -> int:
        """Bytes held by the arrays of the state."""
        return super().state_bytes + sum(engine.state_bytes for engine in self.inside())

    # ------------------------------------------------------------------------------ rows

    def learn_placed_of_classes(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None
    ) -> Floats:
        """Learn placed rows; at the first one with a third label, widen."""
        two = 0 if self.wide is not None else self._rows_of_two(signs)
        scores = np.full((len(rows), len(self.labels)), -np.inf)
        if two:
            scores[:two] = self._learn_two(rows[:two], signs[:two], weights[:two], confidence)
        if two == len(rows) > 0:
            return scores
        if self.wide is None:
            self._widen()
        scores[two:] = self.wide.learn_placed(rows[two:], signs[two:], weights[two:], confidence)
        return scores

    def _learn_two(
        self, rows: Rows, numbers: Floats, weights: Floats, confidence: float | None
    ) -> Floats:
        """Learn rows of the first two labels with the model of two."""
        first = self._first_sign
        signs = np.select([numbers == 0.0, numbers == 1.0], [first, -first], np.nan)
        return self._by_number(self._learn_placed(rows, signs, weights, confidence))

    def _rows_of_two(self, numbers: Floats) -> int:
        """How many rows there are before the first with a third label."""
        assert isinstance(self.labels, ManyLabels)
        if any(number >= 2 for number in self.labels.declared):
            return 0
        third = numbers >= 2.0
        return int(third.argmax()) if third.any() else len(numbers)

    def _by_number(self, scores: Floats) -> Floats:
        """A column for each class, from scores of the model of two labels."""
        columns = np.full((len(scores), len(self.labels)), -np.inf)
        columns[:, 0] = scores * self._first_sign
        columns[:, 1] = -columns[:, 0]
        return columns

    def score_placed(self, rows: Rows) -> Floats:
        """Score placed rows."""
        if self.wide is not None:
            scores: Floats = self.wide.score_placed(rows)
            return scores
        scores = super().score_placed(rows)
        return self._by_number(scores) if self.labels.many else scores

    def interleave_placed(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        """Score placed rows, and learn other placed rows in between."""
        how = self.interleave_in_turns if self.labels.many else super().interleave_placed
        return how(rows, learned, signs, weights, due)

    def learn_row_of_classes(self, row: SingleRow, sign: float, confidence: float | None) -> bool:
        """Learn the row in the buffers; not before the engine has widened."""
        if self.wide is None:
            return False
        self._fit(row)
        return bool(self.wide.learn_row(row, sign, confidence))

    def score_row_of_classes(self, row: SingleRow) -> Any:
        """Return the score of each label."""
        if self.wide is not None:
            self._fit(row)
            return self.wide.score_row(row)
        score = self._score_row(row)
        return None if score is None else self._by_number(np.array([score])).tolist()[0]

    def _fit(self, row: SingleRow) -> None:
        """Make buffers of an outer engine fit, if they are from before the third label."""
        if row.fits is not self._fits:
            fitting = self.wide.new_row()
            self._fits = fitting.fits
            row.fit_like(fitting)

    def new_row_of_classes(self) -> SingleRow:
        """Make buffers for a single row."""
        if self.wide is None:
            return SingleRow(self.state, self.kernel_parameters, self._new_scores(1))
        row: SingleRow = self.wide.new_row()
        return row

    def set_capacity(self, capacity: int) -> None:
        """Make room for so many features."""
        if self.wide is None:
            super().set_capacity(capacity)
        else:
            self.capacity = capacity
            self.wide.make_room(capacity - len(self.space))

    # ----------------------------------------------------------------------------- files

    def description(self) -> dict[str, Any]:
        """Whether it has widened; nothing with two labels."""
        if self.labels.many and self.wide is None:  # the row with the third label was not learned
            self._widen()
        return {} if self.wide is None else {"widened": True}

    def take_form(self, description: Mapping[str, Any]) -> None:
        """Widen as the model in a file."""
        if self.labels.many != (description.get("widened") is True):
            raise InputError(f"its model is not one for {len(self.labels)} labels")
        if self.labels.many:
            self._hand_on(self._new_wide())

    def make_room_as_in(self, length: Any) -> None:
        """Make the room that the state in a model file has."""
        if self.wide is None:
            super().make_room_as_in(length)

    @property
    def is_sound(self) -> bool:
        """Whether no kernel would leave the arrays of the state."""
        return self.wide is not None or super().is_sound


def _one_vs_rest(algorithm: Any) -> Any:
    return resolve(MANY_CLASSES["rest"])(clone(algorithm))
