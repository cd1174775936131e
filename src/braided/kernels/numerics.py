"""Small pieces of arithmetic: a row's length, which values are usable, sums that do not drift."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, cached, compiled

__all__ = [
    "HIGHEST",
    "LARGEST_VALUE",
    "LOWEST",
    "add_to_sum",
    "all_usable",
    "new_sum",
    "owns_its_slots",
    "squared_norm",
    "usable",
]

LARGEST_VALUE = 1e100
"""The largest magnitude of a value, so that no kernel's arithmetic comes near overflow."""

LOWEST, HIGHEST = 1e-40, 1e40
"""Steps and penalties lie between these: squares of their products with values stay in range."""


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
    """Whether every value is a number up to LARGEST_VALUE; ``square`` is their squared norm."""
    if square <= LARGEST_VALUE * LARGEST_VALUE:  # then each of them is; NaN compares false
        return True
    for value in values:  # noqa: SIM110 - kernels can not use all()
        if not abs(value) <= LARGEST_VALUE:
            return False
    return True


@cached
def all_usable(values: NDArray[np.float64]) -> bool:
    """As ``usable``, for Python to call: kept on disk, since each process needs it."""
    return usable(values, squared_norm(values))


def new_sum() -> NDArray[np.float64]:
    """A compensated sum of nothing: the sum itself, and what rounding has kept back from it."""
    return np.zeros(2)


@compiled
def add_to_sum(total: Floats, amount: float) -> None:
    """Add to the compensated sum ``total[0]``."""
    amount = amount + total[1]
    after = total[0] + amount
    total[1] = amount - (after - total[0])
    total[0] = after


_NO_SLOT = -1


def owns_its_slots(slot: NDArray[np.int64], owner: NDArray[np.int64], used: int, seen: int) -> bool:
    """Whether ``slot`` (by feature) and ``owner`` (by slot) are each other's inverse.

    The first ``used`` slots belong to features that were seen, and no other feature has one.
    """
    if not 0 <= used <= owner.size:
        return False
    owners = owner[:used]
    if used and not (owners.min() >= 0 and owners.max() < seen):
        return False
    expected = np.full(slot.size, _NO_SLOT, np.int64)
    expected[owners] = np.arange(used)
    return np.array_equal(slot, expected) and np.array_equal(slot[owners], np.arange(used))
