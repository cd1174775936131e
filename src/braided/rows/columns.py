"""Named columns as rows: null, NaN and empty text is unobserved, text becomes indicators."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.rows.arrays import as_array
from braided.rows.labels import with_labels
from braided.rows.names import check_names
from braided.rows.rows import Rows
from braided.rows.values import clean, number

__all__ = ["from_arrays", "from_columns"]


def from_columns(columns: Mapping[Any, Any], labels: Any = None) -> Rows:
    """Rows from named columns of one length: numbers are values, text becomes indicators.

    The text ``"A11"`` in the column ``checking`` is the feature ``checking=A11`` with value 1.

    Examples
    --------
    >>> rows = from_columns({"age": [31.0, float("nan")], "pet": ["cat", "dog"]})
    >>> list(rows.dicts())
    [{'age': 31.0, 'pet=cat': 1.0}, {'pet=dog': 1.0}]
    """
    arrays = {name: as_array(column) for name, column in columns.items()}
    n = next((array.size for array in arrays.values()), 0)
    return with_labels(from_arrays(arrays, n), labels)


def from_arrays(columns: Mapping[Any, NDArray[Any]], n: int) -> Rows:
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
