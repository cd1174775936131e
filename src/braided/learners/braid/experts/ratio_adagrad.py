"""Logistic regression on ratios by AdaGrad (Duchi, Hazan and Singer, JMLR 2011).

The step is divided by the length of the row, so that it does not depend on how many features there
are. The ratio is the view for counts and for features that are absent when they are zero.
"""

from __future__ import annotations

import math

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.layout import (
    CHANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    RATIO_SQUARES,
    RATIO_SQUARES_SUM,
    RATIO_WEIGHT,
    Experts,
    Row,
)

__all__ = ["FIRST_SQUARES", "score", "update"]

FIRST_SQUARES = 0.01
"""What the sum of squared gradients begins with: first steps are long, but not without limit."""


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """b + sum of w u"""
    weights = experts.weights
    margin = float(own[INTERCEPT])
    for i in range(columns.size):
        margin += weights[columns[i], RATIO_WEIGHT] * row.ratio[i]
    return margin


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """G += gradient^2, w += rate gradient / sqrt(G)"""
    weights = experts.weights
    error = weight * (0.5 + 0.5 * label - own[CHANCE])
    rate = 1.0 / math.sqrt(1.0 + row.facts[RATIO_SQUARES_SUM])
    for i in range(columns.size):
        j = columns[i]
        gradient = error * row.ratio[i]
        squares = weights[j, RATIO_SQUARES] + gradient * gradient
        weights[j, RATIO_SQUARES] = squares
        weights[j, RATIO_WEIGHT] += rate * gradient / math.sqrt(FIRST_SQUARES + squares)
    own[INTERCEPT_SPREAD] += error * error
    own[INTERCEPT] += rate * error / math.sqrt(FIRST_SQUARES + own[INTERCEPT_SPREAD])
