"""The graphs of GLSC as the paper has them.

psi_j = (1/d) sum_i G_ij x_i for the d observed features i; gradient descent on ::

    (y - w.psi)^2 + alpha |x - psi_obs|^2 + b1 |w|_1 + b2 w'Lw

for w, and for the observed rows of G by gradient steps or by the paper's multiplicative rule. L
is the Laplacian of the edges out of observed features. The gradient for G has rank 2, so a round
costs O(d |U|) where the paper states O(d^2 |U|).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from braided.compiled.jit import Floats, Ints, compiled
from braided.learners.glsc.graph import Graph

__all__ = ["LARGEST_WEIGHT", "Tuning", "learn_paper_graph", "paper_reconstruction"]

LARGEST_WEIGHT = 1e6
LARGEST_EDGE = 1e3
LARGEST_RATIO = 2.0
TINY = 1e-12
"""Limits of the paper's rules, which would leave the numbers otherwise."""


class Tuning(NamedTuple):
    """alpha, b1 and b2 of the paper."""

    reconstruction: float
    sparsity: float
    smoothness: float


@compiled
def paper_reconstruction(graph: Graph, indices: Ints, values: Floats) -> None:
    """psi = (1/d) G_r'x"""
    used, psi = graph.used[0], graph.psi
    observed = 0
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            continue
        observed += 1
        value, edges = values[i], graph.edge[slot]
        for k in range(used):
            psi[k] += value * edges[k]
    for k in range(used):
        psi[k] /= max(1, observed)


@compiled
def learn_paper_graph(
    graph: Graph,
    tuning: Tuning,
    label: float,
    step: float,
    kind: int,
    indices: Ints,
    values: Floats,
) -> float:
    """One step for w and the observed rows of G, both from where they are; y - w.psi."""
    used, weight, psi, here = graph.used[0], graph.weight, graph.psi, graph.here
    observed, predicted = 0, 0.0
    for k in range(used):
        predicted += weight[k] * psi[k]
        observed += int(here[k])
    error = label - predicted
    slope = graph.total  # becomes the gradient for w
    for k in range(used):
        slope[k] = -2.0 * error * psi[k] + tuning.sparsity * float(np.sign(weight[k]))
    if tuning.smoothness > 0.0:
        _smooth(graph, tuning.smoothness, indices)
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            continue
        if kind == 1:
            _gradient_row(graph, slot, tuning, step, error, 2.0 / observed * values[i])
        else:
            _multiplicative_row(graph, slot, tuning, label, predicted, values[i])
    for k in range(used):
        moved = weight[k] - step * slope[k]
        weight[k] = min(max(moved, -LARGEST_WEIGHT), LARGEST_WEIGHT)
    return error


@compiled
def _smooth(graph: Graph, smoothness: float, indices: Ints) -> None:
    """Add the gradient of b2 w'Lw, for the edges out of observed features."""
    used, weight, slope = graph.used[0], graph.weight, graph.total
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            continue
        own, edges, total = weight[slot], graph.edge[slot], 0.0
        for k in range(used):
            tension = smoothness * edges[k] * (own - weight[k])
            slope[k] -= tension
            total += tension
        slope[slot] += total


@compiled
def _gradient_row(
    graph: Graph, slot: int, tuning: Tuning, step: float, error: float, factor: float
) -> None:
    edges, row, here, psi = graph.edge[slot], graph.row, graph.here, graph.psi
    weight = graph.weight
    for k in range(graph.used[0]):
        pull = error * weight[k] + tuning.reconstruction * here[k] * (row[k] - psi[k])
        moved = edges[k] + step * factor * pull
        edges[k] = min(max(moved, -LARGEST_EDGE), LARGEST_EDGE)


@compiled
def _multiplicative_row(
    graph: Graph, slot: int, tuning: Tuning, label: float, predicted: float, value: float
) -> None:
    """G times what pulls it up over what pulls it down; each of the four terms by its sign."""
    edges, row, here, psi = graph.edge[slot], graph.row, graph.here, graph.psi
    weight = graph.weight
    for k in range(graph.used[0]):
        up, down = TINY, TINY
        weighed = value * weight[k]
        pull = tuning.reconstruction * here[k] * value
        for term in (label * weighed, -predicted * weighed, pull * row[k], -pull * psi[k]):
            if term > 0.0:
                up += term
            else:
                down -= term
        ratio = min(max(up / down, 1.0 / LARGEST_RATIO), LARGEST_RATIO)
        edges[k] = min(max(edges[k] * ratio, TINY), LARGEST_EDGE)
