"""The views of a value: how far from the mean, how large beside the usual, which quantile bin.

The statistics of a feature include the present value, which is known before the label is::

    z     = (x - mean) / sd           at most 3 either way
    ratio = x / root mean square      at most 5 either way
    main  = ratio of a rare feature (observed in less than 1/4 of the rounds since its first), since
            where it is absent it is most likely zero; else z
    bin   = how many of the feature's 15 edges lie below x
"""

from __future__ import annotations

import math

from braided.kernels.compiled import Floats, Ints, compiled
from braided.learners.braid.layout import (
    BINNED,
    BINS,
    BIRTH,
    BLOCK,
    COUNT,
    DISTINCT,
    KNOWN,
    MAIN_SQUARES,
    MEAN,
    NO_CELL,
    RATIO_SQUARES_SUM,
    SPREAD,
    Bins,
    Features,
    Row,
)

__all__ = ["look"]

LARGEST_Z = 3.0
LARGEST_RATIO = 5.0
RARE = 0.25
"""A feature is rare below this share of the rounds since it was first observed."""

NEGLIGIBLE = 1e-12
"""A variance below this share of the mean square is rounding."""


@compiled
def look(
    features: Features,
    bins: Bins,
    row: Row,
    columns: Ints,
    values: Floats,
    now: float,
    new: bool,
) -> None:
    """Fill in the views of a row, in round ``now``; a ``new`` row is not in the statistics yet."""
    stats = features.stats
    one = 1.0 if new else 0.0
    main_squares, ratio_squares, binned, known = 0.0, 0.0, 0, columns.size
    for i in range(columns.size):
        j, x = columns[i], values[i]
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
        row.ratio[i], row.main[i] = ratio, main
        ratio_squares += ratio * ratio
        main_squares += main * main
        row.cell[i] = row.bin[i] = NO_CELL
        if stats[j, BLOCK] > 0.0:
            block = int(stats[j, BLOCK]) - 1
            row.cell[i] = block * BINS + edges_below(bins.edges, block, x)
            if stats[j, DISTINCT] > 2.0:
                row.bin[i] = row.cell[i]
                binned += 1
    row.facts[MAIN_SQUARES] = main_squares
    row.facts[RATIO_SQUARES_SUM] = ratio_squares
    row.facts[BINNED] = binned
    row.facts[KNOWN] = known


@compiled
def edges_below(edges: Floats, block: int, x: float) -> int:
    """How many of the 15 edges of a block lie below x, by halving."""
    below = 8 if x > edges[block, 7] else 0
    below += 4 if x > edges[block, below + 3] else 0
    below += 2 if x > edges[block, below + 1] else 0
    below += 1 if x > edges[block, below] else 0
    return below
