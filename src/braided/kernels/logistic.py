"""The logistic function and loss, for scores of any size."""

from __future__ import annotations

import math

from braided.compiled.jit import compiled

__all__ = ["logistic_loss", "pull", "sigmoid"]


@compiled
def pull(label: float, score: float) -> float:
    """Minus the derivative of the logistic loss: y sigmoid(-y score)."""
    return label / (1.0 + math.exp(label * score))


@compiled
def sigmoid(z: float) -> float:
    """1 / (1 + exp(-z))"""
    return 1.0 / (1.0 + math.exp(-z))


@compiled
def logistic_loss(margin: float) -> float:
    """log(1 + exp(-margin)), without overflow."""
    return max(0.0, -margin) + math.log1p(math.exp(-abs(margin)))
