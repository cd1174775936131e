"""Bayesian logistic regression on the main view and on indicators of the bins.

As ``bayes.py``, with one weight more for each bin: what a line can not say, the bins can.
"""

from __future__ import annotations

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.experts.bayes import SMALLEST_VARIANCE, moderated
from braided.learners.braid.layout import (
    BINNED_BAYES_VARIANCE,
    BINNED_BAYES_WEIGHT,
    BINNED_SCALE,
    BIRTH_VARIANCE,
    CELL_BAYES_VARIANCE,
    CELL_BAYES_WEIGHT,
    CHANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    NO_CELL,
    UNCERTAINTY,
    Experts,
    Row,
)

__all__ = ["score", "update"]


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """m = b + sum of w a + w_bin, s = S_b + sum of S a^2 + S_bin, moderated"""
    weights, cells, born = experts.weights, experts.cells, row.facts[BIRTH_VARIANCE]
    margin, uncertainty = 0.0, 0.0
    for i in range(columns.size):
        j, a, cell = columns[i], row.main[i], row.bin[i]
        variance = float(weights[j, BINNED_BAYES_VARIANCE])
        margin += weights[j, BINNED_BAYES_WEIGHT] * a
        uncertainty += (variance if variance > 0.0 else born) * a * a
        if cell != NO_CELL:
            variance = float(cells[cell, CELL_BAYES_VARIANCE])
            margin += cells[cell, CELL_BAYES_WEIGHT]
            uncertainty += variance if variance > 0.0 else born
    scale = row.facts[BINNED_SCALE]
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    return moderated(own[INTERCEPT] + margin * scale, own[UNCERTAINTY])


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """w += (y - p) / (1 + h s) S a, S -= h / (1 + h s) (S a)^2 with h = p (1 - p)"""
    weights, cells, born = experts.weights, experts.cells, row.facts[BIRTH_VARIANCE]
    scale = row.facts[BINNED_SCALE]
    p = own[CHANCE]
    curvature = weight * p * (1.0 - p)
    damped = 1.0 / (1.0 + curvature * own[UNCERTAINTY])
    step = weight * (0.5 + 0.5 * label - p) * damped
    shrink = curvature * damped
    for i in range(columns.size):
        j, cell = columns[i], row.bin[i]
        variance = float(weights[j, BINNED_BAYES_VARIANCE])
        variance = variance if variance > 0.0 else born
        moved = variance * row.main[i] * scale
        weights[j, BINNED_BAYES_WEIGHT] += step * moved
        variance -= shrink * moved * moved
        weights[j, BINNED_BAYES_VARIANCE] = max(SMALLEST_VARIANCE, variance)
        if cell != NO_CELL:
            variance = float(cells[cell, CELL_BAYES_VARIANCE])
            variance = variance if variance > 0.0 else born
            moved = variance * scale
            cells[cell, CELL_BAYES_WEIGHT] += step * moved
            variance -= shrink * moved * moved
            cells[cell, CELL_BAYES_VARIANCE] = max(SMALLEST_VARIANCE, variance)
    variance = own[INTERCEPT_SPREAD]
    own[INTERCEPT] += step * variance
    own[INTERCEPT_SPREAD] = max(SMALLEST_VARIANCE, variance - shrink * variance * variance)
