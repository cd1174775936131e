"""What counts as a mistake: the one place that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.errors import InputError

__all__ = ["mistakes"]


def mistakes(labels: ArrayLike, scores: ArrayLike) -> int:
    """In how many rounds ``label * score > 0`` does not hold, for labels -1 and +1.

    A score of 0 has not decided, so it is a mistake; the papers count it so too. A score that is
    NaN is a mistake as well, which is why the test is not ``label * score <= 0``: NaN would pass.

    Examples
    --------
    >>> mistakes([1, 1, -1, -1], [0.5, 0.0, float("nan"), -2.0])
    2
    """
    signs: NDArray[Any] = np.asarray(labels)
    given: NDArray[Any] = np.asarray(scores)
    if signs.shape != given.shape:
        # NumPy would stretch one of the two to the other's shape and count nonsense.
        raise InputError(f"{signs.shape} labels for {given.shape} scores: expected one for each")
    if not (np.abs(signs) == 1).all():
        raise InputError("labels must be the signs -1 and +1")
    return int(np.count_nonzero(~(signs * given > 0)))
