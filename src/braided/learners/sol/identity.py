"""FSOL: the kernels of ``braided.learners.sol`` for u = theta."""

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

__all__ = ["IdentityState"]


class IdentityState(NamedTuple):
    """What is learned when u = theta."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    theta: NDArray[np.float64]


@inlined
def score(state: IdentityState, params: SOLParameters, indices: Ints, values: Floats) -> float:
    """w.x for w = soft(theta, lambda_t)"""
    theta, rounds, rounds_before = state.theta, state.rounds[0], state.births.rounds_before
    own_clock = params.threshold.own_clock
    threshold = owed(params.threshold, rounds)
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        total += soft(theta[j], threshold) * values[i]
    return total


@inlined
def update(
    state: IdentityState,
    params: SOLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """theta + eta y x"""
    note_births(state.births, state.seen[0], state.rounds[0])
    if not label * score < 1.0:
        return
    theta, step = state.theta, min(params.step * weight, HIGHEST) * label
    for i in range(indices.size):
        theta[Index(indices[i])] += step * values[i]


kernel_table.register(IdentityState, score=score, update=update)
