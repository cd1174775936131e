"""Frames of pandas, polars and Arrow (through narwhals) as named columns."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.records.coded import Coded
from braided.records.columns import Cells, rows_of_columns
from braided.records.convert import Converter
from braided.records.keyed import keyed_of
from braided.rows.rows import Rows

__all__ = ["columns_of", "from_frame", "is_frame"]


def is_frame(X: Any) -> bool:
    """Whether X is a frame of one of the libraries that narwhals knows."""
    if isinstance(X, np.ndarray | list | tuple):  # most of the time, and known without importing
        return False
    from narwhals import dependencies

    if dependencies.is_polars_lazyframe(X):
        raise InputError("X is a lazy frame; collect it first")
    return _is_batch(X) or dependencies.is_into_dataframe(X)


def from_frame(frame: Any, converter: Converter) -> Rows:
    """Rows from a frame."""
    return rows_of_columns(*columns_of(frame), converter)


def columns_of(frame: Any) -> tuple[dict[Hashable, Cells], int]:
    """The columns of a frame by name, and its length.

    Each is an array of numbers, or coded, or a list. Null is NaN among numbers, and None (or what
    the frame's library calls it) elsewhere.
    """
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    if _is_batch(frame):
        frame = sys.modules["pyarrow"].Table.from_batches([frame])
    frame = _flat(frame)
    try:
        narrow = nw.from_native(frame, eager_only=True)
    except DuplicateError:
        raise InputError("the columns of a frame must have different names") from None
    columns = {column.name: _cells(column) for column in narrow.iter_columns()}
    return columns, len(narrow)


def _flat(frame: Any) -> Any:
    """A table of Arrow in which the fields of structs are columns of their own, as ``x.a``."""
    arrow = sys.modules.get("pyarrow")
    if arrow is None or not isinstance(frame, arrow.Table):
        return frame
    flat = frame
    while any(arrow.types.is_struct(kind) for kind in flat.schema.types):
        flat = flat.flatten()
    return flat if len(set(flat.column_names)) == len(flat.column_names) else frame


def _is_batch(X: Any) -> bool:
    arrow = sys.modules.get("pyarrow")
    return arrow is not None and isinstance(X, arrow.RecordBatch)


def _cells(column: Any) -> Cells:
    """Numbers and bools without null as an array of these, what Arrow can encode as codes."""
    import narwhals as nw

    kind, nested = column.dtype, _of_arrow(column)
    if nested is not None:
        return nested
    if kind.is_numeric() and kind != nw.Decimal:
        array: NDArray[Any] = column.to_numpy()
        # Where null made floats of large whole numbers, these are no longer what they were.
        if not (kind.is_integer() and array.dtype.kind == "f" and (abs(array) >= 2**53).any()):
            return array
    if kind == nw.Boolean and not column.is_null().any():
        return np.asarray(column.to_numpy(), np.bool_)
    try:
        coded = _coded(column)
        return list(column.to_list()) if coded is None else coded
    except (OverflowError, ValueError) as error:  # a time beyond the years that Python knows
        raise InputError(
            f"column {column.name!r} holds a value that is not allowed: {error}"
        ) from None


def _of_arrow(column: Any) -> Cells | None:
    """Maps and lists of a table of Arrow; None for other columns."""
    arrow, native = sys.modules.get("pyarrow"), column.to_native()
    if arrow is None or not isinstance(native, arrow.ChunkedArray):
        return None
    types, kind = arrow.types, native.type
    if not (types.is_map(kind) or types.is_list(kind) or types.is_large_list(kind)):
        return None
    array = native.combine_chunks()
    keyed = keyed_of(array)
    if keyed is None and types.is_map(kind):
        return [None if cell is None else dict(cell) for cell in array.to_pylist()]
    return keyed


def _coded(column: Any) -> Coded | None:
    """The codes and the different values of a column; None if it must be read cell by cell."""
    native = column.to_native()
    categories = getattr(getattr(native, "cat", None), "categories", None)  # those of pandas
    if categories is not None:
        return Coded(native.cat.codes.to_numpy(), categories.tolist())
    if isinstance(getattr(native, "dtype", None), np.dtype) and native.dtype.kind == "O":
        return None  # each cell may be anything
    try:
        import pyarrow as pa
    except ImportError:
        return None
    try:
        array = column.to_arrow()
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        if not _has_codes(array.type, pa.types):
            return None
        encoded = array.dictionary_encode()
    except (pa.ArrowException, NotImplementedError):  # a type that Arrow does not know
        return None
    codes = encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy()
    return Coded(codes, encoded.dictionary.to_pylist())


def _has_codes(kind: Any, types: Any) -> bool:
    """Whether equal cells of a type of Arrow mean the same, and are what ``to_list`` has."""
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_temporal(kind):  # each library rounds nanoseconds in its own way
        return not types.is_interval(kind) and getattr(kind, "unit", "") != "ns"
    others = (types.is_string, types.is_large_string, types.is_boolean, types.is_decimal)
    return any(is_such(kind) for is_such in others)
