"""The two ways in which experts move their weights: AdaGrad's, and that of a Gaussian belief.

Both work on the fields of one record of a table, in single precision, as records are kept. What a
row decides once (how wrong the expert was, how far to go) comes in a small tuple, its step.
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
"""What a sum of squared gradients begins with: first steps are long, but not without limit."""

SMALLEST_VARIANCE = 1e-30
"""Rounding must not make a variance 0, which marks a weight that is not born yet."""

_FIRST_SQUARES, _SMALLEST_VARIANCE = np.float32(FIRST_SQUARES), np.float32(SMALLEST_VARIANCE)

GradientStep = tuple[Single, Single]
"""error, rate"""

BeliefStep = tuple[Single, Single, Single]
"""step, shrink, and the variance of weights that are born now"""

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
    """The step of a row; the intercept makes it at once."""
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
    """The logit of the mean probability, when the margin of a scaled row is normal."""
    mean, uncertainty = margin
    own[UNCERTAINTY] = own[INTERCEPT_SPREAD] + uncertainty * scale * scale
    moderation = math.sqrt(1.0 + math.pi / 8.0 * own[UNCERTAINTY])
    return float((own[INTERCEPT] + mean * scale) / moderation)


@inlined
def bayes_step(own: Floats, scale: float, born: float, label: float, weight: float) -> BeliefStep:
    """(y - p) / (1 + h s) and h / (1 + h s) with h = p (1 - p); the intercept makes it at once.

    Values were to be multiplied by ``scale``: the step is, instead.
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
