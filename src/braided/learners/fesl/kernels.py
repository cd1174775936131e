"""A round of FESL: which features came and which are lost, then a step of each model.

There are two models after a switch, each with a step of its own, and the chance a that mixes them.
With one model (before any switch, and when all lost features are back) a is 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, compiled, inlined
from braided.kernels.logistic import pull, sigmoid
from braided.kernels.rng import uniform
from braided.learners.fesl.generations import (
    Generations,
    find_lost,
    has_returned,
    observe,
    same_as_before,
    take_back,
)
from braided.learners.fesl.recovery import accumulate, map_row, recover_lost

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
        return _dot(state.weight, indices, values)
    first, second, returned = _both(state, indices, values)
    if returned:
        return first - _dot(state.recovered, indices, values)
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
    """Note which features came and which are lost, then let each model take its step."""
    now = state.rounds[0]
    if not same_as_before(state.generations, indices, now):
        score = _watch_row(state, params, indices, values, score)
    if state.generations.started[0] == 0:
        step = weight * params.step * pull(label, score)
        if params.shrinking:
            step /= math.sqrt(now)
        for i in range(indices.size):
            state.weight[indices[i]] += step * values[i]
    else:
        _learn_both(state, params, indices, values, label, weight)


@compiled
def _watch_row(
    state: FESLState, params: FESLParameters, indices: Ints, values: Floats, score: float
) -> float:
    """Begin or end a switch if the row says so; return the score of the first model."""
    generations, now = state.generations, state.rounds[0]
    if generations.started[0] and has_returned(generations, indices):
        _end_switch(state)
        take_back(generations)
    all_there = observe(generations, indices, now)
    if not all_there and find_lost(generations, indices.size, now):
        if generations.started[0] and generations.newest[0] > generations.started[0]:
            _fold(state)
        if generations.started[0] == 0:
            state.chance[0], state.difference[0], state.chosen[0] = 0.5, 0.0, 0
        recover_lost(generations, params.ridge, state.weight, state.recovered, now)
        return _dot(state.weight, indices, values)
    accumulate(generations, indices, values, now)
    return score


# --------------------------------------------------------------------------- two models


@inlined
def _dot(weight: Floats, indices: Ints, values: Floats) -> float:
    """w.x"""
    total = 0.0
    for i in range(indices.size):
        total += weight[Index(indices[i])] * values[i]
    return total


@inlined
def _both(state: FESLState, indices: Ints, values: Floats) -> tuple[float, float, bool]:
    """The scores of both models, and whether a lost feature is in the row."""
    first, second, returned = 0.0, 0.0, 0
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        first += state.weight[j] * x
        second += state.second[j] * x
        returned += state.generations.lost[j]
    return first, second, returned > 0


@inlined
def _learn_both(
    state: FESLState,
    params: FESLParameters,
    indices: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    """A gradient step of each model, the first one's also through the map; then a."""
    generations = state.generations
    now = state.rounds[0]
    rounds = now - generations.started[0] + 1
    first, second, _ = _both(state, indices, values)
    pull_1, pull_2, loss = _pulls_and_loss(label * first, label * second)
    step = weight * params.step * label
    step_1 = step * pull_1 / _slowing(params, now)
    step_2 = step * pull_2 / _slowing(params, rounds)
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        state.weight[j] += step_1 * x
        state.second[j] += step_2 * x
    map_row(generations, indices, values)  # M M' x; the row without the map is learned above
    for slot in range(generations.watched[0]):
        state.weight[Index(generations.owner[slot])] += step_1 * generations.through[slot]
    _weigh(state, params, loss, rounds)


@inlined
def _weigh(state: FESLState, params: FESLParameters, loss: float, rounds: int) -> None:
    """Update a, from by how much the loss of the first model exceeds that of the second."""
    eta = math.sqrt(8.0 * math.log(2.0) / rounds)
    state.difference[0] += loss
    if not params.select:
        state.chance[0] = sigmoid(-eta * state.difference[0])
        return
    a = state.chance[0]
    # In logarithms, so that a chance near 0 or 1 is kept exactly.
    kept = sigmoid(math.log(a / (1.0 - a)) - eta * loss) if 0.0 < a < 1.0 else a
    state.chance[0] = (1.0 - params.share) * kept + 0.5 * params.share
    state.chosen[0] = 0 if uniform(state.rng) < state.chance[0] else 1


@inlined
def _slowing(params: FESLParameters, rounds: int) -> float:
    return math.sqrt(rounds) if params.shrinking else 1.0


@inlined
def _pulls_and_loss(margin_1: float, margin_2: float) -> tuple[float, float, float]:
    """How strongly each margin is pulled up, sigmoid(-m), and by how much the first loses more."""
    tail_1, tail_2 = math.exp(-abs(margin_1)), math.exp(-abs(margin_2))
    pull_1 = (1.0 if margin_1 < 0.0 else tail_1) / (1.0 + tail_1)
    pull_2 = (1.0 if margin_2 < 0.0 else tail_2) / (1.0 + tail_2)
    # log(1 + e^-m) = max(0, -m) + log(1 + e^-|m|), with one logarithm for both.
    more = max(0.0, -margin_1) - max(0.0, -margin_2)
    return pull_1, pull_2, more + math.log((1.0 + tail_1) / (1.0 + tail_2))


@compiled
def _fold(state: FESLState) -> None:
    """The mixture becomes the first model, and lost features are forgotten."""
    a = state.chance[0]
    for j in range(state.seen[0]):
        if state.generations.lost[j]:
            continue
        state.weight[j] = a * state.weight[j] + (1.0 - a) * state.second[j]
        state.recovered[j] = 0.0
        state.second[j] = 0.0
    take_back(state.generations)


@compiled
def _end_switch(state: FESLState) -> None:
    """Lost features are back: remove the weights that stood for them."""
    for j in range(state.seen[0]):
        state.weight[j] -= state.recovered[j]
        state.recovered[j] = 0.0
        state.second[j] = 0.0
    state.chance[0] = 1.0


kernel_table.register(FESLState, score=score, update=update)
