"""Logistic regression by AdaGrad on the main view and on indicators of the bins.

As ``ratio_adagrad.py`` in its steps and as ``binned_bayes.py`` in its views.
"""

from __future__ import annotations

import math

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.experts.ratio_adagrad import FIRST_SQUARES
from braided.learners.braid.layout import (
    BINNED,
    BINNED_ADAGRAD_SQUARES,
    BINNED_ADAGRAD_WEIGHT,
    CELL_ADAGRAD_SQUARES,
    CELL_ADAGRAD_WEIGHT,
    CHANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    MAIN_SQUARES,
    NO_CELL,
    Experts,
    Row,
)

__all__ = ["score", "update"]


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """b + sum of w v + w_bin"""
    weights, cells = experts.weights, experts.cells
    margin = float(own[INTERCEPT])
    for i in range(columns.size):
        cell = row.bin[i]
        margin += weights[columns[i], BINNED_ADAGRAD_WEIGHT] * row.main[i]
        if cell != NO_CELL:
            margin += cells[cell, CELL_ADAGRAD_WEIGHT]
    return margin


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """G += gradient^2, w += rate gradient / sqrt(G)"""
    weights, cells = experts.weights, experts.cells
    error = weight * (0.5 + 0.5 * label - own[CHANCE])
    rate = 1.0 / math.sqrt(1.0 + row.facts[MAIN_SQUARES] + row.facts[BINNED])
    for i in range(columns.size):
        j, cell = columns[i], row.bin[i]
        gradient = error * row.main[i]
        squares = weights[j, BINNED_ADAGRAD_SQUARES] + gradient * gradient
        weights[j, BINNED_ADAGRAD_SQUARES] = squares
        weights[j, BINNED_ADAGRAD_WEIGHT] += rate * gradient / math.sqrt(FIRST_SQUARES + squares)
        if cell != NO_CELL:
            squares = cells[cell, CELL_ADAGRAD_SQUARES] + error * error
            cells[cell, CELL_ADAGRAD_SQUARES] = squares
            cells[cell, CELL_ADAGRAD_WEIGHT] += rate * error / math.sqrt(FIRST_SQUARES + squares)
    own[INTERCEPT_SPREAD] += error * error
    own[INTERCEPT] += rate * error / math.sqrt(FIRST_SQUARES + own[INTERCEPT_SPREAD])
