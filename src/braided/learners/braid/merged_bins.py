"""Bins of merged Braids: edges from the first values of all models, and what goes to which bin.

The edges of a feature are those of the base, if the base had settled them; else the quantiles of
the first values of all models together. What a model has in a bin of its own goes to the new bins
in the proportions in which that model's first values of the bin fall into them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, cached
from braided.learner.state import capacity_for
from braided.learners.braid.layout import (
    AROW_BIRTH,
    BIN_BLOCK,
    BINS,
    CELL_ADAGRAD_SQUARES,
    CELL_ADAGRAD_WEIGHT,
    CELL_BAYES_VARIANCE,
    CELL_BAYES_WEIGHT,
    CELL_NEGATIVE,
    CELL_POSITIVE,
    COLLECTED,
    DISTINCT,
    EARLY_VALUES,
    FIRST_VALUES,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    VALUE_1,
    new_bins,
    new_experts,
)

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part
    from braided.learners.braid.kernels import BraidState

__all__ = ["merge_bins"]

LONGEST = 2 * FIRST_VALUES // BINS
PRECISION, MOMENT, SQUARES, PULL, NEGATIVES, POSITIVES = range(6)
"""What a bin holds, in a form that adds up: of the belief 1/S - 1/v and w/S, of AdaGrad G and G w,
and the counts of labels."""


class _Firsts(NamedTuple):
    """The first values of a model: by feature, how many of them, and which came since the base."""

    values: Floats
    size: NDArray[np.int64]
    start: NDArray[np.int64]
    block: NDArray[np.int64]  # or -1
    slot: NDArray[np.int64]  # the block in the merged model, or -1


class _OwnBins(NamedTuple):
    """What a model has in its bins: by block, by cell, and by feature."""

    edges: Floats
    cells: Floats
    present: Floats  # of features without bins
    born: Floats  # the variance with which weights begin


def merge_bins(
    state: BraidState, merge: Merge, stats: Floats, weights: Floats, prior: Floats
) -> BraidState:
    """Return the state with bins; the blocks of ``stats`` and the firsts of ``weights`` are set."""
    base, everyone = merge.base, [*([merge.base] if merge.base else []), *merge.parts]
    collected = merge.sum(lambda part: part.spread(_collected(part)))
    has_bins = (collected > EARLY_VALUES) & (stats[:, DISTINCT] > 1.0)
    for part in everyone:
        has_bins[part.columns[_blocks(part) >= 0]] = True
    slot = np.full(has_bins.size, -1)
    slot[has_bins] = np.arange(np.count_nonzero(has_bins))
    before = np.zeros(has_bins.size) if base is None else base.spread(_collected(base))
    firsts = [_firsts(part, slot, before, part is base) for part in everyone]
    blocks = int(has_bins.sum())
    edges, first, size = _edges(firsts, blocks, settled_by_base=base is not None)
    held = _held(merge, firsts, edges, prior[has_bins])
    room = max(8, capacity_for(blocks))
    capacity, own = state.experts.weights.shape[0], state.experts.own
    state = state._replace(bins=new_bins(room), experts=new_experts(capacity, room, own))
    state.bins.used[0] = blocks
    state.bins.edges[:blocks, : BINS - 1], state.bins.first[:blocks] = edges, first
    state.experts.cells[: blocks * BINS, : held.shape[2]] = held.reshape(-1, held.shape[2])
    state.features.stats[has_bins, BIN_BLOCK] = np.arange(blocks) + 1
    weights[:, COLLECTED] = np.minimum(collected, FIRST_VALUES)
    weights[has_bins, COLLECTED] = size
    _early(state.features.early, everyone, firsts, has_bins)
    return state


def _collected(part: Part) -> Floats:
    found: Floats = part.state.experts.weights[: part.columns.size, COLLECTED].astype(np.float64)
    return found


def _blocks(part: Part) -> NDArray[np.int64]:
    blocks = part.state.features.stats[: part.columns.size, BIN_BLOCK]
    found: NDArray[np.int64] = blocks.astype(np.int64) - 1
    return found


def _firsts(part: Part, slot: NDArray[Any], before: Floats, is_base: bool) -> _Firsts:
    """The first values of a model; of one value throughout, that value so often."""
    n, block, features = part.columns.size, _blocks(part), part.state.features
    values = np.repeat(features.stats[:n, [VALUE_1]], FIRST_VALUES, axis=1)
    values[:, :EARLY_VALUES] = features.early[:n, :EARLY_VALUES]
    values[block >= 0] = part.state.bins.first[block[block >= 0]]
    size = _collected(part).astype(np.int64)
    start = np.zeros(n, np.int64) if is_base else before[part.columns].astype(np.int64)
    return _Firsts(values, size, np.minimum(start, size), block, slot[part.columns])


def _edges(
    firsts: list[_Firsts], blocks: int, *, settled_by_base: bool
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """The edges of each block, the first values that are kept, and how many of them."""
    settled = np.zeros(blocks, np.bool_)
    if settled_by_base:
        base = firsts[0]
        of_base = (base.size == FIRST_VALUES) & (base.slot >= 0) & (base.block >= 0)
        settled[base.slot[of_base]] = True
    begin = np.zeros(blocks + 1, np.int64)
    for number, each in enumerate(firsts):
        _count_firsts(each.slot, each.start, each.size, settled, number == 0, begin)
    begin = np.cumsum(begin)
    pool, at = np.empty(begin[-1]), begin[:-1].copy()
    for number, each in enumerate(firsts):
        _pool(each.slot, each.start, each.size, each.values, settled, number == 0, pool, at)
    edges, first = np.zeros((blocks, BINS - 1)), np.zeros((blocks, FIRST_VALUES))
    size = np.zeros(blocks, np.int64)
    _place_pooled(begin, pool, edges, first, size)
    return edges, first, size


def _held(merge: Merge, firsts: list[_Firsts], edges: Floats, prior: Floats) -> Floats:
    """What the bins of the merged model hold, as columns of ``Experts.cells``."""
    blocks = edges.shape[0]
    start = np.zeros((blocks, BINS, 6))
    if merge.base is not None:
        _hand_on(firsts[0], _own_bins(merge.base), edges, start)
    pull = _ratio(start[:, :, PULL], start[:, :, SQUARES])
    total = start.copy()
    moved, counted = np.zeros((blocks, BINS)), np.zeros((blocks, BINS))
    for part, first in zip(merge.parts, firsts[-len(merge.parts) :], strict=True):
        mine = np.zeros_like(start)
        _hand_on(first, _own_bins(part), edges, mine)
        known = np.zeros(blocks, np.bool_)
        known[first.slot[first.slot >= 0]] = True
        own = np.where(mine[:, :, SQUARES] > 0.0, _ratio(mine[:, :, PULL], mine[:, :, SQUARES]), 0)
        mine[known] -= start[known]  # it began with what the base had
        for which in (PRECISION, SQUARES, NEGATIVES, POSITIVES):
            np.maximum(mine[:, :, which], 0.0, out=mine[:, :, which])
        total += mine
        moved += np.where(known[:, None], mine[:, :, SQUARES] * (own - pull), 0.0)
        counted += mine[:, :, SQUARES]
    held = np.zeros((blocks, BINS, 6))
    believed = total[:, :, PRECISION] > 0.0
    precision = 1.0 / np.where(prior > 0.0, prior, 1.0)[:, None] + total[:, :, PRECISION]
    held[:, :, CELL_BAYES_WEIGHT] = np.where(believed, total[:, :, MOMENT] / precision, 0.0)
    held[:, :, CELL_BAYES_VARIANCE] = np.where(believed, 1.0 / precision, 0.0)
    held[:, :, CELL_ADAGRAD_WEIGHT] = pull + _ratio(moved, counted)
    held[:, :, CELL_ADAGRAD_SQUARES] = total[:, :, SQUARES]
    held[:, :, CELL_NEGATIVE] = total[:, :, NEGATIVES]
    held[:, :, CELL_POSITIVE] = total[:, :, POSITIVES]
    return held


def _ratio(above: Floats, below: Floats) -> Floats:
    found: Floats = np.divide(above, below, out=np.zeros_like(above), where=below > 0.0)
    return found


def _own_bins(part: Part) -> _OwnBins:
    n, weights = part.columns.size, part.state.experts.weights
    return _OwnBins(
        edges=np.ascontiguousarray(part.state.bins.edges[:, : BINS - 1]),
        cells=part.state.experts.cells.astype(np.float64),
        present=weights[:n, [PRESENT_NEGATIVE, PRESENT_POSITIVE]].astype(np.float64),
        born=weights[:n, AROW_BIRTH].astype(np.float64),
    )


def _early(
    early: Floats, everyone: list[Part], firsts: list[_Firsts], has_bins: NDArray[np.bool_]
) -> None:
    """The first values of features that have no bins yet."""
    taken = np.zeros(early.shape[0], np.int64)
    for part, first in zip(everyone, firsts, strict=True):
        for number in range(EARLY_VALUES):
            there = (first.start <= number) & (number < first.size) & ~has_bins[part.columns]
            columns = part.columns[there]
            free = taken[columns] < EARLY_VALUES
            columns = columns[free]
            early[columns, taken[columns]] = first.values[there, number][free]
            taken[columns] += 1


# ---------------------------------------------------------------------- value by value


@cached
def _count_firsts(
    slot: NDArray[np.int64],
    start: NDArray[np.int64],
    size: NDArray[np.int64],
    settled: NDArray[np.bool_],
    of_first: bool,
    begin: NDArray[np.int64],
) -> None:
    """Count the first values of each block; those of settled ones are the base's alone."""
    for f in range(slot.size):
        s = slot[f]
        if s >= 0 and (of_first or not settled[s]):
            begin[s + 1] += size[f] - start[f]


