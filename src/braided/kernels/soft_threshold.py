"""The soft threshold: how a penalty on |w| makes weights exactly 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.compiled.jit import cached, compiled

__all__ = ["count_beyond", "hidden", "raised", "soft", "soft_all"]


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
    cut: NDArray[np.float64] = np.minimum(values, bound)  # one array: there may be many features
    np.maximum(-bound, cut, out=cut)
    np.subtract(values, cut, out=cut)
    return cut


def count_beyond(values: NDArray[np.float64], threshold: ArrayLike) -> int:
    """Count the values that a threshold does not cut to zero.

    Examples
    --------
    >>> count_beyond(np.array([3.0, 0.5, -1.0, -1.5]), 1.0)
    2
    """
    bound = np.asarray(threshold, np.float64)
    if bound.ndim == 0:
        return int(_count_beyond_one(values, bound.item()))
    return int(_count_beyond_own(values, bound))


@cached
def _count_beyond_one(values: NDArray[np.float64], threshold: float) -> int:
    count = 0
    for value in values:
        count += abs(value) > threshold
    return count


@cached
def _count_beyond_own(values: NDArray[np.float64], threshold: NDArray[np.float64]) -> int:
    count = 0
    for i in range(values.size):
        count += abs(values[i]) > threshold[i]
    return count


def hidden(values: NDArray[np.float64], threshold: ArrayLike) -> NDArray[np.float64]:
    """What a threshold takes from each value, as a share of the threshold, from -1 to 1."""
    bound = np.broadcast_to(threshold, values.shape)
    shares = np.divide(values, bound, out=np.zeros_like(values), where=bound > 0.0)
    clipped: NDArray[np.float64] = np.clip(shares, -1.0, 1.0)
    return clipped


def raised(
    weights: NDArray[np.float64], threshold: ArrayLike, hidden: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Values that the threshold turns into these weights; where they are 0, with what it hides.

    Examples
    --------
    >>> raised(np.array([2.0, 0.0, -0.5]), 1.0, np.array([1.0, 0.25, 1.0]))
    array([ 3.  ,  0.25, -1.5 ])
    """
    share = np.where(weights == 0.0, hidden, np.sign(weights))
    values: NDArray[np.float64] = weights + share * np.asarray(threshold)
    return values
