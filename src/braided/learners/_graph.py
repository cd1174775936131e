"""The graph of GLSC: what each feature tells of each other one, in dense rows.

Every known feature has a slot: row i and column i of dense matrices, filled from the front. What is
retrieved for a row of d features is d rows of the matrices, which are walked from end to end: O(d
|U|) at the speed of memory.

The regression graph keeps sums of products C and their number N for each pair, over the rows
with both, and mean and deviation of each feature over its own rows. With the correlation r of
a pair, shrunk as N is small (ten products of value 0 are added, and what chance alone would give to
r^2 is taken off), feature j is told by the observed ones as::

    psi_j = mean_j + deviation_j sum_i w_ij r_ij z_i / sum_i w_ij,  w = r^2 / (1 - r^2)

where z_i is the observed value in deviations from its mean, at most 10.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import Floats, Ints, compiled

__all__ = ["GRAPHS", "NOWHERE", "Graph", "Tuning", "choose_slot", "fill_row", "learn_paper_graph"]
__all__ += ["learn_regression", "new_graph", "paper_reconstruction", "regression_reconstruction"]
__all__ += ["settle_evicted", "strengths", "within"]

GRAPHS = ("regression", "gradient", "multiplicative")
NOWHERE = -1
_EVICTED = -2  # while the present row is learned: it must not come in again by its bare step

DOUBT = 10.0
"""Products of value 0 that each pair starts with."""

SUREST = 0.99
"""The largest r^2: nobody is told by one other feature alone."""

FARTHEST = 10.0
"""In deviations: one wild value must not tell wild values of all others."""

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


class Graph(NamedTuple):
    """All but ``slot`` are by slot; what follows ``inverse`` is scratch of the present row."""

    slot: NDArray[np.int64]
    owner: NDArray[np.int64]
    used: NDArray[np.int64]
    kind: NDArray[np.int64]
    weight: NDArray[np.float64]
    plain: NDArray[np.float64]  # the weights of OCO
    edge: NDArray[np.float64]  # C of the regression, else G
    times: NDArray[np.float32]  # N of the regression
    visits: NDArray[np.float64]  # rows with the feature
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    inverse: NDArray[np.float64]  # 1 / deviation, 0 while nothing varies
    row: NDArray[np.float64]
    here: NDArray[np.float64]
    psi: NDArray[np.float64]
    total: NDArray[np.float64]


def new_graph(capacity: int, room: int, kind: str) -> Graph:
    """No feature is known; there is room for so many."""
    pairs = room if kind == "regression" else 0
    return Graph(
        slot=np.full(capacity, NOWHERE, np.int64),
        owner=np.full(room, NOWHERE, np.int64),
        used=np.zeros(1, np.int64),
        kind=np.full(1, GRAPHS.index(kind), np.int64),
        edge=np.zeros((room, room)),
        times=np.zeros((pairs, pairs), np.float32),
        **{name: np.zeros(room) for name in _BY_SLOT},
    )


_LEARNED = ("weight", "plain", "visits", "mean", "deviation", "inverse")
_BY_SLOT = (*_LEARNED, "row", "here", "psi", "total")


def within(graph: Graph, known: int, kind: str) -> Graph:
    """The graph with at most so many features, those of the largest weights, and of this kind."""
    used = int(graph.used[0])
    owners = graph.owner[:used]
    order = np.lexsort((owners, -np.abs(graph.weight[:used])))[:known]
    keep = np.sort(order)
    fresh = new_graph(graph.slot.size, graph.owner.size, kind)
    n = keep.size
    fresh.used[0] = n
    fresh.owner[:n] = owners[keep]
    fresh.slot[owners[keep]] = np.arange(n)
    for name in _BY_SLOT:
        getattr(fresh, name)[:n] = getattr(graph, name)[keep]
    if graph.kind[0] == fresh.kind[0]:
        fresh.edge[:n, :n] = graph.edge[np.ix_(keep, keep)]
        if fresh.times.size:
            fresh.times[:n, :n] = graph.times[np.ix_(keep, keep)]
    else:
        for slot in range(n):
            _clear_slot(fresh, int(fresh.kind[0]), slot, n)
    return fresh


def strengths(graph: Graph, kind: str) -> NDArray[np.float64]:
    """Row i, column j: how strongly i tells of j; 0 for itself."""
    used = int(graph.used[0])
    edge = graph.edge[:used, :used]
    if kind == "regression":
        inverse = graph.inverse[:used]
        edge = edge / (graph.times[:used, :used] + DOUBT) * inverse[:, None] * inverse[None, :]
    strength: NDArray[np.float64] = np.where(np.eye(used, dtype=np.bool_), 0.0, edge)
    return strength


@compiled
def fill_row(graph: Graph, indices: Ints, values: Floats) -> None:
    """Spread the row over the slots."""
    row, here, psi, total = graph.row, graph.here, graph.psi, graph.total
    for k in range(graph.used[0]):
        row[k] = here[k] = psi[k] = total[k] = 0.0
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot >= 0:
            row[slot] = values[i]
            here[slot] = 1.0


@compiled
def regression_reconstruction(graph: Graph, indices: Ints) -> None:
    """Put the estimates into psi."""
    used, psi, total, inverse = graph.used[0], graph.psi, graph.total, graph.inverse
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0 or inverse[slot] == 0.0:
            continue
        z = (graph.row[slot] - graph.mean[slot]) * inverse[slot]
        z = min(max(z, -FARTHEST), FARTHEST)
        own = inverse[slot]
        products, times = graph.edge[slot], graph.times[slot]
        for k in range(used):
            chance = 1.0 / (times[k] + DOUBT)
            r = products[k] * own * inverse[k] * chance
            square = r * r
            square -= (1.0 - square) * chance
            square = square if square > 0.0 else 0.0
            square = square if square < SUREST else SUREST
            worth = square / (1.0 - square)
            psi[k] += worth * r * z
            total[k] += worth
    for k in range(used):
        told = psi[k] / total[k] if total[k] > 0.0 else 0.0
        psi[k] = graph.mean[k] + graph.deviation[k] * told


@compiled
def learn_regression(graph: Graph, indices: Ints, values: Floats) -> None:
    """Means, deviations and products of the row's features."""
    used, row, mean = graph.used[0], graph.row, graph.mean
    for k in range(used):
        row[k] = 0.0
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot >= 0:
            graph.visits[slot] += 1.0
            mean[slot] += (values[i] - mean[slot]) / graph.visits[slot]
            row[slot] = values[i] - mean[slot]
    for i in range(indices.size):
        slot = graph.slot[indices[i]]
        if slot < 0:
            continue
        products, times, own = graph.edge[slot], graph.times[slot], row[slot]
        here = graph.here
        for k in range(used):
            products[k] += own * row[k]
            times[k] += np.float32(here[k])
        deviation = math.sqrt(products[slot] / times[slot])
        graph.deviation[slot] = deviation
        graph.inverse[slot] = 1.0 / deviation if deviation > 0.0 else 0.0


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
        told = tuning.reconstruction * here[k] * value
        for term in (label * weighed, -predicted * weighed, told * row[k], -told * psi[k]):
            if term > 0.0:
                up += term
            else:
                down -= term
        ratio = min(max(up / down, 1.0 / LARGEST_RATIO), LARGEST_RATIO)
        edges[k] = min(max(edges[k] * ratio, TINY), LARGEST_EDGE)


