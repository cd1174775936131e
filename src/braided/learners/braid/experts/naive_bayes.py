"""Naive Bayes on the bins, or on presence while a feature has none.

With pi the share of positive labels and n1, n0 the positive and negative labels of a bin::

    logit = log(pi / (1 - pi)) + sum of log((n1 + pi) / (n0 + 1 - pi)) - log(pi / (1 - pi))

where a bin without any label is left out. It needs no step and no passes, which is what long texts
of rare words want.
"""

from __future__ import annotations

import math

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.layout import (
    CELL_NEGATIVE,
    CELL_POSITIVE,
    NO_CELL,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    Experts,
    Row,
)

__all__ = ["score", "update"]

NEGATIVES, POSITIVES = 0, 1  # of all rows, in ``own``

AT_ONCE = 8
"""Ratios that are multiplied before a logarithm is taken: it costs more than all else here."""


@compiled
def score(experts: Experts, own: Floats, row: Row, columns: Ints) -> float:
    """The log odds of the labels seen in these bins."""
    weights, cells = experts.weights, experts.cells
    positive = (own[POSITIVES] + 0.5) / (own[NEGATIVES] + own[POSITIVES] + 1.0)
    negative = 1.0 - positive
    prior = math.log(positive / negative)
    logit, above, below, terms = 0.0, 1.0, 1.0, 0
    for i in range(columns.size):
        cell = row.cell[i]
        if cell == NO_CELL:
            n0 = float(weights[columns[i], PRESENT_NEGATIVE])
            n1 = float(weights[columns[i], PRESENT_POSITIVE])
        else:
            n0, n1 = float(cells[cell, CELL_NEGATIVE]), float(cells[cell, CELL_POSITIVE])
        if n0 + n1 > 0.0:
            above *= n1 + positive
            below *= n0 + negative
            terms += 1
            if terms % AT_ONCE == 0:
                logit += math.log(above / below)
                above = below = 1.0
    return logit + math.log(above / below) + (1 - terms) * prior


@compiled
def update(
    experts: Experts, own: Floats, row: Row, columns: Ints, label: float, weight: float
) -> None:
    """Count."""
    side = 1 if label > 0.0 else 0
    for i in range(columns.size):
        cell = row.cell[i]
        if cell == NO_CELL:
            experts.weights[columns[i], PRESENT_NEGATIVE + side] += weight
        else:
            experts.cells[cell, CELL_NEGATIVE + side] += weight
    own[NEGATIVES + side] += weight
