"""A round of FESL: see who came and who is lost, then let each model take its step."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled, inlined
from braided.kernels.logistic import pull
from braided.learners.fesl.arrivals import observe, same_as_before
from braided.learners.fesl.generations import Generations
from braided.learners.fesl.least_squares import accumulate
from braided.learners.fesl.lost import find_lost, has_returned, take_back
from braided.learners.fesl.models import both, dot, end_switch, fold, learn_both
from braided.learners.fesl.recovery import tell_lost

__all__ = ["FESLParameters", "FESLState"]


class FESLParameters(NamedTuple):
    """The parameters as the kernels see them."""

    select: bool
    step: float
    shrinking: bool
    ridge: float
    share: float


class FESLState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weight: NDArray[np.float64]  # the first model, v
    recovered: NDArray[np.float64]  # the part of it that stands for lost features
    second: NDArray[np.float64]  # the second model
    chance: NDArray[np.float64]  # a
    difference: NDArray[np.float64]  # L1 - L2 since the switch
    chosen: NDArray[np.int64]  # 1 when "select" follows the second model
    generations: Generations
    rng: NDArray[np.uint64]


@inlined
def score(state: FESLState, params: FESLParameters, indices: Ints, values: Floats) -> float:
    """One model before any switch, two after it."""
    if state.generations.started[0] == 0:
        return dot(state.weight, indices, values)
    first, second, returned = both(state, indices, values)
    if returned:
        return first - dot(state.recovered, indices, values)
    if params.select:
        return second if state.chosen[0] else first
    a = float(state.chance[0])
    return a * first + (1.0 - a) * second


@inlined
def update(
    state: FESLState,
    params: FESLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """See who came and who is lost, then let each model take its step."""
    now = state.rounds[0]
    if not same_as_before(state.generations, indices, now):
        score = _look(state, params, indices, values, score)
    if state.generations.started[0] == 0:
        step = weight * params.step * pull(label, score)
        if params.shrinking:
            step /= math.sqrt(now)
        for i in range(indices.size):
            state.weight[indices[i]] += step * values[i]
    else:
        learn_both(state, params, indices, values, label, weight)


@compiled
def _look(
    state: FESLState, params: FESLParameters, indices: Ints, values: Floats, score: float
) -> float:
    """Begin or end a switch if the row says so; the score by the first model."""
    generations, now = state.generations, state.rounds[0]
    if generations.started[0] and has_returned(generations, indices):
        end_switch(state)
        take_back(generations)
    all_there = observe(generations, indices, now)
    if not all_there and find_lost(generations, indices.size, now):
        if generations.started[0] and generations.newest[0] > generations.started[0]:
            fold(state)
        if generations.started[0] == 0:
            state.chance[0], state.difference[0], state.chosen[0] = 0.5, 0.0, 0
        tell_lost(generations, params.ridge, state.weight, state.recovered, now)
        return dot(state.weight, indices, values)
    accumulate(generations, indices, values, now)
    return score


kernel_table.register(FESLState, score=score, update=update)
