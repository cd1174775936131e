"""Sums over a row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import compiled

__all__ = ["squared_norm"]


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
