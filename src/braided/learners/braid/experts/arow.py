"""AROW (Crammer, Kulesza and Dredze, NIPS 2009) on the main view, with a diagonal covariance.

Adaptive regularisation of weights with the squared hinge loss. Unlike in the paper, a variance that
shrank grows a little at each step: this is the expert for streams that change.
"""

from __future__ import annotations

import numpy as np

from braided.compiled.jit import Floats, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.experts.steps import SMALLEST_VARIANCE, Margin, believed, no_belief
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
    Single,
    Value,
)

__all__ = ["EXPERT"]

PLASTICITY = 0.001
"""The share of its loss that a variance regains at each step."""

_PLASTICITY, _SMALLEST_VARIANCE = np.float32(PLASTICITY), np.float32(SMALLEST_VARIANCE)

Step = tuple[bool, Single, Single, Single]
"""Whether there is a step, step, shrink, and the variance of new weights."""


@inlined
def add(margin: Margin, experts: Experts, facts: Floats, value: Value) -> Margin:
    """m + w v, s + S v^2"""
    weights, born = experts.weights, facts[BIRTH_VARIANCE]
    return believed(margin, weights, value.column, AROW_WEIGHT, AROW_VARIANCE, value.main, born)


@inlined
def logit(margin: Margin, own: Floats, facts: Floats) -> float:
    """b + m, when the row is scaled"""
    (mean, uncertainty), scale = margin, facts[SCALE]
    own[MARGIN] = own[INTERCEPT] + mean * scale
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    return float(own[MARGIN])


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> Step:
    """If y m < 1: (y - m) / (1 + s) and 1 / (1 + s); the intercept makes the step at once."""
    wrong = label * own[MARGIN] < 1.0
    shrink = 1.0 / (1.0 / weight + own[UNCERTAINTY])
    step = (label - own[MARGIN]) * shrink
    if wrong:
        kept = own[INTERCEPT_SPREAD]
        own[INTERCEPT] += step * kept
        kept = max(SMALLEST_VARIANCE, kept - shrink * kept * kept)
        own[INTERCEPT_SPREAD] = kept + PLASTICITY * (1.0 - kept)
    scale, born = facts[SCALE], np.float32(facts[BIRTH_VARIANCE])
    return wrong, np.float32(step * scale), np.float32(shrink * scale * scale), born


@inlined
def learn(arow_step: Step, experts: Experts, value: Value) -> None:
    """w += step S v, S -= shrink (S v)^2, S += .001 (S_birth - S)"""
    wrong, step, shrink, born = arow_step
    weights, j = experts.weights, value.column
    if weights[j, AROW_VARIANCE] == 0.0:
        weights[j, AROW_VARIANCE] = weights[j, AROW_BIRTH] = born
    if wrong and value.main != 0.0:
        kept = weights[j, AROW_VARIANCE]
        moved = kept * value.main
        kept = max(_SMALLEST_VARIANCE, kept - shrink * moved * moved)
        weights[j, AROW_WEIGHT] += step * moved
        weights[j, AROW_VARIANCE] = kept + _PLASTICITY * (weights[j, AROW_BIRTH] - kept)


EXPERT = Expert(
    no_belief, add, logit, begin, learn, linear_weight=AROW_WEIGHT, intercept_spread=1.0
)
