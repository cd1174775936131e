"""Scaled: a learner whose rows are scaled online.

Papers scale a whole set before they stream it, which knows the future. Here a value is scaled by
what was observed of its feature until now, the row itself included: its features are known before
its label is. With n, mean and S over the observed values x of a feature (Welford 1962)::

    standard   n = n + 1;  d = x - mean;  mean = mean + d / n;  S = S + d (x - mean)
               (x - mean) / sqrt(S / n)                        0 if S is 0: nothing varies yet
    maxabs     largest = max(largest, |x|)
               x / largest                                     0 if largest is 0
    unit       x / |x|                                         over the row; nothing is stored
    tfidf      n = n + 1;  df = df + 1 where x is not 0        n rows, df of them with the feature
               x idf / |x idf|                                 idf = log((1 + n) / (1 + df)) + 1

Predicting computes the same and stores nothing. What is not observed stays unobserved.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints, cached
from braided.compose.composite import Composite, Floats, Row, Wrapper, WrapperEngine
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.kernels.numerics import LARGEST_VALUE
from braided.learner.engine import refuse_changed
from braided.learner.learner import Learner
from braided.learner.single_row import NOT_A_NUMBER, SingleRow, in_order, write_values
from braided.parameters import check_choice
from braided.rows.rows import Rows, offsets

__all__ = ["INTERCEPT", "Scaled"]

SCALINGS = ("standard", "maxabs", "unit", "tfidf")

STANDARD, MAXABS = 0, 1
KINDS = {"standard": STANDARD, "maxabs": MAXABS}
"""The scalings that look at each feature alone, as kernels see them."""

UNIT_FIRST = ("unit", "tfidf")
"""The scalings that need the whole row: it gets length 1 before unknown features are left out."""

COUNT, MEAN, SQUARES = 0, 1, 2
MOST = DOCUMENTS = 0
STATISTICS = {"standard": 3, "maxabs": 1, "unit": 0, "tfidf": 1}
"""How many numbers are kept for each feature: n, mean and S; the largest magnitude; or df."""

MOST_ROWS = 2.0**53
"""Up to here a float counts."""


class _Reserved(Enum):
    INTERCEPT = "(intercept)"

    def __repr__(self) -> str:
        return str(self.value)


INTERCEPT = _Reserved.INTERCEPT
"""The name of the feature that is always 1. It is not text, so that no feature of a row has it.

