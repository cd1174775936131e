"""Adaptive steps: a row is divided by its length, and every feature has a step of its own.

Duchi, Hazan and Singer, "Adaptive Subgradient Methods", JMLR 12, 2011, with 1 under the root. For
the gradient g of a row x::

    s_j = s_j + (g_j / |x|)^2
    w_j = w_j - step (g_j / |x|) / sqrt(1 + s_j)

Thus a feature that appears late learns as fast as the first ones did, and a row with few observed
features teaches as much as a complete one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, compiled

__all__ = ["adaptive_move", "adaptive_step", "for_unit_length", "squares_if"]


def squares_if(adaptive: bool, room: int) -> NDArray[np.float64]:
    """Zeros for s_j; empty where steps do not adapt."""
    return np.zeros(room if adaptive else 0)


@compiled
def for_unit_length(pull: float, square: float) -> float:
    """The factor of a row's values that makes its gradient that of a row of length 1."""
    return pull / math.sqrt(square) if square > 0.0 else 0.0


@compiled
def adaptive_step(step: float, uphill: float, squares: float) -> float:
    """How far a weight moves; ``squares`` is the sum of its squared gradients, with this one."""
    return step * uphill / math.sqrt(1.0 + squares)


@compiled
def adaptive_move(squares: Floats, place: int, step: float, uphill: float) -> float:
    """How far the weight at this place moves, after its squared gradient was added up."""
    squares[place] += uphill * uphill
    return adaptive_step(step, uphill, squares[place])
