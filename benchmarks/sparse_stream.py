"""A synthetic text-like stream: words by Zipf's law, new ones for ever."""

from __future__ import annotations

import numpy as np

from braided import Rows, as_rows

SHAPE = 2.85
SHIFT = 100.0
LARGEST_RANK = (1 << 40) - 1


def sparse_stream(rows: int = 200_000, tokens: int = 47, seed: int = 0) -> Rows:
    """About 46 different words a row; 200,000 rows see about 770,000 words.

    Words are numbered in order of first sight, as in a vocabulary that grows with its stream.
    """
    rng = np.random.default_rng(seed)
    # The Zipf-Mandelbrot law over a vocabulary without end, by inversion.
    rank = SHIFT * ((1.0 - rng.random(rows * tokens)) ** -SHAPE - 1.0)
    rank = np.minimum(rank, LARGEST_RANK).astype(np.int64)
    keys = np.unique(np.repeat(np.arange(rows), tokens) << 40 | rank)
    row, rank = keys >> 40, keys & LARGEST_RANK
    rng_values = np.random.default_rng(seed + 1)
    words, first = np.unique(rank, return_index=True)
    column_of = np.empty(words.size, np.int64)
    column_of[np.argsort(first)] = np.arange(words.size)
    indices = column_of[np.searchsorted(words, rank)].astype(np.int32)
    values = rng_values.random(indices.size) + 0.5
    indptr = np.searchsorted(row, np.arange(rows + 1)).astype(np.int64)
    hidden = np.random.default_rng(seed + 2).normal(size=words.size)
    margin = np.add.reduceat(hidden[indices] * values, indptr[:-1])
    labels = np.where(margin + rng_values.normal(size=rows) > 0, 1, -1)
    return as_rows(Rows(indptr, indices, values, words.size, None, labels))
