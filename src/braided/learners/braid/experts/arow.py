"""AROW (Crammer, Kulesza and Dredze, NIPS 2009) on the main view, diagonal, and plastic.

Adaptive regularisation of weights, the hinge loss taken squared. A variance that shrank comes back
a little at each touch: this is the expert for streams that change.
"""

from __future__ import annotations

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.experts.bayes import SMALLEST_VARIANCE
from braided.learners.braid.layout import (
    AROW_BIRTH,
    AROW_VARIANCE,
    AROW_WEIGHT,
    BIRTH_VARIANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    MARGIN,
    SCALE,
    UNCERTAINTY,
    Experts,
    Row,
)

__all__ = ["score", "update"]

PLASTICITY = 0.001
"""How much of what a variance has lost comes back at each touch."""


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """m = b + sum of w a, s = S_b + sum of S a^2"""
    weights, born = experts.weights, row.facts[BIRTH_VARIANCE]
    margin, uncertainty = 0.0, 0.0
    for i in range(columns.size):
        j, a = columns[i], row.main[i]
        variance = float(weights[j, AROW_VARIANCE])
        margin += weights[j, AROW_WEIGHT] * a
        uncertainty += (variance if variance > 0.0 else born) * a * a
    scale = row.facts[SCALE]
    own[MARGIN] = own[INTERCEPT] + margin * scale
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    return float(own[MARGIN])


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """If y m < 1: w += (y - m) / (1 + s) S a, S -= (S a)^2 / (1 + s), S += .001 (S_birth - S)"""
    weights, born, main = experts.weights, row.facts[BIRTH_VARIANCE], row.main
    wrong = label * own[MARGIN] < 1.0
    scale, shrink = row.facts[SCALE], 1.0 / (1.0 / weight + own[UNCERTAINTY])
    step = (label - own[MARGIN]) * shrink
    for i in range(columns.size):
        j = columns[i]
        variance = float(weights[j, AROW_VARIANCE])
        if variance == 0.0:
            variance = born
            weights[j, AROW_VARIANCE] = weights[j, AROW_BIRTH] = born
        if wrong and main[i] != 0.0:
            moved = variance * main[i] * scale
            variance = max(SMALLEST_VARIANCE, variance - shrink * moved * moved)
            weights[j, AROW_WEIGHT] += step * moved
            weights[j, AROW_VARIANCE] = variance + PLASTICITY * (weights[j, AROW_BIRTH] - variance)
    if wrong:
        variance = own[INTERCEPT_SPREAD]
        own[INTERCEPT] += step * variance
        variance = max(SMALLEST_VARIANCE, variance - shrink * variance * variance)
        own[INTERCEPT_SPREAD] = variance + PLASTICITY * (1.0 - variance)
