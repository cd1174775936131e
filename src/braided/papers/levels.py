"""Curves against sparsity: penalties lead to levels of it that no one chooses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["at_levels"]


def at_levels(levels: Sequence[float], path: Sequence[tuple[float, float]]) -> list[float]:
    """The height where a path of (sparsity, height) first comes to each level.

    Heights lie on straight lines between the points of the path; beyond its sparsest point they are
    NaN. Sparsity may fall for a step; only what is sparser than all before leads on.

    >>> at_levels([0.0, 15.0, 30.0], [(10.0, 1.0), (5.0, 9.0), (20.0, 2.0)])
    [1.0, 1.5, nan]
    """
    rising = [path[0]]
    for point in path:
        if point[0] > rising[-1][0]:
            rising.append(point)
    sparsities, heights = (list(each) for each in zip(*rising, strict=True))
    return [float(h) for h in np.interp(list(levels), sparsities, heights, right=np.nan)]
