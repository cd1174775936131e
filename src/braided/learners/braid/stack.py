"""The stack: Bayesian logistic regression on the experts' logits, with a full covariance.

Its inputs are the logits (limited to 4 and -4), an intercept and, if labels are remembered, the
last label and the mean of about the last 32. It begins as the mean of the experts. Exponential
weights can only choose among experts; the stack combines them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, inlined
from braided.learners.braid.experts.all_experts import NAMES

__all__ = [
    "LARGEST_LOGIT",
    "Stack",
    "learn_stack",
    "new_stack",
    "no_stack",
    "remember_label",
    "stack_logit",
    "stack_sum",
]

BESIDES = 3
"""Inputs besides the logits of experts: an intercept and two of remembered labels."""

LARGEST_LOGIT = 4.0
"""Larger logits are limited to this, so that an expert that is sure and wrong does not decide."""

VARIANCE = 0.03
INTERCEPT_VARIANCE = 0.003
DRIFT = 1e-5
"""How much every variance grows in a round, so that the stack never stops learning."""

LEAST_CURVATURE = 0.001
MEMORY = 32.0
"""About how many rounds are in the mean of labels."""


class Stack(NamedTuple):
    """Weights and covariance; ``inputs`` and ``moved`` are buffers."""

    weight: NDArray[np.float64]
    covariance: NDArray[np.float64]
    labels: NDArray[np.float64]  # the last one, and the mean of recent ones
    inputs: NDArray[np.float64]
    moved: NDArray[np.float64]


def new_stack(used: Sequence[bool] = (True,) * len(NAMES)) -> Stack:
    """Make a stack that is the mean of the experts that are used; the others never count."""
    size = len(used) + BESIDES
    variance = np.full(size, VARIANCE)
    variance[len(used)] = INTERCEPT_VARIANCE
    variance[: len(used)][~np.array(used, np.bool_)] = 0.0
    weight = np.zeros(size)
    weight[: len(used)] = np.array(used) / max(1, sum(used))
    return Stack(
        weight=weight,
        covariance=np.diag(variance),
        labels=np.zeros(2),
        inputs=np.zeros(size),
        moved=np.zeros(size),
    )


def no_stack() -> Stack:
    """Make a stack without any room."""
    none = np.zeros(0)
    return Stack(none, np.zeros((0, 0)), none.copy(), none.copy(), none.copy())


@inlined
def stack_logit(stack: Stack, logits: Floats, label_memory: bool) -> float:
    """w.g, with g = (limited logits, 1, last label, mean of recent labels)"""
    inputs, last = stack.inputs, stack.weight.size - BESIDES
    for e in range(last):
        inputs[e] = max(-LARGEST_LOGIT, min(LARGEST_LOGIT, logits[e]))
    inputs[last] = 1.0
    inputs[last + 1] = stack.labels[0] if label_memory else 0.0
    inputs[last + 2] = stack.labels[1] if label_memory else 0.0
    return stack_sum(stack)


@inlined
def stack_sum(stack: Stack) -> float:
    """w.g of the present row"""
    logit = 0.0
    for e in range(stack.weight.size):
        logit += stack.weight[e] * stack.inputs[e]
    return logit


@inlined
def learn_stack(stack: Stack, p: float, label: float, weight: float) -> None:
    """w += (y - p) / (1 + h s) S g, S -= h / (1 + h s) S g g'S, s = g'S g"""
    inputs, moved, covariance = stack.inputs, stack.moved, stack.covariance
    size = stack.weight.size
    moved[:] = 0.0
    for e in range(size):
        for f in range(size):
            moved[f] += covariance[e, f] * inputs[e]
    uncertainty = 0.0
    for e in range(size):
        uncertainty += inputs[e] * moved[e]
    curvature = weight * max(p * (1.0 - p), LEAST_CURVATURE)
    damped = 1.0 / (1.0 + curvature * uncertainty)
    step, shrink = weight * (0.5 + 0.5 * label - p) * damped, curvature * damped
    for e in range(size):
        stack.weight[e] += step * moved[e]
        for f in range(size):
            covariance[e, f] -= shrink * moved[e] * moved[f]
        covariance[e, e] += DRIFT if covariance[e, e] > 0.0 else 0.0


@inlined
def remember_label(stack: Stack, label: float, rounds: float) -> None:
    """Remember a label; ``rounds`` includes its own."""
    stack.labels[0] = label
    stack.labels[1] += (label - stack.labels[1]) / min(rounds + 1.0, MEMORY)
