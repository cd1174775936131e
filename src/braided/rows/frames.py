"""Frames of pandas, polars and Arrow as named columns, through narwhals."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError

__all__ = ["columns_of", "is_frame"]

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


def columns_of(frame: Any) -> tuple[dict[Hashable, NDArray[Any]], int]:
    """The columns of a frame by name, each an array of numbers or of objects, and its length.

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
