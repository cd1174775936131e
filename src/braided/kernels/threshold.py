"""The soft threshold: how a penalty on |w| makes weights exactly 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.kernels.compiled import compiled

__all__ = ["soft", "soft_all"]


@compiled
def soft(value: float, threshold: float) -> float:
    """sign(value) max(|value| - threshold, 0), without a branch that could be mispredicted."""
    return value - max(-threshold, min(value, threshold))


def soft_all(values: NDArray[np.float64], threshold: ArrayLike) -> NDArray[np.float64]:
    """The same of each value, to the last bit.

    Examples
    --------
    >>> soft_all(np.array([3.0, 0.5, -1.0, -1.5]), 1.0)
    array([ 2. ,  0. ,  0. , -0.5])
    """
    bound = np.asarray(threshold)
    thresholded: NDArray[np.float64] = values - np.maximum(-bound, np.minimum(values, bound))
    return thresholded
