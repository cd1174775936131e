"""A round of GLSC: reconstruct the row, mix the two parts, then learn weights and graph."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled
from braided.kernels.adaptive_steps import adaptive_move, adaptive_step, for_unit_length
from braided.kernels.budget import allowed
from braided.kernels.logistic import logistic_loss, pull, sigmoid
from braided.kernels.numerics import HIGHEST
from braided.learners.glsc.algorithm_1 import learn_by_the_letter, literal_reconstruction
from braided.learners.glsc.graph import (
    NOWHERE,
    WORKING_SPACE,
    Graph,
    choose_slot,
    fill_row,
    readmit_evicted,
)
from braided.learners.glsc.paper_graph import (
    LARGEST_WEIGHT,
    Tuning,
    learn_paper_graph,
    paper_reconstruction,
)
from braided.learners.glsc.regression_graph import learn_regression, regression_reconstruction

__all__ = ["BUFFERS", "GLSCParameters", "GLSCState", "mixing"]


class GLSCParameters(NamedTuple):
    """The parameters as the kernels see them."""

    kind: int
    part: int
    share: float
    of_means: bool
    budget: float
    step: float
    shrinking: bool
    adaptive: bool
    tuning: Tuning


class GLSCState(NamedTuple):
    """What is learned. ``parts`` holds the two parts of the score of the present row."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    parts: NDArray[np.float64]
    odds: NDArray[np.float64]  # log(p / (1 - p))
    difference: NDArray[np.float64]  # L_rec - L_obs
    graph: Graph


BUFFERS: dict[str, Any] = {"parts": ..., **{f"graph.{name}": ... for name in WORKING_SPACE}}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""


@compiled
def score(state: GLSCState, params: GLSCParameters, indices: Ints, values: Floats) -> float:
    """Reconstruct the row, then mix the two parts; what is left in the graph is for ``update``."""
    graph = state.graph
    fill_row(graph, indices, values)
    used, weight, row, here, psi = graph.used[0], graph.weight, graph.row, graph.here, graph.psi
    observed, reconstructed = 0.0, 0.0
    if params.kind == 0:
        regression_reconstruction(graph, indices)
        for k in range(used):
            observed += graph.plain[k] * row[k]
            reconstructed += weight[k] * (row[k] + (1.0 - here[k]) * psi[k])
    else:
        if params.kind == 3:
            literal_reconstruction(graph, indices, values)
        else:
            paper_reconstruction(graph, indices, values)
        for k in range(used):
            observed += weight[k] * row[k]
            reconstructed += weight[k] * ((1.0 - here[k]) * psi[k])
    state.parts[0], state.parts[1] = observed, reconstructed
    if params.part == 1:
        return observed
    if params.part == 2:
        return reconstructed
    p = sigmoid(state.odds[0])
    return p * observed + (1.0 - p) * reconstructed


@compiled
def update(
    state: GLSCState,
    params: GLSCParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Weigh the parts, then learn the weights, new features and the graph."""
    _mix(state, params, label)
    step = weight * params.step
    if params.shrinking:
        step /= math.sqrt(state.rounds[0])
    graph = state.graph
    known = allowed(params.budget, state.seen[0])
    if params.kind == 3:
        learn_by_the_letter(graph, params.tuning, label, step, known, indices, values)
        return
    if params.adaptive:
        own = min(weight, HIGHEST)
        plain_pull = for_unit_length(own * pull(label, state.parts[0]), square)
        main_pull = for_unit_length(own * pull(label, state.parts[1]), square)
        _adaptive_moves(graph, params.step, plain_pull, main_pull)
    elif params.kind == 0:
        plain_pull = step * pull(label, state.parts[0])
        main_pull = step * pull(label, state.parts[1])
        for k in range(graph.used[0]):
            graph.plain[k] += plain_pull * graph.row[k]
            graph.weight[k] += main_pull * graph.row[k]
    else:
        error = learn_paper_graph(graph, params.tuning, label, step, params.kind, indices, values)
        plain_pull = 0.0
        main_pull = 2.0 * step * error / max(1, indices.size)
    _let_in(graph, params, indices, values, known, plain_pull, main_pull)
    if params.kind == 0:
        learn_regression(graph, indices, values)


@compiled
def _mix(state: GLSCState, params: GLSCParameters, label: float) -> None:
    """p by the difference of the two parts' losses, in bits: that of their sums or means."""
    bits = logistic_loss(label * state.parts[1]) - logistic_loss(label * state.parts[0])
    bits /= math.log(2.0)
    eta = 8.0 / math.sqrt(math.log(max(2.0, float(state.rounds[0]))))
    state.difference[0] += bits
    told = state.difference[0]
    if params.of_means:
        told /= state.rounds[0]
    if params.share == 0.0:
        state.odds[0] = eta * told
        return
    p = sigmoid(eta * told if params.of_means else state.odds[0] + eta * bits)
    p = (1.0 - params.share) * p + 0.5 * params.share
    state.odds[0] = math.log(p / (1.0 - p))


@compiled
def mixing(odds: float) -> float:
    """p, from its log odds."""
    return sigmoid(odds)


@compiled
def _adaptive_moves(graph: Graph, step: float, plain_pull: float, main_pull: float) -> None:
    """A step of its own for each known feature and either part."""
    plain_squares, main_squares = graph.plain_squares, graph.weight_squares
    for k in range(graph.used[0]):
        graph.plain[k] += adaptive_move(plain_squares, k, step, plain_pull * graph.row[k])
        graph.weight[k] += adaptive_move(main_squares, k, step, main_pull * graph.row[k])


@compiled
def _let_in(
    graph: Graph,
    params: GLSCParameters,
    indices: Ints,
    values: Floats,
    known: int,
    plain_pull: float,
    main_pull: float,
) -> None:
    """Give new features a slot with the weight of their first step, if it is large enough."""
    evicted = False
    for i in range(indices.size):
        j = indices[i]
        if graph.slot[j] != NOWHERE:
            continue
        plain, main = plain_pull * values[i], main_pull * values[i]
        moved = _first_step(params, main)
        evicted = evicted or graph.used[0] >= known
        slot = choose_slot(graph, params.kind, j, abs(moved), known)
        if slot != NOWHERE:
            graph.weight[slot] = moved
            graph.plain[slot] = _first_step(params, plain)
            graph.row[slot] = values[i]
            graph.here[slot] = 1.0
            if params.adaptive:
                graph.plain_squares[slot] = plain * plain
                graph.weight_squares[slot] = main * main
    if evicted:
        readmit_evicted(graph, indices)


@compiled
def _first_step(params: GLSCParameters, uphill: float) -> float:
    if params.adaptive:
        return adaptive_step(params.step, uphill, uphill * uphill)
    return min(max(uphill, -LARGEST_WEIGHT), LARGEST_WEIGHT) if params.kind else uphill


kernel_table.register(GLSCState, score=score, update=update)
