"""Replay: the first rows are learned again, when more is known about their features.

At the beginning there is no mean and no spread to scale a value. So the first 64 rows are kept;
after 2, 4, 8, ..., 64 rows the experts forget everything and learn those rows again, with the
present statistics. Stack and expert weights are not replayed: they must know how well the experts
predict new rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, compiled

__all__ = ["ROWS_KEPT", "FirstRows", "keep_row", "new_first_rows", "replays_after", "values_wanted"]

ROWS_KEPT = 64


class FirstRows(NamedTuple):
    """The first rows, one after another."""

    indptr: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]
    labels: NDArray[np.float64]
    weights: NDArray[np.float64]


def new_first_rows(room: int) -> FirstRows:
    """Make room for rows with so many values."""
    return FirstRows(
        indptr=np.zeros(ROWS_KEPT + 1, np.int64),
        columns=np.zeros(room, np.int32),
        values=np.zeros(room),
        labels=np.zeros(ROWS_KEPT),
        weights=np.zeros(ROWS_KEPT),
    )


@compiled
def values_wanted(first: FirstRows, columns: int, rounds: int) -> int:
    """Return how many values are kept after the next row, which has so many columns."""
    return first.indptr[rounds] + columns if rounds < ROWS_KEPT else 0


@compiled
def keep_row(
    first: FirstRows, columns: Ints, values: Floats, label: float, weight: float, row: int
) -> None:
    """Keep a row, if it is one of the first."""
    if row >= ROWS_KEPT:
        return
    start = first.indptr[row]
    for i in range(columns.size):
        first.columns[start + i] = columns[i]
        first.values[start + i] = values[i]
    first.indptr[row + 1] = start + columns.size
    first.labels[row] = label
    first.weights[row] = weight


@compiled
def replays_after(rounds: int) -> bool:
    """Return whether to replay after so many rows: after 2, 4, 8, ..., 64."""
    return 2 <= rounds <= ROWS_KEPT and rounds & (rounds - 1) == 0
