"""What may be a name, a value or a label; all else is refused.

Errors name the row, the feature and the value.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, InputTypeError
from braided.kernels.numerics import LARGEST_VALUE
from braided.rows.rows import Rows

__all__ = [
    "NO_NAME",
    "as_array",
    "check_names",
    "clean",
    "holds_nan",
    "number",
    "own_names",
    "plain",
    "with_labels",
]

NO_NAME = "NaN can not be the name of a feature: it is not equal to itself"

# ----------------------------------------------------------------------------------- names


def own_names(names: Sequence[Hashable] | None, width: int) -> list[Hashable] | None:
    """The names that were given for the columns of an array, if any were."""
    if names is None:
        return None
    own: list[Hashable] = names.tolist() if hasattr(names, "tolist") else list(names)
    check_names(own, width)
    return own


def check_names(names: Sequence[Hashable], width: int) -> None:
    """Refuse names that are not one for each column, or of which two are equal.

    A table of names that rows share has none twice, and more when it has grown since.
    """
    if getattr(names, "grows", False) and len(names) >= width:
        return
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


# ---------------------------------------------------------------------------------- values


def number(cell: object, row: int, feature: Hashable) -> float:
    """The value of a cell, NaN if it is unobserved; refuse what is no number."""
    if cell is None or type(cell).__name__ == "NAType":  # pandas' own None
        return np.nan
    if isinstance(cell, str | bytes | np.complexfloating):  # which float() would take
        raise _refusal(row, feature, cell)
    try:
        return float(cell)  # type: ignore[arg-type]
    except TypeError:
        raise InputTypeError(
            f"row {row}, feature {feature!r}: {cell!r} is not allowed (the argument must be "
            "numbers alone: a string, a list or a mapping goes into a dict for each row, "
            "not among numbers)"
        ) from None
    except (ValueError, OverflowError):
        raise _refusal(row, feature, cell) from None


def clean(rows: Rows) -> Rows:
    """The same rows, ready for kernels: without NaN; refuse values beyond LARGEST_VALUE."""
    magnitude = np.abs(rows.values)
    if bool((magnitude <= LARGEST_VALUE).all()):
        return rows.marked()
    refused = np.flatnonzero(magnitude > LARGEST_VALUE)
    if refused.size:
        entry = int(refused[0])
        row = int(np.searchsorted(rows.indptr, entry, side="right")) - 1
        raise _refusal(row, rows.name(rows.indices[entry]), float(rows.values[entry]))
    return rows.select(~np.isnan(magnitude)).marked()


def _refusal(row: int, feature: Hashable, value: object) -> InputError:
    """The error for a value that no model may see."""
    return InputError(
        f"row {row}, feature {feature!r}: {value!r} is not allowed "
        f"(a finite number up to {LARGEST_VALUE:g}; None or NaN for unobserved)"
    )


def plain(array: NDArray[Any], dtype: type) -> NDArray[Any]:
    """Contiguous, writeable and of this type: kernels are compiled for exactly one layout."""
    return np.require(array, dtype=dtype, requirements=["C", "W"])


def as_array(X: Any) -> NDArray[Any]:
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


# ---------------------------------------------------------------------------------- labels


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
