"""The two kinds of steps of experts: AdaGrad, and updates of a Gaussian belief.

Both change numbers of one record of a table, in single precision. What is computed once for a row
(the error, the step size) is a small tuple, its step.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Whole, inlined
from braided.learners.braid.layout import (
    CHANCE,
    INTERCEPT,
    INTERCEPT_SPREAD,
    UNCERTAINTY,
    Single,
    Singles,
)

__all__ = [
    "FIRST_SQUARES",
    "SMALLEST_VARIANCE",
    "BeliefStep",
    "GradientStep",
    "Margin",
    "adagrad",
    "adagrad_step",
    "bayes_logit",
    "bayes_step",
    "believe",
    "believed",
    "no_belief",
    "no_margin",
]

FIRST_SQUARES = 0.01
"""The sum of squared gradients at the beginning: first steps are long, but limited."""

SMALLEST_VARIANCE = 1e-30
"""Rounding must not make a variance 0, which means that there is no weight yet."""

_FIRST_SQUARES, _SMALLEST_VARIANCE = np.float32(FIRST_SQUARES), np.float32(SMALLEST_VARIANCE)

GradientStep = tuple[Single, Single]
"""error, rate"""

BeliefStep = tuple[Single, Single, Single]
"""step, shrink, and the variance of new weights"""

Margin = tuple[float, float]
"""The mean of a margin, and its variance."""


@inlined
def no_margin(own: Floats) -> float:
    """The margin before the first value."""
    return 0.0


@inlined
def no_belief(own: Floats) -> Margin:
    """Mean and variance of a margin before the first value."""
    return 0.0, 0.0


# ------------------------------------------------------------------------------- AdaGrad


@inlined
def adagrad_step(own: Floats, rate: float, label: float, weight: float) -> GradientStep:
    """Return the step of a row, and update the intercept."""
    error = weight * (0.5 + 0.5 * label - own[CHANCE])
    own[INTERCEPT_SPREAD] += error * error
    own[INTERCEPT] += rate * error / math.sqrt(FIRST_SQUARES + own[INTERCEPT_SPREAD])
    return np.float32(error), np.float32(rate)


@inlined
def adagrad(
    table: Singles, record: Whole, w: int, squares: int, gradient: Single, rate: Single
) -> None:
    """G += gradient^2, w += rate gradient / sqrt(G)"""
    total = table[record, squares] + gradient * gradient
    table[record, squares] = total
    table[record, w] += rate * gradient / math.sqrt(_FIRST_SQUARES + total)


# ---------------------------------------------------------------- diagonal Gaussian beliefs


@inlined
def believed(
    margin: Margin, table: Singles, record: Whole, w: int, variance: int, a: Single, born: float
) -> Margin:
    """m + w a, s + S a^2"""
    mean, uncertainty = margin
    value, kept = np.float64(a), np.float64(table[record, variance])
    square = (kept if kept > 0.0 else born) * (value * value)
    return mean + np.float64(table[record, w]) * value, uncertainty + square


@inlined
def bayes_logit(margin: Margin, own: Floats, scale: float) -> float:
    """Return the logit of the mean probability, with a normal margin of the scaled row."""
    mean, uncertainty = margin
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    moderation = math.sqrt(1.0 + math.pi / 8.0 * own[UNCERTAINTY])
    return float((own[INTERCEPT] + mean * scale) / moderation)


@inlined
def bayes_step(own: Floats, scale: float, born: float, label: float, weight: float) -> BeliefStep:
    """Return (y - p) / (1 + h s) and h / (1 + h s), h = p (1 - p), and update the intercept.

    The step is multiplied by ``scale``, instead of the values.
    """
    p = own[CHANCE]
    curvature = weight * p * (1.0 - p)
    damped = 1.0 / (1.0 + curvature * own[UNCERTAINTY])
    step, shrink = weight * (0.5 + 0.5 * label - p) * damped, curvature * damped
    kept = own[INTERCEPT_SPREAD]
    own[INTERCEPT] += step * kept
    own[INTERCEPT_SPREAD] = max(SMALLEST_VARIANCE, kept - shrink * kept * kept)
    return np.float32(step * scale), np.float32(shrink * scale * scale), np.float32(born)


@inlined
def believe(
    table: Singles, record: Whole, w: int, variance: int, a: Single, belief_step: BeliefStep
) -> None:
    """w += step S a, S -= shrink (S a)^2"""
    step, shrink, born = belief_step
    kept = table[record, variance]
    kept = kept if kept > 0.0 else born
    moved = kept * a
    table[record, w] += step * moved
    table[record, variance] = max(_SMALLEST_VARIANCE, kept - shrink * moved * moved)
