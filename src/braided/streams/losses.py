"""Which entries of a row are lost, when it is known how many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import cached

__all__ = ["kept"]


@cached
def kept(
    indptr: NDArray[np.int64], lost: NDArray[np.float64], uniforms: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mark the entries that stay when row t loses ``lost[t]`` of its entries.

    Selection sampling (Knuth, TAOCP 2, 3.4.2, Algorithm S): of r entries that are left, of which
    m must go, the next one goes with probability m / r. So every choice of entries is equally
    likely, at one number of [0, 1) per entry and without sorting.
    """
    keep = np.ones(uniforms.size, np.bool_)
    for row in range(lost.size):
        to_lose = lost[row]
        stop = indptr[row + 1]
        for entry in range(indptr[row], stop):
            if uniforms[entry] * (stop - entry) < to_lose:
                keep[entry] = False
                to_lose -= 1
    return keep