@compiled
def choose_slot(graph: Graph, kind: int, j: int, magnitude: float, known: int) -> int:
    """A slot for a newcomer: the next one, or that of the smallest weight if it is smaller."""
    used = int(graph.used[0])
    if used < known:
        slot = used
        graph.used[0] = used + 1
    else:
        slot = 0
        for k in range(1, used):
            here, lowest = abs(graph.weight[k]), abs(graph.weight[slot])
            if here < lowest or (here == lowest and graph.owner[k] > graph.owner[slot]):
                slot = k
        if magnitude <= abs(graph.weight[slot]):
            return NOWHERE
        in_row = graph.here[slot] == 1.0
        graph.slot[graph.owner[slot]] = _EVICTED if in_row else NOWHERE
    graph.owner[slot] = j
    graph.slot[j] = slot
    _clear_slot(graph, kind, slot, graph.used[0])
    return slot


@compiled
def settle_evicted(graph: Graph, indices: Ints) -> None:
    """The row is over: who was evicted is a stranger like others."""
    for i in range(indices.size):
        if graph.slot[indices[i]] == _EVICTED:
            graph.slot[indices[i]] = NOWHERE


@compiled
def _clear_slot(graph: Graph, kind: int, slot: int, used: int) -> None:
    """A feature that is told by nobody and tells nothing but itself (paper: everything alike)."""
    start = 1.0 if kind == 2 else 0.0
    for k in range(used):
        graph.edge[slot, k] = graph.edge[k, slot] = start
        if kind == 0:
            graph.times[slot, k] = graph.times[k, slot] = np.float32(0.0)
    if kind == 1:
        graph.edge[slot, slot] = 1.0
    graph.visits[slot] = graph.mean[slot] = 0.0
    graph.deviation[slot] = graph.inverse[slot] = 0.0