Examples
--------
>>> from braided.compose import INTERCEPT
>>> INTERCEPT
(intercept)
"""


class Statistics(NamedTuple):
    """What is kept of each feature, a line each, and for tf-idf the number of rows."""

    table: NDArray[np.float64]
    rows: NDArray[np.float64]


class ScaledEngine(WrapperEngine):
    """Scales rows, by what was observed until then, before it hands them on."""

    algorithm: Scaled

    def learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn scaled rows."""
        scaled, done = self._scaled(rows, keep=True)
        if done < len(rows):
            scaled, signs, weights = scaled[:done], signs[:done], weights[:done]
        scores = self.inner.learn_placed(scaled, signs, weights, confidence)
        refuse_changed(rows, done)
        return scores

    def score_placed(self, rows: Rows) -> Floats:
        """Score scaled rows."""
        scaled, done = self._scaled(rows, keep=False)
        refuse_changed(rows, done)
        return self.inner.score_placed(scaled)

    def _scaled(self, rows: Rows, *, keep: bool) -> tuple[Rows, int]:
        """The rows as the learner inside sees them, and how many of them are usable."""
        how = self.algorithm.how
        values, done = rows.values, len(rows)
        if how != "unit":
            values = np.empty(rows.values.size)
            arrays = rows.indptr, rows.indices, rows.values, keep, values
            if how == "tfidf":
                done = _weigh_rows(self.state.table, self.state.rows, *arrays)
            else:
                done = _scale_rows(self.state.table, KINDS[how], *arrays)
        rows = rows.with_arrays(values=values)
        return (_with_intercept(rows) if self.algorithm.intercept else rows), done

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers, scaled."""
        before = self._scale_row(row, keep=True)
        if before is None:
            return False
        try:
            return self.inner.learn_row(row, sign, confidence)
        finally:
            row.indices, row.values, row.indptr[1] = before

    def score_row(self, row: SingleRow) -> Any:
        """Score what is in the buffers, scaled."""
        before = self._scale_row(row, keep=False)
        if before is None:
            return None
        try:
            return self.inner.score_row(row)
        finally:
            row.indices, row.values, row.indptr[1] = before

    def _scale_row(self, row: SingleRow, *, keep: bool) -> tuple[Any, Any, int] | None:
        """Put other buffers into the row; those that were there, or None if a value is unusable."""
        size = int(row.indptr[1])
        placed = Rows(row.indptr, row.indices[:size], row.values[:size], 0)
        scaled, done = self._scaled(placed, keep=keep)
        if done == 0:
            return None
        before = row.indices, row.values, size
        row.indices, row.values, row.indptr[1] = scaled.indices, scaled.values, scaled.values.size
        return before


class Scaled(Wrapper):
    """Scale rows online, by what was observed until then, before a learner sees them.

    Parameters
    ----------
    learner : Learner
        The learner inside. It is cloned: what it has learned by itself is not used.
    how : {"standard", "maxabs", "unit", "tfidf"}, default "standard"
        ``"standard"``: each feature to mean 0 and standard deviation 1; ``"maxabs"``: each feature
        to a magnitude of at most 1; ``"unit"``: each row to length 1; ``"tfidf"``: for counts of
        words, each value times ``log((1 + n) / (1 + df)) + 1``, where df of the n rows so far have
        the feature with a value other than 0, then each row to length 1.
    intercept : bool, default False
        Whether the learner inside also gets a feature that is always 1, and is never scaled. It
        counts as a feature, under the name ``braided.compose.INTERCEPT``.

    Notes
    -----
    A row is scaled by statistics that include the row itself, since its features are known before
    its label. Papers scale a whole set before they stream it, which knows the future.

    References
    ----------
    Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products",
    Technometrics 4(3), 1962.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = Scaled(OLSF(), how="maxabs")
    >>> for x, y in [({"grams": -2e6, "size": 0.5}, "no"), ({"grams": 2e6, "size": 1}, "yes")]:
    ...     model.learn_one(x, y)
    >>> model.weights()
    {'grams': 0.2}
    """

    engine_class = ScaledEngine
    arrays_added_later = ("rows",)

    def __init__(self, learner: Learner, *, how: str = "standard", intercept: bool = False) -> None:
        self.learner = learner
        self.how = how
        self.intercept = intercept

    def check_parameters(self) -> None:
        super().check_parameters()
        check_choice("how", self.how, SCALINGS)
        check_choice("intercept", self.intercept, (True, False))
        if _holds_scaled(self.learner):
            raise InputError(f"{self.learner} scales already: rows are scaled once")

    def check_change(self, before: Scaled) -> None:  # type: ignore[override]
        """Refuse another scaling once something was learned."""
        super().check_change(before)
        for name in ("how", "intercept"):
            value = getattr(before, name)
            if getattr(self, name) != value:
                raise InputError(
                    f"Scaled has begun with {name}={value!r}, which can not be changed; use "
                    "fit to begin anew"
                )

    def new_state(self, capacity: int) -> Statistics:
        rows = np.zeros(1 if self.how == "tfidf" else 0)
        return Statistics(np.zeros((capacity, STATISTICS[self.how])), rows)

    def is_sound(self, state: Statistics, capacity: int) -> bool:
        table = state.table
        if self.how == "tfidf":
            most = state.rows[0]
            return bool(_whole(state.rows).all() and _whole(table, most).all())
        if self.how != "standard":
            return bool(((table >= 0.0) & (table <= LARGEST_VALUE)).all())
        counts, means, squares = table.T
        most = 5.0 * LARGEST_VALUE * LARGEST_VALUE * counts
        whole = _whole(counts)
        return bool(
            (whole & (np.abs(means) <= LARGEST_VALUE) & (squares >= 0) & (squares <= most)).all()
        )

    def new_space(self) -> FeatureSpace:
        space = super().new_space()
        if self.intercept:
            space.add([INTERCEPT])  # so its column is 0
        return space

    def prepared(self, rows: Rows) -> Rows:
        rows = super().prepared(rows)
        if self.how not in UNIT_FIRST:
            return rows
        return rows.with_arrays(values=_unit_rows(rows.indptr, rows.values))

    def prepared_one(self, x: Row) -> Row | None:
        prepared = super().prepared_one(x)
        if self.how not in UNIT_FIRST or not prepared:
            return prepared
        prepared = in_order(prepared)  # so that the order of keys means nothing
        values = np.empty(len(prepared))
        try:
            write_values(values, prepared.values())
        except NOT_A_NUMBER:
            return None
        return dict(zip(prepared, values.tolist(), strict=True)) if _to_unit(values) else None


def _holds_scaled(learner: Learner) -> bool:
    while isinstance(learner, Composite):
        if isinstance(learner, Scaled):
            return True
        learner = learner.learner
    return False


def _whole(counts: Floats, most: float = MOST_ROWS) -> NDArray[np.bool_]:
    """Whether each is a whole number from 0 to ``most``."""
    whole: NDArray[np.bool_] = (counts >= 0.0) & (counts <= most) & (counts == np.floor(counts))
    return whole


def _with_intercept(rows: Rows) -> Rows:
    """Each row with a last entry of 1 in column 0."""
    ends = rows.indptr[1:]
    return rows.with_arrays(
        indptr=offsets(np.diff(rows.indptr) + 1),
        indices=np.insert(rows.indices, ends, np.int32(0)),
        values=np.insert(rows.values, ends, 1.0),
    )


# --------------------------------------------------------------------------------- compiled


@cached
def _scale_rows(
    table: Floats,
    kind: int,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    keep: bool,
    scaled: Floats,
) -> int:
    """Scale each row, with ``keep`` add it to the statistics, and return how many are usable.

    No scaled value is larger than the root of the number of rows.
    """
    for row in range(indptr.size - 1):
        start, stop = indptr[row], indptr[row + 1]
        for entry in range(start, stop):
            if not abs(values[entry]) <= LARGEST_VALUE:
                return row
        for entry in range(start, stop):
            known, x = table[indices[entry]], values[entry]
            if kind == MAXABS:
                largest = max(known[MOST], abs(x))
                scaled[entry] = x / largest if largest > 0.0 else 0.0
                if keep:
                    known[MOST] = largest
            else:
                count = known[COUNT] + 1.0
                apart = x - known[MEAN]
                mean = known[MEAN] + apart / count
                squares = known[SQUARES] + apart * (x - mean)
                variance = squares / count
                scaled[entry] = (x - mean) / math.sqrt(variance) if variance > 0.0 else 0.0
                if keep:
                    known[COUNT], known[MEAN], known[SQUARES] = count, mean, squares
    return indptr.size - 1


@cached
def _weigh_rows(
    table: Floats,
    rows: Floats,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    keep: bool,
    scaled: Floats,
) -> int:
    """Weigh each row by tf-idf, with ``keep`` count it, and return how many rows are usable.

    Rows have length 1 already, so what known features lack to 1 is the square of the new ones: all
    of these have the same weight. So the length is that of the whole row, also where predicting has
    left out features that were never seen, and it is the same in both cases, bit for bit.
    """
    for row in range(indptr.size - 1):
        start, stop = indptr[row], indptr[row + 1]
        for entry in range(start, stop):
            if not abs(values[entry]) <= LARGEST_VALUE:
                return row
        count = rows[0] + 1.0
        known, weighed = 0.0, 0.0  # the squares of known features, before and after weighing
        for entry in range(start, stop):
            documents, x = table[indices[entry], DOCUMENTS], values[entry]
            present = 1.0 if x != 0.0 else 0.0
            scaled[entry] = x * (math.log((1.0 + count) / (1.0 + documents + present)) + 1.0)
            if documents > 0.0:
                known += x * x
                weighed += scaled[entry] * scaled[entry]
            if keep:
                table[indices[entry], DOCUMENTS] = documents + present
        weight = math.log((1.0 + count) / 2.0) + 1.0
        length = math.sqrt(weighed + max(0.0, 1.0 - known) * weight * weight)
        for entry in range(start, stop):
            scaled[entry] /= length
        if keep:
            rows[0] = count
    return indptr.size - 1


@cached
def _to_unit(values: Floats) -> bool:
    """Scale the values to length 1, in place; if one is unusable, return False and change none."""
    largest = 0.0
    for value in values:
        if not abs(value) <= LARGEST_VALUE:
            return False
        largest = max(largest, abs(value))
    if largest > 0.0:
        square = 0.0
        for i in range(values.size):
            values[i] /= largest  # then no square that matters underflows
            square += values[i] * values[i]
        length = math.sqrt(square)
        for i in range(values.size):
            values[i] /= length
    return True


@cached
def _unit_rows(indptr: NDArray[np.int64], values: Floats) -> Floats:
    """The values with each row scaled to length 1; a row that is unusable stays as it is."""
    scaled = values.copy()
    for row in range(indptr.size - 1):
        _to_unit(scaled[indptr[row] : indptr[row + 1]])
    return scaled
