"""SingleRow: buffers through which a single dict quickly reaches the compiled loops."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
from numba import typeof
from numpy.typing import NDArray

from braided.compiled import loops
from braided.kernels.numerics import squared_norm, usable

__all__ = ["NOT_A_NUMBER", "SingleRow", "observed", "write_values"]

NOT_A_NUMBER = (struct.error, TypeError, ValueError, OverflowError)

_COMPLEX = frozenset((np.complex64, np.complex128, np.clongdouble))
"""Types of which struct would write the real part; one sum finds them quickly."""


class SingleRow:
    """Buffers for one row, which are used again for each row.

    ``struct`` fills a buffer in a fraction of the time that NumPy needs to make an array of a short
    list. Names are looked up only if they differ from those of the last row: often the same row is
    predicted and then learned, and often all rows have the same names.
    """

    __slots__ = (
        "_learn",
        "_names",
        "_score",
        "_write_values",
        "fits",
        "indices",
        "indptr",
        "label",
        "score_before",
        "values",
        "weight",
    )

    def __init__(self, state: Any, parameters: Any, scores: NDArray[np.float64]) -> None:
        self.indptr = np.zeros(2, np.int64)
        self.indices = np.empty(16, np.int32)
        self.values = np.empty(16, np.float64)
        self.label = np.ones(1)
        self.weight = np.ones(1)
        self.score_before = scores
        self.fits = type(state)
        self._names: list[Hashable] | None = []
        self._write_values = _writers(0)[1]
        scoring = (state, parameters, self.indptr, self.indices, self.values)
        learning = (*scoring, self.label, self.weight, self.score_before)
        self._learn = _specialised(loops.learn_rows, *learning)
        self._score = _specialised(loops.score_rows, *scoring, self.score_before)

    def fill(self, x: Mapping[Hashable, Any], columns: Mapping[Hashable, int]) -> bool:
        """Write a row to the buffers; return False if a value is no number (NaN and inf are).

        Raises KeyError for a name without a column.
        """
        names = [*x]
        if names != self._names:
            found = _find(names, columns)
            self._names = None  # until all of them are written, the buffers fit no names
            self._make_room(len(names))
            write_indices, self._write_values = _writers(len(names))
            write_indices(self.indices, 0, *found)
            self.indptr[1] = len(names)
            self._names = names
        values = x.values()
        try:
            if type(sum(values, 0.0)) in _COMPLEX:
                return False
            self._write_values(self.values, 0, *values)
        except NOT_A_NUMBER:
            return False
        return True

    def forget_names(self) -> None:
        """Look up all names again, since columns have other numbers."""
        self._names = None

    def fit_like(self, other: SingleRow) -> None:
        """Fit the state that another row fits; what is in the buffers stays."""
        self.fits, self.score_before = other.fits, other.score_before
        self._learn, self._score = other._learn, other._score

    def can_hold(self, x: Mapping[Hashable, Any]) -> bool:
        """Return whether all values are numbers, observed and in range, and no name is NaN."""
        if any(name != name for name in x):
            return False
        self._make_room(len(x))
        try:
            write_values(self.values, x.values())
        except NOT_A_NUMBER:
            return False
        values = self.values[: len(x)]
        return usable(values, squared_norm(values))

    def _make_room(self, size: int) -> None:
        if size > self.indices.size:
            self.indices = np.empty(2 * size, np.int32)
            self.values = np.empty(2 * size, np.float64)
            self._names = None

    def learn(self, state: Any, parameters: Any, sign: float) -> bool:
        """Learn the row in the buffers; return False if a value is not usable."""
        self.label[0] = sign
        learned = self._learn(
            state,
            parameters,
            self.indptr,
            self.indices,
            self.values,
            self.label,
            self.weight,
            self.score_before,
        )
        return learned == 1

    def label_and_learn(self, state: Any, parameters: Any, sign: float, confidence: float) -> bool:
        """As ``learn``; NaN stands for the model's own prediction, if it is confident enough."""
        self.label[0] = sign
        scoring = (state, parameters, self.indptr, self.indices, self.values)
        learning = (*scoring, self.label, self.weight, self.score_before)
        return loops.label_rows(*learning, confidence) == 1

    def score(self, state: Any, parameters: Any) -> Any:
        """Return the score of the row in the buffers; None if a value is not usable."""
        scored = self._score(
            state, parameters, self.indptr, self.indices, self.values, self.score_before
        )
        return self.score_before.tolist()[0] if scored else None


def observed(x: Mapping[Hashable, Any]) -> dict[Hashable, Any] | None:
    """The row without None and NaN; None if it has neither, or is no dict of numbers."""
    try:
        without = {name: v for name, v in x.items() if v is not None and v == v}
        return without if len(without) < len(x) else None
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        return None


def write_values(array: NDArray[np.float64], values: Collection[Any]) -> None:
    """Write values to an array; raise one of NOT_A_NUMBER if one is no number."""
    if type(sum(values, 0.0)) in _COMPLEX:
        raise TypeError("a complex number")
    _writers(len(values))[1](array, 0, *values)


def _find(names: list[Hashable], columns: Mapping[Hashable, int]) -> Sequence[int]:
    if len(names) < 2:  # where an itemgetter returns no tuple
        return [columns[name] for name in names]
    found: tuple[int, ...] = itemgetter(*names)(columns)
    return found


@lru_cache(maxsize=4096)
def _writers(size: int) -> tuple[Any, Any]:
    return struct.Struct(f"{size}i").pack_into, struct.Struct(f"{size}d").pack_into


def _specialised(function: Any, *arguments: Any) -> Callable[..., int]:
    """The function compiled for arguments of these types, to be called with no others.

    It skips Numba's search for the version of these types, which for a named tuple of arrays
    takes longer than to learn a short row.
    """
    entry: Callable[..., int] = function.compile(tuple(map(typeof, arguments)))
    return entry
