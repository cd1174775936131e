"""One row at a time, as in river."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from braided.errors import InputError
from braided.learner.name_limit import Forgetting
from braided.learner.single_row import OneRow
from braided.rows.convert import as_rows, holds_nan

__all__ = ["OneByOne"]

Row = Mapping[Hashable, Any]


class OneByOne(Forgetting):
    """``learn_one``, ``predict_one``, ``score_one``: quickly if possible, else as one block."""

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row, a dict from name to value, and its label."""
        if self._learn_one_quickly(x, y):
            return
        observed = _observed(x)
        if observed is None or not self._learn_one_quickly(observed, y):
            self._learn(as_rows([_as_dict(x)], [y]))

    def predict_one(self, x: Row) -> Any:
        """The predicted label, or None before anything was learned."""
        if self._state is None:
            return None
        return self._labels.name(self._score_one_inward(x))

    def score_one(self, x: Row) -> float:
        """How far the row lies on the side of ``classes_[1]``; 0 before anything was learned."""
        if self._state is None:
            return self._new_labels().turned_one(0.0)
        return self._labels.turned_one(self._score_one_inward(x))

    def _learn_one_quickly(self, x: Row, y: Any) -> bool:
        """Learn through the prepared buffers; False, and nothing changed, if x or y needs care."""
        if self._state is None or not isinstance(x, dict):
            return False
        sign = self._labels.known_sign(y)
        if sign is None:
            return False
        # Buffers are taken and given back, so that no two threads write to the same.
        row = self._one_rows.pop() if self._one_rows else self._new_one_row()
        try:
            filled = row.fill(x, self._space.columns)
        except KeyError:
            filled = self._fill_new_names(row, x)
        learned = filled and self._learn_row(row, sign)
        self._one_rows.append(row)
        self._forget_names()
        return learned

    def _fill_new_names(self, row: OneRow, x: Row) -> bool:
        # A new name is added only when nothing in its row can still be refused, and when there is
        # room for it.
        if self._most_features is not None or not row.can_hold(x) or holds_nan(x):
            return False
        columns = self._space.columns
        self._make_room(sum(name not in columns for name in x))
        self._space.add(x)
        return row.fill(x, columns)

    def _score_one_inward(self, x: Row) -> float:
        score = self._score_one_quickly(x)
        if score is None:
            observed = _observed(x)
            score = None if observed is None else self._score_one_quickly(observed)
        if score is None:
            score = self._scores_inward(as_rows([_as_dict(x)])).tolist()[0]
        return score

    def _score_one_quickly(self, x: Row) -> float | None:
        """The score through the prepared buffers; None if x needs care."""
        if not isinstance(x, dict):
            return None
        try:
            row = self._one_rows.pop()
        except IndexError:
            row = self._new_one_row()
        columns = self._space.columns
        try:
            filled = row.fill(x, columns)
        except KeyError:
            # What is unknown is left out, but bad values are refused wherever they are.
            known = {name: value for name, value in x.items() if name in columns}
            filled = row.can_hold(x) and row.fill(known, columns)
        score = self._score_row(row) if filled else None
        self._one_rows.append(row)
        return score

    def _learn_row(self, row: OneRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers; False, and nothing changed, if a value is not usable."""
        while True:
            if confidence is None:
                learned = row.learn(self._state, self._kernel_parameters, sign)
            else:
                learned = row.label_and_learn(
                    self._state, self._kernel_parameters, sign, confidence
                )
            if learned or not self._with_room_for(row.indices[: row.indptr[1]]):
                return learned

    def _score_row(self, row: OneRow) -> float | None:
        """The (inward) score of what is in the buffers; None if a value is not usable."""
        score: float | None = row.score(self._state, self._kernel_parameters)
        return score

    def _new_one_row(self) -> OneRow:
        return OneRow(self._state, self._kernel_parameters, self._new_scores(1))


def _observed(x: Row) -> Row | None:
    """x without None and NaN; None if it has none of them, or is no dict of numbers at all."""
    try:
        observed = {name: v for name, v in x.items() if v is not None and v == v}
        return observed if len(observed) < len(x) else None
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        return None


def _as_dict(x: object) -> Row:
    if not isinstance(x, Mapping):
        raise InputError(f"one row is a dict from name to value, not {x!r}")
    return x
