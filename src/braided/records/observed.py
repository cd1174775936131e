"""Observed: what a pass over a stream saw of each field; for warnings and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from braided.records.kinds import IGNORE

if TYPE_CHECKING:
    from braided.records.convert import Converter

__all__ = ["Observed"]


class Observed:
    """Counts rows, the rows in which each field is observed, and values that did not fit.

    Attributes
    ----------
    rows : int
        How many rows there were.
    fields : Counter
        In how many rows each field was observed.
    surprises : Counter
        How many values did not fit the kind of their field, by field.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.fields: Counter[Hashable] = Counter()
        self.ignored: set[Hashable] = set()
        self.surprises: Counter[Hashable] = Counter()

    @property
    def every_field(self) -> set[Hashable]:
        """All fields that were seen, those that are left out as well."""
        return {*self.fields, *self.ignored}

    def add(self, converter: Converter, rows: int) -> None:
        """Add what a converter has seen in so many rows.

        Parameters
        ----------
        converter : Converter
            The converter.
        rows : int
            The number of rows.
        """
        self.rows += rows
        self.fields.update(converter.observed)
        self.ignored.update(f for f, kind in converter.decided.items() if kind == IGNORE)
        self.surprises.update(converter.surprises)

    def merge(self, other: Observed) -> None:
        """Add what another pass has seen.

        Parameters
        ----------
        other : Observed
            The other.
        """
        self.rows += other.rows
        self.fields.update(other.fields)
        self.ignored |= other.ignored
        self.surprises.update(other.surprises)

    def to_json(self) -> dict[str, Any]:
        """Return the counts as values that JSON can represent.

        Returns
        -------
        dict
            The number of rows, and the counts by field, in the order of names.
        """
        return {
            "rows": self.rows,
            "fields": {str(f): self.fields[f] for f in sorted(self.fields, key=str)},
        }

    @classmethod
    def from_json(cls, item: Any) -> Observed:
        """Make the counts again; what is none counts as nothing seen.

        Parameters
        ----------
        item : Any
            What ``to_json`` returned, or what somebody forged.

        Returns
        -------
        Observed
            The counts.
        """
        seen = cls()
        rows = item.get("rows") if isinstance(item, dict) else None
        fields = item.get("fields") if isinstance(item, dict) else None
        if type(rows) is not int or not isinstance(fields, dict):
            return seen
        if all(type(n) is int and 0 <= n <= rows for n in fields.values()):
            seen.rows, seen.fields = rows, Counter(fields)
        return seen
