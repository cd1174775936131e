"""SSOL with the full matrix: the kernels of ``sol.py`` for u = A^-1 theta.

A^-1 is kept as M M'. Adding a row to A turns M into M - g (M f) f' with f = M'x,
s = r + f.f and g = 1 / (s + sqrt(r s)), which is Potter's form of the Woodbury identity (Bierman,
"Factorization Methods for Discrete Sequential Estimation", 1977). Unlike the subtraction that the
paper prints, it keeps A^-1 positive and twice as many digits, whatever the rows.

A round costs O(d^2), a prediction O(nnz d).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled
from braided.kernels.memory import MOST_ON_STACK, vector_on_stack
from braided.kernels.numerics import HIGHEST
from braided.kernels.schedules import Births, note_births, owed
from braided.kernels.soft_threshold import soft

if TYPE_CHECKING:
    from braided.learners.sol.sol import SOLParameters

__all__ = ["MOST_FEATURES", "FullState", "gradient_of_conjugate", "new_state"]

MOST_FEATURES = MOST_ON_STACK


class FullState(NamedTuple):
    """What is learned when u = M M' theta.

    The rows of M for features never seen are 0, so that they add nothing to a prediction.
    """

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    theta: NDArray[np.float64]
    root: NDArray[np.float64]  # M
    turned: NDArray[np.float64]  # M'theta


def new_state(
    rounds: NDArray[np.int64], seen: NDArray[np.int64], births: Births, capacity: int
) -> FullState:
    """A state that has learned nothing."""
    root = np.zeros((capacity, capacity))
    return FullState(rounds, seen, births, np.zeros(capacity), root, np.zeros(capacity))


def gradient_of_conjugate(state: FullState) -> NDArray[np.float64]:
    """u = A^-1 theta of every feature."""
    u: NDArray[np.float64] = state.root @ state.turned
    return u


@compiled
def score(state: FullState, params: SOLParameters, indices: Ints, values: Floats) -> float:
    """w.x for w = soft(A^-1 theta, lambda_t), with the A that this row leads to"""
    size, rounds, rounds_before = state.seen[0], state.rounds[0], state.births.rounds_before
    own_clock = params.threshold.own_clock
    threshold = owed(params.threshold, rounds)
    f = vector_on_stack(size)
    _turn(state.root, indices, values, f)
    share = _dot(f, state.turned) / (params.r + _dot(f, f))
    for k in range(size):
        f[k] = state.turned[k] - share * f[k]
    total = 0.0
    for i in range(indices.size):
        j = indices[i]
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        total += soft(_dot(f, state.root[j]), threshold) * values[i]
    return total


@compiled
def update(
    state: FullState,
    params: SOLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """A in every round, theta + eta y x when there is a loss"""
    root, theta, turned, size = state.root, state.theta, state.turned, state.seen[0]
    for j in range(state.births.noted[0], size):
        root[j, j] = 1.0
    note_births(state.births, size, state.rounds[0])
    if label * score < 1.0:
        step = min(params.step * weight, HIGHEST) * label
        for i in range(indices.size):
            theta[indices[i]] += step * values[i]
    f = vector_on_stack(size)
    _turn(root, indices, values, f)
    s = params.r + _dot(f, f)
    g = 1.0 / (s + math.sqrt(params.r * s))
    for k in range(size):
        turned[k] = 0.0
    for j in range(size):
        moved = g * _dot(f, root[j])
        for k in range(size):
            root[j, k] -= moved * f[k]
            turned[k] += theta[j] * root[j, k]


@compiled
def _turn(root: Floats, indices: Ints, values: Floats, f: Floats) -> None:
    """f = M'x"""
    for k in range(f.size):
        f[k] = 0.0
    for i in range(indices.size):
        row, x = root[indices[i]], values[i]
        for k in range(f.size):
            f[k] += x * row[k]


@compiled
def _dot(f: Floats, other: Floats) -> float:
    """The product over the length of f, in four interleaved sums."""
    a = b = c = d = 0.0
    whole = f.size - f.size % 4
    for k in range(0, whole, 4):
        a += f[k] * other[k]
        b += f[k + 1] * other[k + 1]
        c += f[k + 2] * other[k + 2]
        d += f[k + 3] * other[k + 3]
    for k in range(whole, f.size):
        a += f[k] * other[k]
    return (a + b) + (c + d)


kernel_table.register(FullState, score=score, update=update)
