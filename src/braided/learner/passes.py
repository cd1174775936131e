"""Passes: how rows, checked and placed in their columns, reach a learner's kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled import loops
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.core import Core, Floats
from braided.rows.rows import Rows

__all__ = ["Passes", "refuse_changed"]

HEAVIEST = 1e9
"""The largest sample weight, so that no kernel's arithmetic comes near overflow."""


class Passes(Core):
    """Rows are *accepted* (all is checked before anything changes), *placed* in their columns, then
    learned, scored, or both in turns, by the compiled loops of ``loops.py``.
    """

    def _learn(
        self, rows: Rows, sample_weight: Any = None, classes: Sequence[Any] | None = None
    ) -> Floats:
        """Learn rows; the (inward) score of each before it was learned."""
        if rows.labels is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                "rows to learn from need labels"
            )
        y, weights = rows.labels, _as_weights(sample_weight, len(rows))
        classes = None if classes is None else list(classes)
        learned = None
        if not weights.all():
            learned = np.flatnonzero(weights)
            rows, y, weights = rows[learned], y[learned], weights[learned]
        signs = self._accepted(rows, y, classes, learned)
        return self._learn_accepted(rows, signs, weights)

    def _accepted(
        self,
        rows: Rows,
        y: NDArray[Any],
        classes: Sequence[Any] | None = None,
        numbers: NDArray[np.int64] | None = None,
    ) -> Floats:
        """The signs of the labels of rows that are about to be learned.

        All is checked before anything changes; ``numbers`` are what errors call the rows.
        """
        self._check_width(rows)
        space = self._new_space() if self._state is None else self._space
        labels = self._new_labels() if self._state is None else self._labels
        labels.check(y, classes, numbers)
        self._check_size(space, rows)
        if self._state is None:
            self._begin(space, labels)
        if rows.names is None:
            self._width = rows.width
        if classes is not None:
            labels.declare(classes)
        return labels.signs(y)

    def _learn_accepted(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        return self._learn_placed(self._placed(rows), signs, weights)

    def _placed(self, rows: Rows) -> Rows:
        """Rows that are about to be learned, in their columns."""
        try:
            return self._space.place(rows)
        finally:  # also when interrupted: what has a column has room
            self._make_room()

    def _interleave(self, rows: Rows, learned: Rows, due: NDArray[np.int64]) -> Floats:
        """Score rows and learn others in between; the (inward) scores of the former."""
        if learned.labels is None:
            raise InputError("rows to learn from need labels")
        _check_due(due, len(rows), len(learned))
        self._check_width(rows)
        signs = self._accepted(learned, learned.labels)
        return self._interleave_accepted(rows, learned, signs, due)

    def _interleave_accepted(
        self, rows: Rows, learned: Rows, signs: Floats, due: NDArray[np.int64]
    ) -> Floats:
        learned = self._placed(learned)
        # A feature that is first learned further down has a column already, but no kernel has
        # touched it yet: it counts for as little as one that is left out.
        rows = self._space.place(rows, grow=False)
        return self._interleave_placed(rows, learned, signs, np.ones(len(learned)), due)

    def _scores_inward(self, rows: Rows) -> Floats:
        self._check_width(rows)
        return self._score_placed(self._space.place(rows, grow=False))

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows in their columns; the score of each before it was learned.

        With a ``confidence``, rows of sign 0 are learned by the model's own prediction if its score
        is as large as that, and skipped if not.
        """
        scores, done = self._new_scores(len(rows)), 0
        while True:
            rest = (rows.indptr[done:], rows.indices, rows.values, signs[done:], weights[done:])
            learning = (self._state, self._kernel_parameters, *rest, scores[done:])
            if confidence is None:
                done += loops.learn_rows(*learning)
            else:
                done += loops.label_rows(*learning, float(confidence))
            if done == len(rows):
                return scores
            self._make_room_to_learn(rows, done)

    def _make_room_to_learn(self, rows: Rows, row: int) -> None:
        """Make the room for want of which a kernel stopped at this row."""
        if not self._with_room_for(rows[row : row + 1].indices):
            refuse_changed(rows, row)

    def _interleave_placed(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        """Score rows, and learn others in between, all of them in their columns."""
        scores, done, known = np.empty(len(rows)), 0, 0  # rows scored, and rows learned
        while True:
            before = int(self._state.rounds[0])
            done += loops.interleave_rows(
                self._state,
                self._kernel_parameters,
                rows.indptr[done:],
                rows.indices,
                rows.values,
                scores[done:],
                due[done:] - known,
                learned.indptr[known:],
                learned.indices,
                learned.values,
                signs[known:],
                weights[known:],
                np.empty(len(learned) - known),
            )
            known += int(self._state.rounds[0]) - before
            if done == len(rows):
                return scores
            self._make_room_to_learn(learned, known)
            if known > (due[done - 1] if done else 0):  # the row was scored, some are learned since
                rest = slice(known, int(due[done]))
                self._learn_placed(learned[rest], signs[rest], weights[rest])
                done, known = done + 1, int(due[done])

    def _score_placed(self, rows: Rows) -> Floats:
        """The (inward) scores of rows in their columns."""
        scores = self._new_scores(len(rows))
        done = loops.score_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            scores,
        )
        refuse_changed(rows, done)
        return scores

    def _new_scores(self, rows: int) -> Floats:
        """Room for the scores of so many rows."""
        return np.empty(rows)

    def _check_width(self, rows: Rows) -> None:
        if rows.names is None and self._width not in (None, rows.width):
            raise InputError(
                f"X has {rows.width} features, but {type(self).__name__} is expecting "
                f"{self._width} features as input: columns without names must not change "
                "(give feature_names, dicts or a frame when features come and go)"
            )

    def _check_size(self, space: FeatureSpace, rows: Rows) -> None:
        if self._most_features is None:
            return
        size = space.size_with(rows)
        if size > self._most_features:
            raise InputError(
                f"{self} learns from at most {self._most_features} features; "
                f"with these rows there would be {size}"
            )


def refuse_changed(rows: Rows, done: int) -> None:
    """Rows share their arrays with whoever gave them, who may have written to them since."""
    if done < len(rows):
        raise InputError(f"row {done}: a value is no longer allowed since the rows were checked")


def _check_due(due: NDArray[np.int64], scored: int, learned: int) -> None:
    if due.shape != (scored,) or (np.diff(due, prepend=0, append=learned) < 0).any():
        raise InputError(
            f"due must be {scored} numbers from 0 to {learned} that never fall: how many rows are "
            "learned after each one scored"
        )


def _as_weights(sample_weight: Any, n: int) -> Floats:
    if sample_weight is None:
        return np.ones(n)
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"not {given.dtype}")
        weights = np.require(given, np.float64, ["C", "W"])
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"sample_weight must be one number for each row ({error})") from None
    if weights.shape != (n,):
        raise InputError(
            f"sample_weight has shape {weights.shape}; expected one number for each of {n} rows"
        )
    bad = np.flatnonzero(~((weights >= 0) & (weights <= HEAVIEST)))
    if bad.size:
        raise InputError(
            f"row {bad[0]}: sample_weight {weights[bad[0]]} is not from 0 to {HEAVIEST:g}"
        )
    return weights
