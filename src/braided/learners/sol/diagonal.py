"""SSOL with a diagonal matrix: the kernels of ``braided.learners.sol`` for u = a theta."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.kernels.numerics import HIGHEST
from braided.kernels.schedules import Births, note_births, owed
from braided.kernels.soft_threshold import soft

if TYPE_CHECKING:
    from braided.learners.sol.framework import SOLParameters

__all__ = ["DiagonalState", "gradient_of_conjugate", "inverse"]

THETA, INVERSE = 0, 1


class DiagonalState(NamedTuple):
    """What is learned when u = a theta; both of a feature lie side by side, for the cache's sake.

    The a of a feature that was never seen is 0, so that it adds nothing to a prediction.
    """

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    table: NDArray[np.float64]  # by feature: theta, a


def inverse(state: DiagonalState) -> NDArray[np.float64]:
    """a of every feature; 1 for one that was named but never learned."""
    return np.where(state.table[:, INVERSE] > 0.0, state.table[:, INVERSE], 1.0)


def gradient_of_conjugate(state: DiagonalState) -> NDArray[np.float64]:
    """u = a theta of every feature."""
    u: NDArray[np.float64] = state.table[:, INVERSE] * state.table[:, THETA]
    return u


@inlined
def score(state: DiagonalState, params: SOLParameters, indices: Ints, values: Floats) -> float:
    """w.x for w = soft(a theta, lambda_t), with the a that this row leads to"""
    table, rounds, rounds_before = state.table, state.rounds[0], state.births.rounds_before
    own_clock = params.threshold.own_clock
    threshold = owed(params.threshold, rounds)
    spread = _spread(table, indices, values)
    part = 1.0 / (params.r + spread)
    total = 0.0
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        a = _shrunk(table[j, INVERSE], x, spread, params.r, part)
        total += soft(a * table[j, THETA], threshold) * x
    return total


@inlined
def update(
    state: DiagonalState,
    params: SOLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """a in every round, theta + eta y x when there is a loss"""
    table = state.table
    for new in range(state.births.noted[0], state.seen[0]):
        table[new, INVERSE] = 1.0
    note_births(state.births, state.seen[0], state.rounds[0])
    step = min(params.step * weight, HIGHEST) * label if label * score < 1.0 else 0.0
    spread = _spread(table, indices, values)
    part = 1.0 / (params.r + spread)
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        table[j, INVERSE] = _shrunk(table[j, INVERSE], x, spread, params.r, part)
        table[j, THETA] += step * x


@inlined
def _spread(table: Floats, indices: Ints, values: Floats) -> float:
    """The sum of a_j x_j^2."""
    total = 0.0
    for i in range(indices.size):
        total += table[Index(indices[i]), INVERSE] * (values[i] * values[i])
    return total


@inlined
def _shrunk(a: float, x: float, spread: float, r: float, part: float) -> float:
    """a - a^2 x^2 / (r + spread), given part = 1 / (r + spread).

    Written so that a large x costs no digits, and never makes it negative.
    """
    return a * ((r + (spread - a * (x * x))) * part)


kernel_table.register(DiagonalState, score=score, update=update)
