"""Offline scaling: scale a whole data set before it is streamed, to reproduce papers.

A mean over the whole data set uses rows that come later, so this is not for real streams.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.parameters import check_choice
from braided.rows.rows import Rows

__all__ = ["ABSENT", "MOST_CELLS", "SCALINGS", "scaled"]

SCALINGS = ("none", "zscore", "unit", "zscore+unit", "tfidf")
UNIT_ROWS = ("unit", "zscore+unit", "tfidf")
"""The scalings that give each row norm 1 at the end."""

ABSENT = ("unobserved", "zero")

MOST_CELLS = 200_000_000
"""The most values of dense rows: 1.6 GB."""


def scaled(rows: Rows, how: str, *, absent: str = "unobserved") -> Rows:
    """Scale rows over the whole data set, to reproduce papers.

    Parameters
    ----------
    rows : Rows
        The whole data set; it is not changed.
    how : "none", "zscore", "unit", "zscore+unit" or "tfidf"
        With ``"zscore"``, each column gets mean 0 and (population) standard deviation 1, and a
        constant column becomes 0. With ``"unit"``, each row gets Euclidean norm 1, and a row of
        zeros stays. With ``"zscore+unit"``, first the one, then the other. With ``"tfidf"``, for
        counts of words: of n rows, df have a value other than 0 in the column; the value is
        multiplied by ``log((1 + n) / (1 + df)) + 1``, then each row gets norm 1, as in
        scikit-learn's ``TfidfTransformer``.
    absent : "unobserved" or "zero", default "unobserved"
        What a value that is not stored means: unobserved, or an observed 0. With z-scores it is
        always an observed 0, and the rows become dense.

    Returns
    -------
    Rows
        The scaled rows.

    Raises
    ------
    InputError
        If an argument is not allowed, or dense rows would take more than 1.6 GB.

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
    if how == "tfidf":
        rows = _tfidf(rows)
    return _unit(rows) if how in UNIT_ROWS else rows


def _dense(rows: Rows) -> NDArray[np.float64]:
    cells = len(rows) * rows.width
    if cells > MOST_CELLS:
        raise InputError(
            f"{len(rows)} rows of {rows.width} columns are {cells:.3g} cells when dense; at most "
            f'{MOST_CELLS:.3g} are allowed (how="none", "unit" or "tfidf" with absent="unobserved" '
            "keeps rows sparse)"
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
    # Divided by the largest value, no square underflows; the second mean removes rounding errors.
    largest = np.maximum(dense.max(axis=0), -dense.min(axis=0))
    dense /= np.where(constant, 1.0, largest)
    dense -= dense.mean(axis=0)
    deviation = np.sqrt(np.einsum("ij,ij->j", dense, dense) / n)
    dense /= np.where(constant, 1.0, deviation)
    dense[:, constant] = 0.0
    return dense


def _tfidf(rows: Rows) -> Rows:
    """The values times the inverse document frequencies of their columns."""
    documents = np.bincount(rows.indices[rows.values != 0.0], minlength=rows.width)
    weights = np.log((1 + len(rows)) / (1 + documents)) + 1.0
    return replace(rows, values=rows.values * weights[rows.indices])


def _unit(rows: Rows) -> Rows:
    row = rows.row_of_entry()
    # Divided by the largest value of its row, no square underflows.
    largest = np.zeros(len(rows))
    np.maximum.at(largest, row, np.abs(rows.values))
    largest[largest == 0.0] = 1.0
    values = rows.values / largest[row]
    norms = np.sqrt(np.bincount(row, weights=values * values, minlength=len(rows)))
    norms[norms == 0.0] = 1.0
    return replace(rows, values=values / norms[row])
