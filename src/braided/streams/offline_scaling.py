"""Scaling a whole set before it is streamed: for remaking the tables of papers only.

A mean over the whole set knows the future, so none of this belongs before a real stream.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.parameters import check_choice
from braided.rows.rows import Rows

__all__ = ["ABSENT", "MOST_CELLS", "SCALINGS", "scaled"]

SCALINGS = ("none", "zscore", "unit", "zscore+unit")
ABSENT = ("unobserved", "zero")

MOST_CELLS = 200_000_000
"""The most cells that dense rows may have: 1.6 GB of values."""


def scaled(rows: Rows, how: str, *, absent: str = "unobserved") -> Rows:
    """The rows scaled offline, over the whole set: to remake papers, never for a real stream.

    Parameters
    ----------
    rows
        the whole set; it is not changed.
    how
        ``"none"``; ``"zscore"``: each column to mean 0 and (population) standard deviation 1, a
        constant column to 0; ``"unit"``: each row to Euclidean norm 1, a row of zeros stays;
        ``"zscore+unit"``: the one, then the other.
    absent
        what an entry that is not written is: ``"unobserved"``, or ``"zero"``, an observed 0. A
        z-score always takes it as zero: the rows become dense.

    Examples
    --------
    >>> from braided import as_rows
    >>> rows = as_rows([{"a": 3.0, "b": 4.0}, {"a": 5.0}])
    >>> list(scaled(rows, "unit").dicts())
    [{'a': 0.6, 'b': 0.8}, {'a': 1.0}]
    >>> list(scaled(rows, "zscore").dicts())
    [{'a': -1.0, 'b': 1.0}, {'a': 1.0, 'b': -1.0}]
    """
    check_choice("how", how, SCALINGS)
    check_choice("absent", absent, ABSENT)
    zscore = "zscore" in how
    if zscore or absent == "zero":
        dense = _dense(rows)
        rows = _dense_rows(_zscore(dense) if zscore else dense, rows)
    return _unit(rows) if "unit" in how else rows


def _dense(rows: Rows) -> NDArray[np.float64]:
    cells = len(rows) * rows.width
    if cells > MOST_CELLS:
        raise InputError(
            f"{len(rows)} rows of {rows.width} columns are {cells:.3g} cells when dense; at most "
            f'{MOST_CELLS:.3g} are allowed (how="none" or "unit" with absent="unobserved" keeps '
            "rows sparse)"
        )
    dense = np.zeros((len(rows), rows.width))
    dense[rows.row_of_entry(), rows.indices] = rows.values
    return dense


def _dense_rows(dense: NDArray[np.float64], like: Rows) -> Rows:
    n, width = dense.shape
    return replace(
        like,
        indptr=np.arange(n + 1, dtype=np.int64) * width,
        indices=np.tile(np.arange(width, dtype=np.int32), n),
        values=dense.ravel(),
    )


def _zscore(dense: NDArray[np.float64]) -> NDArray[np.float64]:
    """The columns to mean 0 and standard deviation 1, in place."""
    if dense.size == 0:
        return dense
    n = dense.shape[0]
    # Rounding may make a constant column's deviation a tiny number instead of 0.
    constant = dense.max(axis=0) == dense.min(axis=0)
    dense -= dense.mean(axis=0)
    # Divided by the largest, no square can underflow; the second mean is what rounding left.
    largest = np.maximum(dense.max(axis=0), -dense.min(axis=0))
    dense /= np.where(constant, 1.0, largest)
    dense -= dense.mean(axis=0)
    deviation = np.sqrt(np.einsum("ij,ij->j", dense, dense) / n)
    dense /= np.where(constant, 1.0, deviation)
    dense[:, constant] = 0.0
    return dense


def _unit(rows: Rows) -> Rows:
    row = rows.row_of_entry()
    # Divided by the largest of its row, no square can underflow.
    largest = np.zeros(len(rows))
    np.maximum.at(largest, row, np.abs(rows.values))
    largest[largest == 0.0] = 1.0
    values = rows.values / largest[row]
    norms = np.sqrt(np.bincount(row, weights=values * values, minlength=len(rows)))
    norms[norms == 0.0] = 1.0
    return replace(rows, values=values / norms[row])
