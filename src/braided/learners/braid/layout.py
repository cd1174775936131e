"""The arrays of Braid, and the meaning of their columns.

The numbers of a feature are stored side by side, so that each value of a row needs few cache lines:
64 bytes of statistics, and 64 bytes of weights of the experts. Bins are in blocks of their own,
made when a feature needs them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Ints, Whole, inlined

__all__ = [
    "BINS",
    "FIRST_VALUES",
    "NO_CELL",
    "Bins",
    "Experts",
    "Features",
    "Ints",
    "Row",
    "Single",
    "Singles",
    "Value",
    "aligned",
    "bin_columns",
    "feature_columns",
    "new_bins",
    "new_experts",
    "new_features",
    "new_row",
    "reserve_bin_columns",
    "reserve_feature_columns",
    "value_of",
]

BINS = 16
"""The number of quantile bins of a feature."""

FIRST_VALUES = 64
"""The number of values from which the bins of a feature are made."""

EARLY_VALUES = 7
"""The number of values that are kept before a feature gets bins."""

NO_CELL = -1
"""Stands for no bin."""

WEIGHT = np.float32
"""The type of weights; statistics, whose differences matter, are float64."""

Single = Any
"""A number in single precision."""

Singles = NDArray[np.float32]

# The columns of Features.stats, 8 in all.
COUNT, BIRTH, MEAN, SPREAD, BIN_BLOCK, DISTINCT, VALUE_1, VALUE_2 = range(8)

# The columns of Experts.weights, those of the experts first, 16 in all.
(
    RATIO_WEIGHT,
    RATIO_SQUARES,
    BAYES_WEIGHT,
    BAYES_VARIANCE,
    AROW_WEIGHT,
    AROW_VARIANCE,
    AROW_BIRTH,
    BINNED_BAYES_WEIGHT,
    BINNED_BAYES_VARIANCE,
    BINNED_ADAGRAD_WEIGHT,
    BINNED_ADAGRAD_SQUARES,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    COLLECTED,
) = range(14)
EXPERT_FIELDS = COLLECTED  # these columns, and those that experts reserved, a replay forgets
ADDED_FIELDS = COLLECTED + 1

# The columns of Experts.cells, one row for each bin of a block, 8 in all.
(
    CELL_BAYES_WEIGHT,
    CELL_BAYES_VARIANCE,
    CELL_ADAGRAD_WEIGHT,
    CELL_ADAGRAD_SQUARES,
    CELL_NEGATIVE,
    CELL_POSITIVE,
) = range(6)

_LINE = 64 // np.dtype(WEIGHT).itemsize
_taken = {"feature": ADDED_FIELDS, "bin": CELL_POSITIVE + 1}
"""How many columns of Experts.weights and Experts.cells are taken."""


def reserve_feature_columns(count: int) -> range:
    """Reserve columns of ``Experts.weights`` for an expert of another package.

    Parameters
    ----------
    count : int
        How many numbers the expert keeps for each feature.

    Returns
    -------
    range
        The numbers of the columns; they begin as 0.
    """
    return _reserve("feature", count)


def reserve_bin_columns(count: int) -> range:
    """Reserve columns of ``Experts.cells`` for an expert of another package.

    Parameters
    ----------
    count : int
        How many numbers the expert keeps for each bin.

    Returns
    -------
    range
        The numbers of the columns; they begin as 0.
    """
    return _reserve("bin", count)


def _reserve(kind: str, count: int) -> range:
    start = _taken[kind]
    _taken[kind] += count
    return range(start, start + count)


def feature_columns() -> int:
    """The number of columns of Experts.weights: whole cache lines."""
    return _LINE * -(-_taken["feature"] // _LINE)


def bin_columns() -> int:
    """The number of columns of Experts.cells: whole halves of cache lines."""
    return _LINE // 2 * -(-_taken["bin"] // (_LINE // 2))


# The columns of Experts.own, a row for each expert.
INTERCEPT, INTERCEPT_SPREAD, MARGIN, UNCERTAINTY, CHANCE = range(5)
OWN_BUFFERS = (..., slice(MARGIN, CHANCE + 1))  # from ``score`` to ``update``

# The numbers of Row.facts, about the row as a whole.
MAIN_SQUARES, RATIO_SQUARES_SUM, BINNED, SCALE, BINNED_SCALE, BIRTH_VARIANCE, KNOWN = range(7)


class Features(NamedTuple):
    """Statistics of features, by column."""

    stats: NDArray[np.float64]
    early: NDArray[np.float64]  # the first values, until there are bins
    mean_width: NDArray[np.float64]  # values of a row


class Bins(NamedTuple):
    """The edges of bins, by block, and the values from which they are made."""

    used: NDArray[np.int64]  # blocks ever used, and how many of them are spare
    spare: NDArray[np.int32]  # the spare blocks
    edges: NDArray[np.float64]
    first: NDArray[np.float64]


class Experts(NamedTuple):
    """What the experts learned: by column, by cell (a bin of a block), and of their own."""

    weights: Singles
    cells: Singles
    own: NDArray[np.float64]


class Row(NamedTuple):
    """The views of the present row: buffers from ``score`` to ``update``."""

    main: Singles
    ratio: Singles
    cell: NDArray[np.int32]  # of the value, or NO_CELL
    bin: NDArray[np.int32]  # the same, but NO_CELL if the feature has only two different values
    facts: NDArray[np.float64]


class Value(NamedTuple):
    """The views of one value, as experts see it."""

    column: Whole
    main: Single
    ratio: Single
    cell: Whole
    bin: Whole


@inlined
def value_of(row: Row, columns: Ints, i: Whole) -> Value:
    """Return the views of the i-th value."""
    return Value(Index(columns[i]), row.main[i], row.ratio[i], row.cell[i], row.bin[i])


def new_features(capacity: int) -> Features:
    """Make empty statistics for so many features."""
    return Features(
        stats=aligned((capacity, 8), np.float64),
        early=aligned((capacity, 8), np.float64),
        mean_width=np.zeros(1),
    )


def new_bins(blocks: int) -> Bins:
    """Make empty bins for so many features."""
    return Bins(
        used=np.zeros(2, np.int64),
        spare=np.zeros(blocks, np.int32),
        edges=aligned((blocks, BINS), np.float64),
        first=np.zeros((blocks, FIRST_VALUES)),
    )


def new_experts(capacity: int, blocks: int, own: NDArray[np.float64]) -> Experts:
    """Make the arrays of experts that have learned nothing."""
    return Experts(
        weights=aligned((capacity, feature_columns()), WEIGHT),
        cells=aligned((blocks * BINS, bin_columns()), WEIGHT),
        own=own,
    )


def new_row(capacity: int) -> Row:
    """Make buffers for a row of so many values."""
    return Row(
        main=np.zeros(capacity, WEIGHT),
        ratio=np.zeros(capacity, WEIGHT),
        cell=np.zeros(capacity, np.int32),
        bin=np.zeros(capacity, np.int32),
        facts=np.zeros(8),
    )


def aligned(shape: tuple[int, int], dtype: type) -> NDArray[Any]:
    """Make zeros that begin at a cache line, so that records need as few lines as possible."""
    bytes_needed = shape[0] * shape[1] * np.dtype(dtype).itemsize
    buffer = np.zeros(bytes_needed + 64, np.uint8)
    start = -buffer.ctypes.data % 64
    return buffer[start : start + bytes_needed].view(dtype).reshape(shape)
