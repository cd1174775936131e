"""What is asked of the values of a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import compiled
from braided.rows import LARGEST

__all__ = ["squared_norm", "usable"]


@compiled
def squared_norm(values: NDArray[np.float64]) -> float:
    """The sum of squares, in four interleaved sums: the processor need not wait for each."""
    a = b = c = d = 0.0
    whole = values.size - values.size % 4
    for i in range(0, whole, 4):
        a += values[i] * values[i]
        b += values[i + 1] * values[i + 1]
        c += values[i + 2] * values[i + 2]
        d += values[i + 3] * values[i + 3]
    for i in range(whole, values.size):
        a += values[i] * values[i]
    return (a + b) + (c + d)


@compiled
def usable(values: NDArray[np.float64], square: float) -> bool:
    """Whether every value is observed and at most LARGEST; ``square`` is their squared norm."""
    if square <= LARGEST * LARGEST:  # then each of them is; NaN compares false
        return True
    for value in values:  # noqa: SIM110 - kernels can not use all()
        if not abs(value) <= LARGEST:
            return False
    return True
