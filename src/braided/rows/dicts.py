"""Dicts as rows: a missing key, None and NaN are unobserved."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.rows.rows import Rows, offsets
from braided.rows.validation import NO_NAME, clean, holds_nan, number

__all__ = ["from_dicts", "holds_dicts"]


def holds_dicts(X: Any) -> bool:
    """Whether X is to be read as dicts, by its first row: an empty list is."""
    if getattr(X, "ndim", 1) != 1 or isinstance(X, str | bytes):
        return False
    if isinstance(X, Sequence | np.ndarray):
        is_list = isinstance(X, Sequence)
        return isinstance(X[0], Mapping) if len(X) else is_list
    return isinstance(X, Iterable)


def from_dicts(dicts: Sequence[Mapping[Hashable, Any]]) -> Rows:
    """Rows from dicts, with a column for each name in order of first sight."""
    for row, x in enumerate(dicts):
        if not isinstance(x, Mapping):
            raise InputError(f"row {row}: expected a dict, got {x!r}")
    counts = np.fromiter(map(len, dicts), np.int64, len(dicts))
    indptr = offsets(counts)
    cells = list(chain.from_iterable(x.values() for x in dicts))
    try:
        values = np.array(cells) if cells else np.empty(0)
    except ValueError:  # a list among numbers
        values = np.empty((0, 0))
    if values.dtype.kind not in "biuf" or values.ndim != 1:
        rows = np.repeat(np.arange(len(dicts)), counts)
        keys = chain.from_iterable(dicts)
        triples = zip(cells, rows, keys, strict=True)
        values = np.array([number(cell, int(row), key) for cell, row, key in triples])
    columns = {name: c for c, name in enumerate(dict.fromkeys(chain.from_iterable(dicts)))}
    if holds_nan(columns):
        raise InputError(NO_NAME)
    column_of = columns.__getitem__
    indices = np.fromiter(map(column_of, chain.from_iterable(dicts)), np.int32, values.size)
    names = list(columns)
    return clean(Rows(indptr, indices, values.astype(np.float64), len(names), names))
