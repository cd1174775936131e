"""The views of a value: z-score, ratio to the usual size, and quantile bin.

The statistics of a feature include the present value, which is known before its label::

    z     = (x - mean) / sd           limited to 3 and -3
    ratio = x / root mean square      limited to 5 and -5
    main  = ratio of a rare feature (observed in less than 1/4 of the rounds since its first), since
            where it is absent it is most likely zero; else z
    bin   = how many of the feature's 15 edges are below x
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, Ints, Whole, inlined
from braided.kernels.memory import prefetch
from braided.learners.braid.layout import (
    BIN_BLOCK,
    BINNED,
    BINS,
    BIRTH,
    COUNT,
    DISTINCT,
    KNOWN,
    MAIN_SQUARES,
    MEAN,
    NO_CELL,
    RATIO_SQUARES_SUM,
    SPREAD,
    Bins,
    Experts,
    Features,
    Row,
)

__all__ = ["fill_views"]

LARGEST_Z = 3.0
LARGEST_RATIO = 5.0
RARE = 0.25
"""A feature is rare below this share of the rounds since it was first observed."""

NEGLIGIBLE = 1e-12
"""A variance below this share of the mean square is a rounding error."""


@inlined
def fill_views(
    features: Features,
    bins: Bins,
    experts: Experts,
    row: Row,
    columns: Ints,
    values: Floats,
    now: float,
    new: bool,
) -> None:
    """Write the views of a row of round ``now``; a ``new`` row is not in the statistics yet."""
    for column in columns:
        prefetch(features.stats, column, 0)
        prefetch(experts.weights, column, 0)
    _scale_values(features, bins, row, columns, values, now, new)
    _place_in_bins(features, bins, experts, row, columns, values)


@inlined
def _scale_values(
    features: Features,
    bins: Bins,
    row: Row,
    columns: Ints,
    values: Floats,
    now: float,
    new: bool,
) -> None:
    """Write the ratio and the main view."""
    stats = features.stats
    one = 1.0 if new else 0.0
    main_squares, ratio_squares, known = 0.0, 0.0, columns.size
    for i in range(columns.size):
        j, x = Index(columns[i]), values[i]
        count, birth = stats[j, COUNT] + one, stats[j, BIRTH]
        if new and count == 1.0:
            birth = now
            known -= 1
        inverse = 1.0 / count
        mean, spread = stats[j, MEAN], stats[j, SPREAD]
        if new:
            step = x - mean
            mean += step * inverse
            spread += step * (x - mean)
        variance = spread * inverse
        square = variance + mean * mean
        ratio, main = 0.0, 0.0
        if square > 0.0:
            ratio = max(-LARGEST_RATIO, min(LARGEST_RATIO, x / math.sqrt(square)))
        if count - 0.5 < RARE * (now - birth + 1.0):
            main = ratio
        elif variance > NEGLIGIBLE * square:
            main = max(-LARGEST_Z, min(LARGEST_Z, (x - mean) / math.sqrt(variance)))
        ratio, main = np.float64(np.float32(ratio)), np.float64(np.float32(main))
        row.ratio[i], row.main[i] = ratio, main
        ratio_squares += ratio * ratio
        main_squares += main * main
        block = np.int32(stats[j, BIN_BLOCK])
        row.cell[i] = block
        prefetch(bins.edges, block - 1, 0)
        prefetch(bins.edges, block - 1, BINS // 2)
    row.facts[MAIN_SQUARES] = main_squares
    row.facts[RATIO_SQUARES_SUM] = ratio_squares
    row.facts[KNOWN] = known


@inlined
def _place_in_bins(
    features: Features, bins: Bins, experts: Experts, row: Row, columns: Ints, values: Floats
) -> None:
    """Write the bins of features that have bins."""
    stats, binned = features.stats, 0
    for i in range(columns.size):
        j, block = Index(columns[i]), row.cell[i] - 1
        row.cell[i] = row.bin[i] = NO_CELL
        if block >= 0:
            row.cell[i] = block * BINS + edges_below(bins.edges, Index(block), values[i])
            prefetch(experts.cells, row.cell[i], 0)
            if stats[j, DISTINCT] > 2.0:
                row.bin[i] = row.cell[i]
                binned += 1
    row.facts[BINNED] = binned


@inlined
def edges_below(edges: Floats, block: Whole, x: float) -> Whole:
    """Return how many of the 15 edges of a block are below x, by bisection."""
    below = Index(8) if x > edges[block, 7] else Index(0)
    below += Index(4) if x > edges[block, below + Index(3)] else Index(0)
    below += Index(2) if x > edges[block, below + Index(1)] else Index(0)
    below += Index(1) if x > edges[block, below] else Index(0)
    return np.int32(below)