@cached
def _pool(
    slot: NDArray[np.int64],
    start: NDArray[np.int64],
    size: NDArray[np.int64],
    values: Floats,
    settled: NDArray[np.bool_],
    of_first: bool,
    pool: Floats,
    at: NDArray[np.int64],
) -> None:
    """Put the first values of a model behind those of the models before."""
    for f in range(slot.size):
        s = slot[f]
        if s >= 0 and (of_first or not settled[s]):
            for v in range(start[f], size[f]):
                pool[at[s]] = values[f, v]
                at[s] += 1


@cached
def _place_pooled(
    begin: NDArray[np.int64], pool: Floats, edges: Floats, first: Floats, size: NDArray[np.int64]
) -> None:
    """Quantiles of all first values; a value may fill two bins. At most 64 are kept, evenly."""
    most = first.shape[1]
    bins = edges.shape[1] + 1
    for s in range(size.size):
        every = pool[begin[s] : begin[s + 1]]
        n = every.size
        ordered = np.sort(every)
        size[s] = min(n, most)
        for k in range(size[s]):
            first[s, k] = every[k] if n <= most else ordered[k * (n - 1) // (most - 1)]
        longest = max(1, 2 * n // bins)
        kept, run = 0, 0
        for k in range(n):
            run = run + 1 if k > 0 and ordered[k] == ordered[kept - 1] else 1
            if run <= longest:
                ordered[kept] = ordered[k]
                kept += 1
        for k in range(bins - 1):
            edges[s, k] = ordered[min(kept - 1, (k + 1) * kept // bins)]


@cached
def _hand_on(first: _Firsts, own: _OwnBins, edges: Floats, held: Floats) -> None:
    """Add what the bins of one model hold to the bins of the merged one."""
    bins, inner = held.shape[1], edges.shape[1]
    share = np.zeros((bins, bins))
    size, values, own_edges = first.size, first.values, own.edges
    for f in range(size.size):
        s, b = first.slot[f], first.block[f]
        if s < 0 or size[f] == 0:
            continue
        share[:] = 0.0
        for v in range(size[f]):
            x, old, new = values[f, v], 0, 0
            for k in range(inner):
                old += b >= 0 and x > own_edges[b, k]
                new += x > edges[s, k]
            share[old, new] += 1.0
        for i in range(bins if b >= 0 else 1):
            total = share[i].sum()
            if total == 0.0:  # of a bin without first values: where its upper edge lies
                x, new = own_edges[b, min(i, inner - 1)], 0
                if i == inner:
                    x += 1e-9 * max(1.0, abs(x))
                for k in range(inner):
                    new += x > edges[s, k]
                share[i, new] = total = 1.0
            precision = moment = squares = pull = 0.0
            if b >= 0:
                c = own.cells[b * bins + i]
                if c[1] > 0.0:
                    precision = 1.0 / c[1] - 1.0 / (own.born[f] if own.born[f] > 0.0 else 1.0)
                    moment = c[0] / c[1]
                squares, pull = c[3], c[3] * c[2]
                negatives, positives = c[4], c[5]
            else:
                negatives, positives = own.present[f, 0], own.present[f, 1]
            for j in range(bins):
                part = share[i, j] / total
                if part > 0.0:
                    held[s, j, 0] += part * precision
                    held[s, j, 1] += part * moment
                    held[s, j, 2] += part * squares
                    held[s, j, 3] += part * pull
                    held[s, j, 4] += part * negatives
                    held[s, j, 5] += part * positives
