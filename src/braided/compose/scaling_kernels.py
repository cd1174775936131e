"""Scaling, compiled; ``scaled.py`` says what it means."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, cached
from braided.kernels.numerics import LARGEST_VALUE

__all__ = ["MAXABS", "STANDARD", "scale_rows", "to_unit", "unit_rows"]

STANDARD, MAXABS = 0, 1
COUNT, MEAN, SQUARES = 0, 1, 2
MOST = 0


@cached
def scale_rows(
    table: NDArray[np.float64],
    kind: int,
    indptr: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    keep: bool,
    scaled: Floats,
) -> int:
    """Scale each row, and with ``keep`` store what it tells; how many are usable.

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
def to_unit(values: Floats) -> bool:
    """Scale the values to length 1, in place; False, and nothing changed, if one is unusable."""
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
def unit_rows(indptr: NDArray[np.int64], values: Floats) -> Floats:
    """The values with each row scaled to length 1; a row that is unusable stays as it is."""
    scaled = values.copy()
    for row in range(indptr.size - 1):
        to_unit(scaled[indptr[row] : indptr[row + 1]])
    return scaled
