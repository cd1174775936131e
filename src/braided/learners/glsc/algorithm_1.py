"""Algorithm 1 of the paper to the letter, for ``graph="paper"``.

Where ``paper_graph.py`` is careful, this is literal: features of the row that are new enter the
graph, with edges of 1 and a weight of 0, before the row is learned; the Laplacian is that of the
whole graph, so that a round costs O(|U|^2) if b2 > 0; and an edge is multiplied by the terms of the
gradient that the paper writes with a minus over those that it writes with a plus, whatever their
sign. An edge below 0 becomes 0, as the paper has it. Weights are truncated after the round.

Left to us: where a quotient is no number the edge stays, and nothing grows beyond 1e100, so that no
score is NaN. On real data edges do grow without bounds.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Ints, compiled
from braided.learners.glsc.graph import NOWHERE, Graph, open_slot, remove_slot
from braided.learners.glsc.paper_graph import Tuning

__all__ = ["learn_by_the_letter", "literal_reconstruction"]

LARGEST = 1e100


@compiled
def literal_reconstruction(graph: Graph, indices: Ints, values: Floats) -> None:
    """psi = (1/d_t) Gr' x; edges out of features that are not in the graph yet are 1."""
    used, psi, new = graph.used[0], graph.psi, 0.0
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            new += values[i]
            continue
        value, edges = values[i], graph.edge[slot]
        for k in range(used):
            psi[k] += value * edges[k]
    for k in range(used):
        psi[k] = _within((psi[k] + new) / max(1, indices.size))


@compiled
def learn_by_the_letter(
    graph: Graph,
    tuning: Tuning,
    label: float,
    step: float,
    known: int,
    indices: Ints,
    values: Floats,
) -> None:
    """Lines 2, 7 and 8: let new features in, learn w and the observed rows of G, truncate w."""
    _enter(graph, indices, values)
    used, weight, psi, slope = graph.used[0], graph.weight, graph.psi, graph.total
    predicted = 0.0
    for k in range(used):
        predicted += weight[k] * psi[k]
    predicted = _within(predicted)
    error = label - predicted
    for k in range(used):
        slope[k] = -2.0 * error * psi[k] + tuning.sparsity * float(np.sign(weight[k]))
    if tuning.smoothness > 0.0:
        _smooth_everywhere(graph, tuning.smoothness)
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot >= 0 and values[i] != 0.0:
            _multiply_row(graph, slot, tuning.reconstruction, label, predicted)
    for k in range(used):
        weight[k] = _within(weight[k] - step * slope[k])
    while graph.used[0] > known:
        remove_slot(graph, _smallest(graph))


@compiled
def _enter(graph: Graph, indices: Ints, values: Floats) -> None:
    """Each new feature gets a slot, a weight of 0 and edges of 1, as long as there is room."""
    total = 0.0
    for i in range(indices.size):
        total += values[i]
    for i in range(indices.size):
        if graph.slot[indices[i]] == NOWHERE and graph.used[0] < graph.owner.size:
            slot = open_slot(graph, indices[i])
            used = graph.used[0]
            for k in range(used):
                graph.edge[slot, k] = graph.edge[k, slot] = 1.0
            graph.weight[slot] = 0.0
            graph.row[slot], graph.here[slot] = values[i], 1.0
            graph.psi[slot] = _within(total / indices.size)  # all edges to it are 1


@compiled
def _smooth_everywhere(graph: Graph, smoothness: float) -> None:
    """Add b2 (L + L') w, with L the Laplacian of the mean of G and its transpose."""
    used, weight, slope = graph.used[0], graph.weight, graph.total
    for k in range(used):
        own, edges, total = weight[k], graph.edge[k], 0.0
        for j in range(used):
            tension = smoothness * edges[j] * (own - weight[j])
            slope[j] -= tension
            total += tension
        slope[k] += total


@compiled
def _multiply_row(
    graph: Graph, slot: int, reconstruction: float, label: float, predicted: float
) -> None:
    edges, row, here, psi = graph.edge[slot], graph.row, graph.here, graph.psi
    weight = graph.weight
    for k in range(graph.used[0]):
        up = label * weight[k] + reconstruction * here[k] * row[k]
        down = predicted * weight[k] + reconstruction * here[k] * psi[k]
        if down == 0.0:
            continue
        grown = edges[k] * (up / down)
        if math.isfinite(grown):
            edges[k] = min(max(grown, 0.0), LARGEST)


@compiled
def _smallest(graph: Graph) -> int:
    """The slot of the smallest weight; on a tie that of the feature seen last."""
    lowest = 0
    for k in range(1, graph.used[0]):
        here, least = abs(graph.weight[k]), abs(graph.weight[lowest])
        if here < least or (here == least and graph.owner[k] > graph.owner[lowest]):
            lowest = k
    return lowest


@compiled
def _within(value: float) -> float:
    return min(max(value, -LARGEST), LARGEST)
