"""Statistics of features, without labels: counts, means, spreads, and the edges of bins.

A row is added to the statistics after it was learned. The edges of a feature's bins are the 1/16,
..., 15/16 quantiles of its first 8, 16, 32 and finally 64 values; a repeated value counts at most
as often as fills two bins, so that one common value does not take all bins. A feature has bins from
its eighth value on, if it has had two different values.
"""

from __future__ import annotations

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.memory import vector_on_stack
from braided.learners.braid.layout import (
    BIN_BLOCK,
    BINS,
    BIRTH,
    CELL_NEGATIVE,
    CELL_POSITIVE,
    COLLECTED,
    COUNT,
    DISTINCT,
    EARLY_VALUES,
    FIRST_VALUES,
    MEAN,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    SPREAD,
    VALUE_1,
    VALUE_2,
    Bins,
    Experts,
    Features,
)

__all__ = ["blocks_wanted", "free_block", "update_statistics"]

WORTH = 2
"""How many bins a single value may fill."""


@inlined
def update_statistics(
    features: Features, bins: Bins, experts: Experts, columns: Ints, values: Floats, now: float
) -> None:
    """Add the row of round ``now`` to the statistics."""
    stats, weights = features.stats, experts.weights
    for i in range(columns.size):
        j, x = Index(columns[i]), values[i]
        if stats[j, COUNT] == 0.0:
            stats[j, BIRTH] = now
        stats[j, COUNT] += 1.0
        step = x - stats[j, MEAN]
        stats[j, MEAN] += step / stats[j, COUNT]
        stats[j, SPREAD] += step * (x - stats[j, MEAN])
        if stats[j, DISTINCT] < 3.0:
            _note_different(features, j, x)
        without_bins = stats[j, BIN_BLOCK] == 0.0 and stats[j, DISTINCT] > 1.0
        if weights[j, COLLECTED] < FIRST_VALUES or without_bins:
            _collect(features, bins, experts, j, x)
    features.mean_width[0] += (columns.size - features.mean_width[0]) / (now + 1.0)


@compiled
def blocks_wanted(bins: Bins, columns: int, seen: int) -> int:
    """Return how many blocks may be in use after a row of so many columns."""
    in_use = bins.used[0] - bins.used[1]
    return int(in_use + min(columns, seen - in_use))


@compiled
def free_block(bins: Bins, experts: Experts, block: int) -> None:
    """Empty a block, so that another feature can use it."""
    bins.edges[block] = 0.0
    bins.first[block] = 0.0
    experts.cells[block * BINS : (block + 1) * BINS] = 0.0
    bins.spare[bins.used[1]] = block
    bins.used[1] += 1


@compiled
def _take_block(bins: Bins) -> int:
    if bins.used[1] > 0:
        bins.used[1] -= 1
        return int(bins.spare[bins.used[1]])
    bins.used[0] += 1
    return int(bins.used[0] - 1)


@compiled
def _note_different(features: Features, j: Whole, x: float) -> None:
    """Count different values up to three."""
    stats = features.stats
    if stats[j, DISTINCT] == 0.0:
        stats[j, VALUE_1] = x
        stats[j, DISTINCT] = 1.0
    elif x != stats[j, VALUE_1]:
        if stats[j, DISTINCT] == 1.0:
            stats[j, VALUE_2] = x
            stats[j, DISTINCT] = 2.0
        elif x != stats[j, VALUE_2]:
            stats[j, DISTINCT] = 3.0


@compiled
def _collect(features: Features, bins: Bins, experts: Experts, j: Whole, x: float) -> None:
    """Keep one of a feature's first values, and compute the edges of its bins if it is time."""
    stats, early = features.stats, features.early
    collected = int(experts.weights[j, COLLECTED])
    if stats[j, BIN_BLOCK] == 0.0 and stats[j, DISTINCT] > 1.0 and collected >= EARLY_VALUES:
        _open_block(features, bins, experts, j, collected)
    if collected == FIRST_VALUES:
        return
    if stats[j, BIN_BLOCK] > 0.0:
        block = int(stats[j, BIN_BLOCK]) - 1
        bins.first[block, collected] = x
        if (collected + 1) & collected == 0:
            _place_edges(bins.edges, bins.first, block, collected + 1)
    elif collected < EARLY_VALUES:
        early[j, collected] = x
    experts.weights[j, COLLECTED] = collected + 1


@compiled
def _open_block(features: Features, bins: Bins, experts: Experts, j: Whole, collected: int) -> None:
    """Give a feature bins; the lowest gets what was counted without bins.

    If the second different value came after the early values, all values before it were equal.
    """
    block = _take_block(bins)
    features.stats[j, BIN_BLOCK] = block + 1
    value = features.stats[j, VALUE_1]
    for k in range(collected):
        bins.first[block, k] = features.early[j, k] if k < EARLY_VALUES else value
    for k in range(BINS - 1):
        bins.edges[block, k] = value
    lowest = block * BINS
    experts.cells[lowest, CELL_NEGATIVE] = experts.weights[j, PRESENT_NEGATIVE]
    experts.cells[lowest, CELL_POSITIVE] = experts.weights[j, PRESENT_POSITIVE]


@compiled
def _place_edges(edges: Floats, first: Floats, block: int, size: int) -> None:
    """Compute the edges: quantiles of the first values, with limited numbers of equal values."""
    ordered = vector_on_stack(FIRST_VALUES)
    for k in range(size):
        x, place = first[block, k], k
        while place > 0 and ordered[place - 1] > x:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = x
    longest = max(1, WORTH * size // BINS)
    kept, run, last = 0, 0, 0.0
    for k in range(size):
        x = ordered[k]
        run = run + 1 if k > 0 and x == last else 1
        last = x
        if run <= longest:
            ordered[kept] = x
            kept += 1
    for k in range(BINS - 1):
        edges[block, k] = ordered[min(kept - 1, (k + 1) * kept // BINS)]
