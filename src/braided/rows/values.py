"""Values: what may be one, and what a kernel takes them as."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.kernels.numerics import LARGEST_VALUE
from braided.rows.rows import Rows

__all__ = ["clean", "number", "plain"]


def number(cell: object, row: int, feature: Hashable) -> float:
    """The value of a cell, NaN if it is unobserved; what is no number is refused."""
    if cell is None or type(cell).__name__ == "NAType":  # pandas' own None
        return np.nan
    if isinstance(cell, str | bytes | np.complexfloating):  # which float() would take
        raise _refusal(row, feature, cell)
    try:
        return float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise _refusal(row, feature, cell) from None


def clean(rows: Rows) -> Rows:
    """The same rows, fit for kernels: without NaNs; what is beyond LARGEST_VALUE is refused."""
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
