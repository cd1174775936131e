"""Logistic regression by AdaGrad on the main view and on indicators of the bins.

The steps are those of ``ratio_adagrad.py``, the views those of ``binned_bayes.py``.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, inlined
from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.experts.steps import GradientStep, adagrad, adagrad_step, no_margin
from braided.learners.braid.layout import (
    BINNED,
    BINNED_ADAGRAD_SQUARES,
    BINNED_ADAGRAD_WEIGHT,
    CELL_ADAGRAD_SQUARES,
    CELL_ADAGRAD_WEIGHT,
    INTERCEPT,
    MAIN_SQUARES,
    NO_CELL,
    Experts,
    Value,
)

__all__ = ["EXPERT"]


@inlined
def add(margin: float, experts: Experts, facts: Floats, value: Value) -> float:
    """m + w v + w_bin"""
    margin += np.float64(experts.weights[value.column, BINNED_ADAGRAD_WEIGHT]) * value.main
    if value.bin != NO_CELL:
        margin += np.float64(experts.cells[Index(value.bin), CELL_ADAGRAD_WEIGHT])
    return margin


@inlined
def logit(margin: float, own: Floats, facts: Floats) -> float:
    """b + m"""
    return float(own[INTERCEPT] + margin)


@inlined
def begin(own: Floats, facts: Floats, label: float, weight: float) -> GradientStep:
    """A step with the rate 1 / length of the row, with its bins."""
    rate = 1.0 / math.sqrt(1.0 + facts[MAIN_SQUARES] + facts[BINNED])
    return adagrad_step(own, rate, label, weight)


@inlined
def learn(step: GradientStep, experts: Experts, value: Value) -> None:
    """The gradient is error v, that of a bin is the error."""
    error, rate = step
    gradient, table = error * value.main, experts.weights
    adagrad(table, value.column, BINNED_ADAGRAD_WEIGHT, BINNED_ADAGRAD_SQUARES, gradient, rate)
    if value.bin != NO_CELL:
        table, cell = experts.cells, Index(value.bin)
        adagrad(table, cell, CELL_ADAGRAD_WEIGHT, CELL_ADAGRAD_SQUARES, error, rate)


EXPERT = Expert(no_margin, add, logit, begin, learn, linear_weight=BINNED_ADAGRAD_WEIGHT)
