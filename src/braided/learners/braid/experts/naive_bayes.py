"""Naive Bayes on the bins, or on presence while a feature has none.

With pi the share of positive labels and n1, n0 the positive and negative labels of a bin::

    logit = log(pi / (1 - pi)) + sum of log((n1 + pi) / (n0 + 1 - pi)) - log(pi / (1 - pi))

where a bin without labels is left out. It has no step size and learns in one pass, which suits long
texts of rare words.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.layout import (
    CELL_NEGATIVE,
    CELL_POSITIVE,
    NO_CELL,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    Experts,
    Single,
    Value,
)

__all__ = ["EXPERT"]

NEGATIVES, POSITIVES = 0, 1  # of all rows, in ``own``

AT_ONCE = 8
"""How many ratios are multiplied before one logarithm is taken, which costs more than all else."""

Odds = tuple[float, float, float, int, float]
"""The logarithms so far; numerator and denominator without logarithm; the number of terms; pi."""

Count = tuple[int, Single]
"""The label (0 or 1) that is counted, and the weight."""


@inlined
def no_odds(own: Floats) -> Odds:
    """Before the first value."""
    positive = (own[POSITIVES] + 0.5) / (own[NEGATIVES] + own[POSITIVES] + 1.0)
    return 0.0, 1.0, 1.0, 0, positive


@inlined
def add(odds: Odds, experts: Experts, facts: Floats, value: Value) -> Odds:
    """Times (n1 + pi) / (n0 + 1 - pi)"""
    logs, above, below, terms, positive = odds
    if value.cell == NO_CELL:
        n0 = np.float64(experts.weights[value.column, PRESENT_NEGATIVE])
        n1 = np.float64(experts.weights[value.column, PRESENT_POSITIVE])
    else:
        n0 = np.float64(experts.cells[Index(value.cell), CELL_NEGATIVE])
        n1 = np.float64(experts.cells[Index(value.cell), CELL_POSITIVE])
    if n0 + n1 > 0.0:
        above *= n1 + positive
        below *= n0 + (1.0 - positive)
        terms += 1
        if terms % AT_ONCE == 0:
            logs += math.log(above / below)
            above = below = 1.0
    return logs, above, below, terms, positive


@inlined
def logit(odds: Odds, own: Floats, facts: Floats) -> float:
    """The log odds of the labels seen in these bins."""
    logs, above, below, terms, positive = odds
    return logs + math.log(above / below) + (1 - terms) * math.log(positive / (1.0 - positive))


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> Count:
    """Count the row."""
    side = 1 if label > 0.0 else 0
    own[NEGATIVES + side] += weight
    return side, np.float32(weight)


@inlined
def learn(count: Count, experts: Experts, value: Value) -> None:
    """Count the value."""
    side, weight = count
    if value.cell == NO_CELL:
        experts.weights[value.column, Index(PRESENT_NEGATIVE + side)] += weight
    else:
        experts.cells[Index(value.cell), Index(CELL_NEGATIVE + side)] += weight


EXPERT = Expert(no_odds, add, logit, begin, learn)
