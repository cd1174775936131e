"""Logistic regression on ratios by AdaGrad (Duchi, Hazan and Singer, JMLR 2011).

The step is divided by the length of the row, so that it does not depend on how many features there
are. The ratio is the view for counts and for features that are absent when they are zero.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.experts.steps import GradientStep, adagrad, adagrad_step, no_margin
from braided.learners.braid.layout import (
    INTERCEPT,
    RATIO_SQUARES,
    RATIO_SQUARES_SUM,
    RATIO_WEIGHT,
    Experts,
    Value,
)

__all__ = ["EXPERT"]


@inlined
def add(margin: float, experts: Experts, facts: Floats, value: Value) -> float:
    """m + w u"""
    margin += np.float64(experts.weights[value.column, RATIO_WEIGHT]) * value.ratio
    return margin


@inlined
def logit(margin: float, own: Floats, facts: Floats) -> float:
    """b + m"""
    return float(own[INTERCEPT] + margin)


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> GradientStep:
    """A step with the rate 1 / length of the row."""
    return adagrad_step(own, 1.0 / math.sqrt(1.0 + facts[RATIO_SQUARES_SUM]), label, weight)


@inlined
def learn(step: GradientStep, experts: Experts, value: Value) -> None:
    """The gradient is error u."""
    error, rate = step
    gradient = error * value.ratio
    adagrad(experts.weights, value.column, RATIO_WEIGHT, RATIO_SQUARES, gradient, rate)


EXPERT = Expert(no_margin, add, logit, begin, learn, linear_weight=RATIO_WEIGHT)
