"""Named columns as rows, and frames of pandas, polars and Arrow (through narwhals).

Null, NaN and empty text is unobserved; text becomes indicators.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.rows.rows import Rows
from braided.rows.validation import as_array, check_names, clean, number, with_labels

__all__ = ["columns_of", "from_columns", "from_frame", "is_frame"]

NOT_ONE_VALUE = ("Array", "Binary", "Date", "Datetime", "Duration", "List", "Struct", "Time")
"""Types, as narwhals calls them, whose cells are neither numbers nor texts."""


def is_frame(X: Any) -> bool:
    """Whether X is a frame of one of the libraries that narwhals knows."""
    if isinstance(X, np.ndarray | list | tuple):  # most of the time, and known without importing
        return False
    from narwhals import dependencies

    if dependencies.is_polars_lazyframe(X):
        raise InputError("X is a lazy frame; collect it first")
    return _is_batch(X) or dependencies.is_into_dataframe(X)


def from_frame(frame: Any) -> Rows:
    """Rows from a frame."""
    return _from_arrays(*columns_of(frame))


def columns_of(frame: Any) -> tuple[dict[Hashable, NDArray[Any]], int]:
    """The columns of a frame by name, each an array of numbers or objects, and its length.

    Null is NaN among numbers, and None (or what the frame's library calls it) among objects.
    """
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    if _is_batch(frame):
        frame = sys.modules["pyarrow"].Table.from_batches([frame])
    try:
        narrow = nw.from_native(frame, eager_only=True)
    except DuplicateError:
        raise InputError("the columns of a frame must have different names") from None
    columns = {column.name: _array(column) for column in narrow.iter_columns()}
    return columns, len(narrow)


def _is_batch(X: Any) -> bool:
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(X, arrow.RecordBatch)


def _array(column: Any) -> NDArray[Any]:
    import narwhals as nw

    kind = column.dtype
    if str(kind).partition("(")[0] in NOT_ONE_VALUE:
        native = column.to_native()
        found = getattr(native, "dtype", getattr(native, "type", kind))
        raise InputError(f"column {column.name!r} holds {found}: expected numbers or text")
    if kind == nw.Boolean:
        column = column.cast(nw.Int8)
    elif kind in (nw.String, nw.Categorical, nw.Enum) or kind == nw.Decimal:
        cells = np.empty(len(column), object)
        cells[:] = column.to_list()
        return cells
    array: NDArray[Any] = column.to_numpy()
    return array


# ---------------------------------------------------------------------------- named columns


def from_columns(columns: Mapping[Any, Any], labels: Any = None) -> Rows:
    """Make rows from named columns of one length: numbers are values, text becomes indicators.

    The text ``"A11"`` in the column ``checking`` is the feature ``checking=A11`` with value 1.

    Parameters
    ----------
    columns : mapping
        The cells of each column, by name. NaN, None and empty text are unobserved.
    labels : array-like, optional
        A label for each row.

    Returns
    -------
    Rows
        The rows, checked.

    Examples
    --------
    >>> rows = from_columns({"age": [31.0, float("nan")], "pet": ["cat", "dog"]})
    >>> list(rows.dicts())
    [{'age': 31.0, 'pet=cat': 1.0}, {'pet=dog': 1.0}]
    """
    arrays = {name: as_array(column) for name, column in columns.items()}
    n = next((array.size for array in arrays.values()), 0)
    return with_labels(_from_arrays(arrays, n), labels)


def _from_arrays(columns: Mapping[Any, NDArray[Any]], n: int) -> Rows:
    """Rows from columns that are arrays of n cells each."""
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
    check_names(names, len(names))
    indptr = np.arange(n + 1, dtype=np.int64) * len(columns)
    return clean(Rows(indptr, indices.ravel(), values.ravel(), len(names), names))


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
            values[row] = number(cell, row, name)
    return features, values
