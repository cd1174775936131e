"""Values of labels: which are missing, which can not be labels, and their plain Python values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError

__all__ = [
    "first_rows",
    "is_missing",
    "labelled",
    "plain_value",
    "plain_values",
    "refuse_no_label",
]


def is_missing(value: Any) -> bool:
    """Whether this value stands for a missing label."""
    if value is None or type(value).__name__ == "NAType":  # pandas' own None
        return True
    return _is_hashable(value) and bool(value != value)


def labelled(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows have a label: not None, NaN or pandas' NA.

    Examples
    --------
    >>> labelled(np.array(["a", None, float("nan"), "b"], dtype=object))
    array([ True, False, False,  True])
    """
    if y.dtype.kind == "O":
        return np.array([not is_missing(value) for value in y.tolist()], np.bool_)
    if y.dtype.kind in "fcmM":
        known: NDArray[np.bool_] = y == y
        return known
    return np.ones(y.size, np.bool_)


def refuse_no_label(where: str, value: Any) -> None:
    """Refuse what can not be a label: a missing one, infinity, and what is not hashable."""
    if not _is_hashable(value):
        raise InputError(f"{where}: {value!r} can not be a label")
    if is_missing(value):
        raise InputError(f"{where}: the label is missing ({value!r})")
    if isinstance(value, float) and math.isinf(value):
        raise InputError(f"{where}: {value!r} can not be a label")


def first_rows(y: NDArray[Any]) -> Iterator[tuple[Any, int]]:
    """Each different label with the row where it is first seen."""
    if y.dtype.kind == "O":  # anything, which may refuse to be compared
        seen = set()
        for row, value in enumerate(plain_values(y)):
            if not _is_hashable(value) or value not in seen:
                yield value, row
                seen.add(value)
        return
    left, row = None, 0
    while row < y.size:
        yield plain_value(y[row]), row
        others: NDArray[np.bool_] = y != y[row]
        left = others if left is None else np.logical_and(left, others, out=left)
        left[row] = False  # NaN differs from itself
        row = int(left.argmax()) if left.any() else y.size


def plain_values(values: Iterable[Any]) -> list[Any]:
    """Plain Python values: NumPy's own numbers and texts come out of lists as well as arrays."""
    return [plain_value(value) for value in values]


def plain_value(value: Any) -> Any:
    """The same of one value."""
    return value.item() if isinstance(value, np.generic) else value


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
