"""Columns: which fields of a file are features, which is the label, and what may be a label."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, argument
from braided.readers.bad_lines import BadLine, shown
from braided.registry import FormatEntry
from braided.rows import Rows, as_rows

__all__ = ["Fields", "label_array", "rows_from_dicts"]

DEFAULT_LABEL = "label"


class Fields(NamedTuple):
    """What the caller of ``read`` said about the fields of its files.

    Attributes
    ----------
    label : str, optional
        The name of the column of labels; ``"label"`` if None.
    ignore : frozenset of str
        Columns that are left out.
    categorical : frozenset of str
        Columns of categories, also where they look like numbers.
    null : frozenset of str
        Texts that mean unobserved.
    labelled : bool
        Whether every row must have a label.
    several : bool
        Whether there are several files, whose columns may differ.
    """

    label: str | None = None
    ignore: frozenset[str] = frozenset()
    categorical: frozenset[str] = frozenset()
    null: frozenset[str] = frozenset()
    labelled: bool = True
    several: bool = False

    def check(self, format: FormatEntry) -> None:
        """Refuse options that mean nothing for a format."""
        for name in ("label", "ignore", "categorical", "null"):
            if getattr(self, name) and name not in format.options:
                raise InputError(f"{argument(name)} is not for the format {format.name}")

    @property
    def label_name(self) -> str:
        """The name of the field that holds the label."""
        return DEFAULT_LABEL if self.label is None else self.label

    def find_columns(self, columns: list[str], file: str) -> None:
        """Refuse a file without the column of labels, or without a column that was named."""
        some = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
        if self.label_name not in columns:
            close = _close(self.label_name, columns) if self.label or self.labelled else ""
            if self.labelled or close:
                raise InputError(
                    f"{file} has no column {self.label_name!r}{close}; say which of its columns is "
                    f"the label ({argument('label')}): {some}"
                )
        for option, names in (("ignore", self.ignore), ("categorical", self.categorical)):
            for name in sorted(names.difference(columns)):
                close = _close(name, columns)
                if close or not self.several:
                    raise InputError(
                        f"{argument(option)}: {file} has no column {name!r}{close}: {some}"
                    )

    def as_label(self, value: Any) -> Any:
        """Return a label as learners see it: whole numbers are ints, texts stay as they are.

        A missing label is None if rows may come without labels, else it is refused.
        """
        missing = value is None or value == "" or value != value  # NaN
        if missing and not self.labelled:
            return None
        if missing:
            raise BadLine(f"the label (field {self.label_name!r}) is missing")
        if isinstance(value, float) and math.isfinite(value):
            return int(value) if value.is_integer() and abs(value) < 2**53 else value
        if isinstance(value, str | int):
            return value
        raise BadLine(f"field {self.label_name!r}: {shown(repr(value))} can not be a label")


def _close(name: str, columns: list[str]) -> str:
    close = get_close_matches(name, columns, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def label_array(labels: list[Any]) -> NDArray[Any]:
    """Return labels as an array: of ints if all are whole numbers, else of objects."""
    if all(type(label) is int and abs(label) < 2**63 for label in labels):
        return np.array(labels, np.int64)
    array = np.empty(len(labels), object)
    array[:] = labels
    return array


def rows_from_dicts(pairs: list[tuple[dict[str, Any], Any]]) -> Rows:
    """Rows of dicts of features and their labels."""
    return as_rows([x for x, _ in pairs], label_array([label for _, label in pairs]))
