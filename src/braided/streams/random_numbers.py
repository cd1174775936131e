"""Random numbers that are the same in every version of NumPy, with one source for each purpose."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draws", "Purpose"]


class Purpose(IntEnum):
    """What numbers are drawn for. Streams depend on these values: never change them."""

    ORDER = 0
    SHARES = 1
    ROUNDING = 2
    LOSSES = 3
    MOMENTS = 4
    SOURCE = 5
    NOISE = 6
    MAPS = 7


class Draws:
    """Random numbers for one purpose and one seed, however many are drawn at a time.

    NumPy promises that the words of a bit generator and of a ``SeedSequence`` never change, but not
    the numbers that ``Generator`` makes of them. So the words are turned into numbers here.

    Parameters
    ----------
    seed : int, at least 0
        The seed.
    purpose : Purpose
        What the numbers are for.

    Examples
    --------
    >>> together = Draws(7, Purpose.SHARES).uniform(5)
    >>> draws = Draws(7, Purpose.SHARES)
    >>> bool((np.concatenate((draws.uniform(2), draws.uniform(3))) == together).all())
    True
    """

    def __init__(self, seed: int, purpose: Purpose) -> None:
        # The child number ``purpose`` of SeedSequence(seed).spawn.
        child = np.random.SeedSequence(int(seed), spawn_key=(int(purpose),))
        self._bits = np.random.PCG64(child)

    def uniform(self, count: int) -> NDArray[np.float64]:
        """The next numbers of [0, 1)."""
        return (self._words(count) >> np.uint64(11)) * np.float64(2.0**-53)

    def normal(self, *shape: int) -> NDArray[np.float64]:
        """The next numbers of the standard normal distribution, in an array of this shape."""
        from scipy.special import ndtri

        # Inversion needs one uniform number each; half a step keeps it above 0.
        uniform = self.uniform(math.prod(shape)) + 2.0**-54
        numbers: NDArray[np.float64] = ndtri(uniform).reshape(shape)
        return numbers

    def order(self, count: int) -> NDArray[np.int64]:
        """The numbers below ``count``, shuffled."""
        return np.argsort(self._words(count), kind="stable").astype(np.int64, copy=False)

    def _words(self, count: int) -> NDArray[np.uint64]:
        words: NDArray[np.uint64] = self._bits.random_raw(count)
        return words
