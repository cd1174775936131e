"""Dense arrays as rows: NaN, None and what is masked is unobserved."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.rows.rows import Rows
from braided.rows.validation import as_array, clean, number, own_names, plain

__all__ = ["from_dense"]


def from_dense(X: Any, names: Sequence[Hashable] | None) -> Rows:
    """Rows from an array of two dimensions, or from anything that NumPy makes one of."""
    array = as_array(X)
    if array.ndim != 2:
        raise InputError(
            f"X has shape {array.shape}: expected a list of dicts, a sparse matrix, a frame or an "
            "array with rows and columns. Reshape your data"
        )
    n, width = array.shape
    own = own_names(names, width)
    indptr = np.arange(n + 1, dtype=np.int64) * width
    indices = np.tile(np.arange(width, dtype=np.int32), n)
    if array.dtype.kind in "biuf":
        values = plain(array.ravel(), np.float64)
    elif array.dtype.kind in "OUS":
        features = range(width) if own is None else own
        values = np.array(
            [
                number(cell, row, feature)
                for row, cells in enumerate(array.tolist())
                for feature, cell in zip(features, cells, strict=True)
            ]
        )
    else:
        complex_or_not = "Complex data not supported: " if array.dtype.kind == "c" else ""
        raise InputError(f"{complex_or_not}an array of {array.dtype}; expected real numbers")
    return clean(Rows(indptr, indices, values, width, own))
