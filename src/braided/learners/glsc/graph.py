"""The graph of GLSC: what each feature says about each other one, in dense matrices.

Every known feature has a slot: row i and column i of dense matrices, filled from the front. What is
retrieved for a row of d features is d rows of the matrices, which are walked from end to end: O(d
|U|) at the speed of memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, compiled
from braided.kernels.adaptive_steps import squares_if

__all__ = ["GRAPHS", "NOWHERE", "PRIOR_COUNT", "WORKING_SPACE", "Graph", "choose_slot"]
__all__ += ["fill_row", "new_graph"]
__all__ += ["open_slot", "readmit_evicted", "remove_slot", "strongest", "within"]

GRAPHS = ("regression", "gradient", "multiplicative", "paper")
NOWHERE = -1
_EVICTED = -2  # while the present row is learned: it must not come in again by its bare step

PRIOR_COUNT = 10.0
"""How many products of value 0 each pair starts with: a correlation of few rows is small."""


class Graph(NamedTuple):
    """All but ``slot`` are by slot; what follows ``inverse`` is working space for a row."""

    slot: NDArray[np.int64]
    owner: NDArray[np.int64]
    used: NDArray[np.int64]
    kind: NDArray[np.int64]
    weight: NDArray[np.float64]
    plain: NDArray[np.float64]  # the weights of OCO
    weight_squares: NDArray[np.float64]  # of gradients; empty where steps do not adapt
    plain_squares: NDArray[np.float64]
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


def new_graph(capacity: int, room: int, kind: str, adaptive: bool) -> Graph:
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
        **{name: squares_if(adaptive, room) for name in _SQUARES},
    )


_LEARNED = ("weight", "plain", "visits", "mean", "deviation", "inverse")
WORKING_SPACE = ("row", "here", "psi", "total")
_BY_SLOT = (*_LEARNED, *WORKING_SPACE)
_SQUARES = ("weight_squares", "plain_squares")


def within(graph: Graph, room: int, known: int, kind: str, adaptive: bool) -> Graph:
    """The graph with room for ``room`` features, of which at most ``known`` stay, of this kind.

    Those with the largest weights stay.
    """
    used = int(graph.used[0])
    owners = graph.owner[:used]
    order = np.lexsort((owners, -np.abs(graph.weight[:used])))[:known]
    keep = np.sort(order)
    fresh = new_graph(graph.slot.size, room, kind, adaptive)
    n = keep.size
    fresh.used[0] = n
    fresh.owner[:n] = owners[keep]
    fresh.slot[owners[keep]] = np.arange(n)
    for name in (*_BY_SLOT, *_SQUARES):
        old, new = getattr(graph, name), getattr(fresh, name)
        if old.size and new.size:
            new[:n] = old[keep]
    if graph.kind[0] == fresh.kind[0]:
        fresh.edge[:n, :n] = graph.edge[np.ix_(keep, keep)]
        if fresh.times.size:
            fresh.times[:n, :n] = graph.times[np.ix_(keep, keep)]
    else:
        for slot in range(n):
            _clear_slot(fresh, int(fresh.kind[0]), slot, n)
    return fresh


def strongest(graph: Graph, kind: str, top: int) -> list[tuple[int, int, float]]:
    """The strongest edges (from, to, strength) by the features' columns, the strongest first."""
    strength, owner = _strengths(graph, kind), graph.owner
    order = np.argsort(-np.abs(strength), axis=None, kind="stable")[: max(0, top)]
    pairs = zip(*np.unravel_index(order, strength.shape), strict=True)
    return [
        (int(owner[i]), int(owner[j]), float(strength[i, j]))
        for i, j in pairs
        if strength[i, j] != 0.0
    ]


def _strengths(graph: Graph, kind: str) -> NDArray[np.float64]:
    """Row i, column j: how strongly i predicts j; 0 for itself."""
    used = int(graph.used[0])
    edge = graph.edge[:used, :used]
    if kind == "regression":
        inverse = graph.inverse[:used]
        edge = (
            edge / (graph.times[:used, :used] + PRIOR_COUNT) * inverse[:, None] * inverse[None, :]
        )
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
def choose_slot(graph: Graph, kind: int, j: int, magnitude: float, known: int) -> int:
    """A slot for a new feature: the next one, or that of the smallest weight if it is smaller."""
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
def open_slot(graph: Graph, j: int) -> int:
    """The next slot, for a new feature; there must be room."""
    slot = int(graph.used[0])
    graph.used[0] = slot + 1
    graph.owner[slot] = j
    graph.slot[j] = slot
    return slot


@compiled
def remove_slot(graph: Graph, slot: int) -> None:
    """Drop a feature with its row and column; the last slot takes its place."""
    last = int(graph.used[0]) - 1
    graph.slot[graph.owner[slot]] = NOWHERE
    if slot != last:
        for k in range(last + 1):
            graph.edge[slot, k] = graph.edge[last, k]
        for k in range(last + 1):
            graph.edge[k, slot] = graph.edge[k, last]
        graph.weight[slot] = graph.weight[last]
        graph.owner[slot] = graph.owner[last]
        graph.slot[graph.owner[slot]] = slot
    graph.owner[last] = NOWHERE
    graph.weight[last] = 0.0
    for k in range(last + 1):
        graph.edge[last, k] = graph.edge[k, last] = 0.0
    graph.used[0] = last


@compiled
def readmit_evicted(graph: Graph, indices: Ints) -> None:
    """The row is over: a feature that was evicted may come in again."""
    for i in range(indices.size):
        if graph.slot[indices[i]] == _EVICTED:
            graph.slot[indices[i]] = NOWHERE


@compiled
def _clear_slot(graph: Graph, kind: int, slot: int, used: int) -> None:
    """Clear a slot: no edge but to itself (for the paper's multiplicative rule, equal edges)."""
    start = 1.0 if kind >= 2 else 0.0
    for k in range(used):
        graph.edge[slot, k] = graph.edge[k, slot] = start
        if kind == 0:
            graph.times[slot, k] = graph.times[k, slot] = np.float32(0.0)
    if kind == 1:
        graph.edge[slot, slot] = 1.0
    graph.visits[slot] = graph.mean[slot] = 0.0
    graph.deviation[slot] = graph.inverse[slot] = 0.0
