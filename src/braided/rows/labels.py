"""Labels that come with rows: one each, of any values."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from braided.errors import InputError
from braided.rows.arrays import as_array
from braided.rows.rows import Rows

__all__ = ["with_labels"]


def with_labels(rows: Rows, y: Any) -> Rows:
    """The same rows with these labels, if there are any."""
    return rows if y is None else rows.with_labels(_as_labels(y, len(rows)))


def _as_labels(y: Any, n: int) -> NDArray[Any]:
    if hasattr(y, "to_pylist"):  # Arrow's arrays
        y = y.to_pylist()
    labels = as_array(y.to_numpy() if hasattr(y, "to_numpy") else y)
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
