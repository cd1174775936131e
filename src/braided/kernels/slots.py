"""Slots: places in dense arrays that features get, and give up again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["owns_its_slots"]

_NO_SLOT = -1


def owns_its_slots(slot: NDArray[np.int64], owner: NDArray[np.int64], used: int, seen: int) -> bool:
    """Whether the first ``used`` slots belong to features seen, and these and no others know it."""
    if not 0 <= used <= owner.size:
        return False
    owners = owner[:used]
    if used and not (owners.min() >= 0 and owners.max() < seen):
        return False
    expected = np.full(slot.size, _NO_SLOT, np.int64)
    expected[owners] = np.arange(used)
    return np.array_equal(slot, expected) and np.array_equal(slot[owners], np.arange(used))
