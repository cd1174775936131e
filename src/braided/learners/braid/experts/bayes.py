"""Bayesian logistic regression on the main view, with a diagonal covariance.

One step of Newton's method from the posterior so far (assumed density filtering); the logit is
moderated by its uncertainty, m / sqrt(1 + pi s / 8) (MacKay, Neural Computation 1992). A weight is
born with a variance that makes the prior variance of a margin about 3, however wide a row is.
"""

from __future__ import annotations

import math

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.layout import (
    BAYES_VARIANCE,
    BAYES_WEIGHT,
    BIRTH_VARIANCE,
    CHANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    SCALE,
    UNCERTAINTY,
    Experts,
    Row,
)

__all__ = ["SMALLEST_VARIANCE", "moderated", "score", "update"]

SMALLEST_VARIANCE = 1e-30
"""Rounding must not make a variance 0, which marks a weight that is not born yet."""


@compiled
def moderated(margin: float, uncertainty: float) -> float:
    """The logit of the mean probability when the margin is normal with this variance."""
    return margin / math.sqrt(1.0 + math.pi / 8.0 * uncertainty)


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """m = b + sum of w a, s = S_b + sum of S a^2, moderated"""
    weights, born = experts.weights, row.facts[BIRTH_VARIANCE]
    margin, uncertainty = 0.0, 0.0
    for i in range(columns.size):
        j, a = columns[i], row.main[i]
        variance = float(weights[j, BAYES_VARIANCE])
        margin += weights[j, BAYES_WEIGHT] * a
        uncertainty += (variance if variance > 0.0 else born) * a * a
    scale = row.facts[SCALE]
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    return moderated(own[INTERCEPT] + margin * scale, own[UNCERTAINTY])


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """w += (y - p) / (1 + h s) S a, S -= h / (1 + h s) (S a)^2 with h = p (1 - p)"""
    weights, scale, born = experts.weights, row.facts[SCALE], row.facts[BIRTH_VARIANCE]
    p = own[CHANCE]
    curvature = weight * p * (1.0 - p)
    damped = 1.0 / (1.0 + curvature * own[UNCERTAINTY])
    step = weight * (0.5 + 0.5 * label - p) * damped
    shrink = curvature * damped
    for i in range(columns.size):
        j = columns[i]
        variance = float(weights[j, BAYES_VARIANCE])
        variance = variance if variance > 0.0 else born
        moved = variance * row.main[i] * scale
        weights[j, BAYES_WEIGHT] += step * moved
        weights[j, BAYES_VARIANCE] = max(SMALLEST_VARIANCE, variance - shrink * moved * moved)
    variance = own[INTERCEPT_SPREAD]
    own[INTERCEPT] += step * variance
    own[INTERCEPT_SPREAD] = max(SMALLEST_VARIANCE, variance - shrink * variance * variance)
