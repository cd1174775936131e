"""Sparse matrices, and Rows made by hand, as checked rows: what is not stored is unobserved."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.rows.rows import Rows
from braided.rows.validation import check_names, clean, own_names, plain, with_labels

__all__ = ["MOST_COLUMNS", "from_rows", "from_sparse", "is_sparse"]

MOST_COLUMNS = 2**31 - 1
"""Kernels see a column as a 32-bit number."""


def is_sparse(X: Any) -> bool:
    """Whether X is a matrix of SciPy (then SciPy is loaded already)."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def from_sparse(X: Any, names: Sequence[Hashable] | None) -> Rows:
    """Rows from a matrix of SciPy, whatever its format."""
    if X.ndim != 2:
        raise InputError(f"a sparse matrix must have rows and columns, this has shape {X.shape}")
    import scipy.sparse as sp

    try:
        if X.format == "csc":  # which SciPy would convert without looking at its indices
            sp.csc_matrix(X).check_format(full_check=True)
        csr = sp.csr_matrix(X)
    except ValueError as error:
        raise InputError(f"a malformed sparse matrix: {error}") from None
    own = own_names(names, csr.shape[1])
    return _from_compressed(csr.indptr, csr.indices, csr.data, csr.shape[1], own)


def from_rows(rows: Rows) -> Rows:
    """The same rows, checked, with their labels."""
    compressed = _from_compressed(rows.indptr, rows.indices, rows.values, rows.width, rows.names)
    fields = {"weights": rows.weights, "keys": rows.keys, "schema": rows.schema}
    return with_labels(compressed, rows.labels).with_arrays(**fields)


def _from_compressed(
    indptr: Any, indices: Any, values: Any, width: int, names: Sequence[Hashable] | None
) -> Rows:
    """Rows from arrays that others made; all is checked, since kernels trust them."""
    for array, kinds in ((indptr, "iu"), (indices, "iu"), (values, "biuf")):
        if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in kinds:
            raise InputError(
                "compressed rows are arrays of one dimension: indptr and indices of ints, values "
                f"of numbers; not {getattr(array, 'dtype', type(array).__name__)}"
            )
    if not isinstance(width, Integral) or not 0 <= width <= MOST_COLUMNS:
        raise InputError(f"{width!r} columns: expected an int from 0 to {MOST_COLUMNS}")
    end = int(indptr[-1]) if indptr.size else -1
    if not (0 <= end <= min(indices.size, values.size)) or indptr[0] != 0:
        raise InputError("indptr must go from 0 to the number of values")
    if bool((indptr[1:] < indptr[:-1]).any()):
        raise InputError("indptr must not decrease")
    if names is not None:
        check_names(names, width)
    indptr, indices = plain(indptr, np.int64), indices[:end]
    if end and not (indices.min() >= 0 and indices.max() < width):
        first = int(np.flatnonzero((indices < 0) | (indices >= width))[0])
        row = int(np.searchsorted(indptr, first, side="right")) - 1
        raise InputError(f"row {row}: column {indices[first]} is not among the {width} columns")
    indices, values = plain(indices, np.int32), plain(values[:end], np.float64)
    rows = Rows(indptr, indices, values, int(width), names)
    _refuse_duplicates(rows)
    return clean(rows)


def _refuse_duplicates(rows: Rows) -> None:
    rises = rows.indices[1:] > rows.indices[:-1]
    first_of_row = rows.indptr[1:-1]
    rises[first_of_row[(first_of_row > 0) & (first_of_row < rows.indices.size)] - 1] = True
    if bool(rises.all()):  # most rows come sorted
        return
    keys = rows.row_of_entry() * rows.width + rows.indices
    order = np.sort(keys)
    repeated = np.flatnonzero(order[1:] == order[:-1])
    if repeated.size:
        row, column = divmod(int(order[repeated[0]]), rows.width)
        raise InputError(f"row {row}: feature {rows.name(column)!r} appears twice")
