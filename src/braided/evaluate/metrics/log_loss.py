"""Log loss: how surprising labels are to those who gave them probabilities, in nats."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import cached

__all__ = ["mean_surprise_of_odds", "surprise"]

Floats = NDArray[np.float64]

LEAST = float(np.finfo(np.float64).tiny)
"""Nobody is taken to have given a label less than this probability."""

LARGEST = -math.log(LEAST)

AT_ONCE = 512
"""Factors from 1 to 2 that are multiplied before a logarithm is taken of all."""


def surprise(signs: NDArray[Any], probabilities: NDArray[Any]) -> Floats:
    """The -log(probability given to the label) of each round; NaN gave it none."""
    of_label = np.where(signs > 0, probabilities, 1 - probabilities)
    lost: Floats = -np.log(np.where(of_label > LEAST, of_label, LEAST))
    return lost


@cached
def mean_surprise_of_odds(signs: Floats, log_odds: Floats) -> float:
    """The mean of log(1 + exp(-sign log_odds)) over rounds; NaN gave the label nothing.

    >>> mean_surprise_of_odds(np.array([1.0, -1.0]), np.array([0.0, 0.0])) == math.log(2.0)
    True
    """
    total, product = 0.0, 1.0
    for t in range(signs.size):
        margin = signs[t] * log_odds[t]
        if margin >= -LARGEST:  # log(1 + e^-m) = max(0, -m) + log(1 + e^-|m|)
            total -= min(margin, 0.0)
            product *= 1.0 + math.exp(-abs(margin))
        else:  # or NaN
            total += LARGEST
        if t % AT_ONCE == 0:
            total += math.log(product)
            product = 1.0
    return (total + math.log(product)) / signs.size if signs.size else math.nan
