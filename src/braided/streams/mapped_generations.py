"""Generations of features that describe the last generation anew, by random sums of it."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, cached
from braided.errors import InputError
from braided.rows.rows import Rows
from braided.streams.random_numbers import Draws, Purpose

__all__ = ["MOST_MAPPED", "with_mapped_generations"]

MOST_MAPPED = 2048
"""Features that a map is made of; it has as many rows and columns."""


def with_mapped_generations(
    rows: Rows, columns: NDArray[np.int64], generations: int, seed: int
) -> Rows:
    """Append, to the columns of the first generation, those of the next ones.

    Each generation has as many features as the first; they are sums over the last generation with
    weights from a normal distribution of variance 1 / (number of features), so that rows keep their
    length on average.

    Parameters
    ----------
    rows : Rows
        The rows of the first generation.
    columns : ndarray of int
        Its columns; others are left out.
    generations : int
        How many generations there are, the first one included.
    seed : int
        The seed of the maps.

    Returns
    -------
    Rows
        The rows with the values of all generations.

    Raises
    ------
    InputError
        If there are more features than a map is made of.
    """
    d, n = columns.size, len(rows)
    if d > MOST_MAPPED:
        raise InputError(
            f'map="gaussian" is for at most {MOST_MAPPED} features that hold a value, not for {d}'
        )
    place = np.full(rows.width, -1, np.int64)
    place[columns] = np.arange(d)
    last = _dense(rows.indptr, rows.indices, rows.values, place, d)
    draws = Draws(seed, Purpose.MAPS)
    found = []
    for _ in range(generations - 1):
        last = _mapped(last, draws.normal(d, d) / math.sqrt(max(1, d)))
        found.append(last)
    new = np.concatenate(found, axis=1) if found else np.zeros((n, 0))
    keep = place[rows.indices] >= 0
    kept = rows.select(keep)
    counts = np.diff(kept.indptr)
    indptr = kept.indptr + np.arange(n + 1) * new.shape[1]
    old = np.arange(kept.values.size) + np.repeat(np.arange(n) * new.shape[1], counts)
    indices = np.empty(indptr[-1], np.int32)
    values = np.empty(indptr[-1])
    added = np.ones(indptr[-1], np.bool_)
    added[old] = False
    indices[old], values[old] = kept.indices, kept.values
    indices[added] = np.tile(rows.width + np.arange(new.shape[1], dtype=np.int32), n)
    values[added] = new.ravel()
    names: list[Hashable] = list(range(rows.width) if rows.names is None else rows.names)
    names += [f"map{g}.{j}" for g in range(2, generations + 1) for j in range(d)]
    return replace(
        kept, indptr=indptr, indices=indices, values=values, names=names, width=len(names)
    )


@cached
def _dense(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    place: NDArray[np.int64],
    d: int,
) -> NDArray[np.float64]:
    dense = np.zeros((indptr.size - 1, d))
    for row in range(indptr.size - 1):
        for entry in range(indptr[row], indptr[row + 1]):
            column = place[Index(indices[entry])]
            if column >= 0:
                dense[row, column] = values[entry]
    return dense


@cached
def _mapped(last: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply in a fixed order: a library's product differs in its last digits by machine."""
    n, d = last.shape
    new = np.zeros((n, d))
    for row in range(n):
        for i in range(d):
            value = last[row, i]
            for j in range(d):
                new[row, j] += value * weights[i, j]
    return new
