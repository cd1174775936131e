"""Every kind of input becomes Rows here, checked and clean.

What is observed (nothing else in the project decides this):

====================  =============================  ===================
input                 unobserved                     observed zero
====================  =============================  ===================
dict                  missing key, ``None``, NaN     a key with 0
CSR matrix            an entry that is not stored    a stored 0
dense array           NaN, ``None``, a masked cell   0
frame, columns        null, NaN, empty text          0
====================  =============================  ===================

Infinity, magnitudes beyond ``LARGEST`` and things that are no numbers are refused.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.frames import columns_of, is_frame
from braided.rows import LARGEST, Rows, offsets

__all__ = ["as_rows", "from_columns", "holds_nan"]

NO_NAME = "NaN can not be the name of a feature: it is not equal to itself"

MOST_COLUMNS = 2**31 - 1
"""Kernels see a column as a 32-bit number."""


def as_rows(X: Any, y: Any = None, *, feature_names: Sequence[Hashable] | None = None) -> Rows:
    """Rows from dicts, a CSR matrix, a dense array, a frame, or Rows; checked and clean.

    Parameters
    ----------
    X
        a sequence of dicts; a SciPy sparse matrix; a dense array (NaN is unobserved); a frame of
        pandas, polars or Arrow (null is unobserved, text becomes indicators); or Rows.
    y
        a label per row.
    feature_names
        the names of the columns of a sparse matrix or an array; all else has names of its own.

    Examples
    --------
    >>> rows = as_rows([{"age": 31, "height": None}, {"age": 64, "weight": 0}])
    >>> list(rows.dicts())
    [{'age': 31.0}, {'age': 64.0, 'weight': 0.0}]
    """
    if isinstance(X, Rows):
        rows = X if X.checked else _from_rows(X)
    elif _is_sparse(X):
        return _labelled(_from_sparse(X, feature_names), y)
    elif is_frame(X):
        rows = _from_columns(*columns_of(X))
    elif isinstance(X, Mapping):
        raise InputError("X is one dict; give a list of dicts, or use learn_one and predict_one")
    elif _holds_dicts(X):
        rows = _from_dicts(X if isinstance(X, Sequence) else list(X))
    else:
        return _labelled(_from_dense(X, feature_names), y)
    if feature_names is not None:
        raise InputError("feature_names are for arrays and sparse matrices: X has its own names")
    return _labelled(rows, y)


def from_columns(columns: Mapping[Any, Any], labels: Any = None) -> Rows:
    """Rows from named columns of one length: numbers are values, text becomes indicators.

    The text ``"A11"`` in the column ``checking`` is the feature ``checking=A11`` with value 1.

    Examples
    --------
    >>> rows = from_columns({"age": [31.0, float("nan")], "pet": ["cat", "dog"]})
    >>> list(rows.dicts())
    [{'age': 31.0, 'pet=cat': 1.0}, {'pet=dog': 1.0}]
    """
    arrays = {name: _as_array(column) for name, column in columns.items()}
    n = next((array.size for array in arrays.values()), 0)
    return _labelled(_from_columns(arrays, n), labels)


def _from_columns(columns: Mapping[Any, NDArray[Any]], n: int) -> Rows:
    names: list[Hashable] = []
    values = np.empty((n, len(columns)))
    indices = np.empty((n, len(columns)), dtype=np.int32)
    for c, (name, column) in enumerate(columns.items()):
        if column.shape != (n,):
            raise InputError(f"column {name!r} has shape {column.shape}; the first has {n} cells")
        if column.dtype.kind in "biuf":
            indices[:, c], values[:, c] = len(names), column
            names.append(name)
        elif column.dtype.kind in "OUT":
            features, values[:, c] = _from_cells(name, column)
            place = {feature: len(names) + i for i, feature in enumerate(dict.fromkeys(features))}
            indices[:, c] = [place[feature] for feature in features]
            names.extend(place)
        else:
            raise InputError(f"column {name!r} holds {column.dtype}: expected numbers or text")
    _check_names(names, len(names))
    indptr = np.arange(n + 1, dtype=np.int64) * len(columns)
    return _clean(Rows(indptr, indices.ravel(), values.ravel(), len(names), names))


def _from_cells(name: Any, column: NDArray[Any]) -> tuple[list[Hashable], NDArray[np.float64]]:
    """The feature and the value of each cell, be it a text, a number or empty."""
    features: list[Hashable] = []
    values = np.empty(column.size)
    for row, cell in enumerate(column.tolist()):
        if isinstance(cell, str):
            features.append(f"{name}={cell}" if cell else name)
            values[row] = 1.0 if cell else np.nan
        else:
            features.append(name)
            values[row] = _number(cell, row, name)
    return features, values


def _from_dicts(dicts: Sequence[Mapping[Hashable, Any]]) -> Rows:
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
        values = np.array([_number(cell, int(row), key) for cell, row, key in triples])
    columns = {name: c for c, name in enumerate(dict.fromkeys(chain.from_iterable(dicts)))}
    if holds_nan(columns):
        raise InputError(NO_NAME)
    column_of = columns.__getitem__
    indices = np.fromiter(map(column_of, chain.from_iterable(dicts)), np.int32, values.size)
    names = list(columns)
    return _clean(Rows(indptr, indices, values.astype(np.float64), len(names), names))


def _from_rows(rows: Rows) -> Rows:
    compressed = _from_compressed(rows.indptr, rows.indices, rows.values, rows.width, rows.names)
    if rows.labels is None:
        return compressed
    return compressed.with_labels(_as_labels(rows.labels, len(compressed)))


def _from_sparse(X: Any, names: Sequence[Hashable] | None) -> Rows:
    if X.ndim != 2:
        raise InputError(f"a sparse matrix must have rows and columns, this has shape {X.shape}")
    import scipy.sparse as sp

    try:
        if X.format == "csc":  # which SciPy would convert without looking at its indices
            sp.csc_matrix(X).check_format(full_check=True)
        csr = sp.csr_matrix(X)
    except ValueError as error:
        raise InputError(f"a malformed sparse matrix: {error}") from None
    own = _own_names(names, csr.shape[1])
    return _from_compressed(csr.indptr, csr.indices, csr.data, csr.shape[1], own)


def _from_compressed(
    indptr: Any, indices: Any, values: Any, width: int, names: Sequence[Hashable] | None
) -> Rows:
    """Rows from arrays that others made: nothing is taken for granted, kernels trust them."""
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
        _check_names(names, width)
    indptr, indices = _plain(indptr, np.int64), indices[:end]
    if end and not (indices.min() >= 0 and indices.max() < width):
        first = int(np.flatnonzero((indices < 0) | (indices >= width))[0])
        row = int(np.searchsorted(indptr, first, side="right")) - 1
        raise InputError(f"row {row}: column {indices[first]} is not among the {width} columns")
    indices, values = _plain(indices, np.int32), _plain(values[:end], np.float64)
    rows = Rows(indptr, indices, values, int(width), names)
    _refuse_duplicates(rows)
    return _clean(rows)


def _from_dense(X: Any, names: Sequence[Hashable] | None) -> Rows:
    array = _as_array(X)
    if array.ndim != 2:
        raise InputError(
            f"X has shape {array.shape}: expected a list of dicts, a sparse matrix, a frame or an "
            "array with rows and columns. Reshape your data"
        )
    n, width = array.shape
    own = _own_names(names, width)
    indptr = np.arange(n + 1, dtype=np.int64) * width
    indices = np.tile(np.arange(width, dtype=np.int32), n)
    if array.dtype.kind in "biuf":
        values = _plain(array.ravel(), np.float64)
    elif array.dtype.kind in "OUS":
        features = range(width) if own is None else own
        values = np.array(
            [
                _number(cell, row, feature)
                for row, cells in enumerate(array.tolist())
                for feature, cell in zip(features, cells, strict=True)
            ]
        )
    else:
        complex_or_not = "Complex data not supported: " if array.dtype.kind == "c" else ""
        raise InputError(f"{complex_or_not}an array of {array.dtype}; expected real numbers")
    return _clean(Rows(indptr, indices, values, width, own))


def _as_array(X: Any) -> NDArray[Any]:
    """An array of what X holds, each cell as it was given."""
    if isinstance(X, np.ma.MaskedArray):  # what is masked is unobserved
        return np.ma.filled(X.astype(np.float64 if X.dtype.kind in "biuf" else object), np.nan)
    try:
        array = np.asarray(X)
        if array.dtype.kind in "US" and isinstance(X, Sequence):
            # A text among numbers has turned them into texts.
            cells = np.asarray(X, dtype=object)
            return array if all(isinstance(cell, str) for cell in cells.flat) else cells
    except ValueError as error:
        raise InputError(f"rows or columns of different lengths ({error})") from None
    return array


def _clean(rows: Rows) -> Rows:
    """The same rows, fit for kernels: without NaNs; what is beyond LARGEST is refused."""
    magnitude = np.abs(rows.values)
    if bool((magnitude <= LARGEST).all()):
        return rows.marked()
    refused = np.flatnonzero(magnitude > LARGEST)
    if refused.size:
        entry = int(refused[0])
        row = int(np.searchsorted(rows.indptr, entry, side="right")) - 1
        raise _refusal(row, rows.name(rows.indices[entry]), float(rows.values[entry]))
    return rows.select(~np.isnan(magnitude)).marked()


def _number(cell: object, row: int, feature: Hashable) -> float:
    if cell is None or type(cell).__name__ == "NAType":  # pandas' own None
        return np.nan
    if isinstance(cell, str | bytes | np.complexfloating):  # which float() would take
        raise _refusal(row, feature, cell)
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise _refusal(row, feature, cell) from None


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


def _own_names(names: Sequence[Hashable] | None, width: int) -> list[Hashable] | None:
    if names is None:
        return None
    own: list[Hashable] = names.tolist() if hasattr(names, "tolist") else list(names)
    _check_names(own, width)
    return own


def _check_names(names: Sequence[Hashable], width: int) -> None:
    if len(names) != width:
        raise InputError(f"{len(names)} feature names for {width} columns")
    try:
        distinct = len(set(names))
    except TypeError as error:
        raise InputError(f"a feature name that can not be looked up ({error})") from None
    if holds_nan(names):
        raise InputError(NO_NAME)
    if distinct != width:
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise InputError(f"feature names must differ from one another: {twice!r} is there twice")


def holds_nan(names: Iterable[Hashable]) -> bool:
    """Whether NaN is among the names."""
    return any(isinstance(name, float | np.floating) and name != name for name in names)


def _labelled(rows: Rows, y: Any) -> Rows:
    return rows if y is None else rows.with_labels(_as_labels(y, len(rows)))


def _as_labels(y: Any, n: int) -> NDArray[Any]:
    if hasattr(y, "to_pylist"):  # Arrow's arrays
        y = y.to_pylist()
    labels = _as_array(y.to_numpy() if hasattr(y, "to_numpy") else y)
    if labels.ndim == 2 and labels.shape[1] == 1 and not isinstance(y, Sequence):
        from sklearn.exceptions import DataConversionWarning

        message = "A column-vector y was passed when a 1d array was expected."
        warnings.warn(message, DataConversionWarning, stacklevel=2)
        labels = labels.ravel()
    if labels.ndim != 1:
        raise InputError(f"labels must be one value per row, got shape {labels.shape}")
    if labels.size != n:
        raise InputError(f"{labels.size} labels for {n} rows")
    return labels


def _is_sparse(X: Any) -> bool:
    """Whether X is a matrix of SciPy, which whoever has one has loaded."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(X))


def _holds_dicts(X: Any) -> bool:
    if getattr(X, "ndim", 1) != 1 or isinstance(X, str | bytes):
        return False
    if isinstance(X, Sequence | np.ndarray):
        is_list = isinstance(X, Sequence)
        return isinstance(X[0], Mapping) if len(X) else is_list
    return isinstance(X, Iterable)


def _refusal(row: int, feature: Hashable, value: object) -> InputError:
    """The error for a value that no model may see."""
    return InputError(
        f"row {row}, feature {feature!r}: {value!r} is not allowed "
        f"(a finite number up to {LARGEST:g}; None or NaN for unobserved)"
    )


def _plain(array: NDArray[Any], dtype: type) -> NDArray[Any]:
    """Contiguous, writeable and of this type: kernels are compiled for exactly one layout."""
    return np.require(array, dtype=dtype, requirements=["C", "W"])
