"""Baselines that look at no feature: a learner that does not beat them has learned nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["BASELINES", "last_label", "majority"]

Floats = NDArray[np.float64]


def majority(signs: Floats) -> Floats:
    """The label that was more frequent so far; 0 while neither is.

    >>> majority(np.array([1.0, 1.0, -1.0, -1.0, -1.0]))
    array([0., 1., 1., 1., 0.])
    """
    before = np.concatenate(([0.0], np.cumsum(signs)[:-1])) if signs.size else signs
    return np.sign(before)


def last_label(signs: Floats) -> Floats:
    """The label of the round before; 0 in the first round.

    >>> last_label(np.array([1.0, 1.0, -1.0]))
    array([0., 1., 1.])
    """
    return np.concatenate(([0.0], signs[:-1])) if signs.size else signs


BASELINES: dict[str, Callable[[Floats], Floats]] = {
    "majority class": majority,
    "last label": last_label,
}
"""Scores of each round from the labels of the rounds before it."""
