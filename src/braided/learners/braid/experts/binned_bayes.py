"""Bayesian logistic regression on the main view and on indicators of the bins.

As ``bayes.py``, with one more weight for each bin, for what is not linear in the value.
"""

from __future__ import annotations

import numpy as np

from braided.compiled.jit import Floats, Index, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.experts.steps import (
    BeliefStep,
    Margin,
    bayes_logit,
    bayes_step,
    believe,
    believed,
    no_belief,
)
from braided.learners.braid.layout import (
    BINNED_BAYES_VARIANCE,
    BINNED_BAYES_WEIGHT,
    BINNED_SCALE,
    BIRTH_VARIANCE,
    CELL_BAYES_VARIANCE,
    CELL_BAYES_WEIGHT,
    NO_CELL,
    Experts,
    Value,
)

__all__ = ["EXPERT"]

MAIN = BINNED_BAYES_WEIGHT, BINNED_BAYES_VARIANCE
CELL = CELL_BAYES_WEIGHT, CELL_BAYES_VARIANCE
ONE = np.float32(1.0)


@inlined
def add(margin: Margin, experts: Experts, facts: Floats, value: Value) -> Margin:
    """m + w v + w_bin, s + S v^2 + S_bin"""
    born = facts[BIRTH_VARIANCE]
    margin = believed(margin, experts.weights, value.column, *MAIN, value.main, born)
    if value.bin != NO_CELL:
        margin = believed(margin, experts.cells, Index(value.bin), *CELL, ONE, born)
    return margin


@inlined
def logit(margin: Margin, own: Floats, facts: Floats) -> float:
    """b + m, moderated by S_b + s, when the row is scaled"""
    return bayes_logit(margin, own, facts[BINNED_SCALE])


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> BeliefStep:
    """A step of Newton's method."""
    return bayes_step(own, facts[BINNED_SCALE], facts[BIRTH_VARIANCE], label, weight)


@inlined
def learn(step: BeliefStep, experts: Experts, value: Value) -> None:
    """w += step S v, S -= shrink (S v)^2; for a bin, v = 1"""
    believe(experts.weights, value.column, *MAIN, value.main, step)
    if value.bin != NO_CELL:
        believe(experts.cells, Index(value.bin), *CELL, ONE, step)


EXPERT = Expert(
    no_belief,
    add,
    logit,
    begin,
    learn,
    linear_weight=BINNED_BAYES_WEIGHT,
    intercept_spread=1.0,
)
