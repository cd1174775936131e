"""Observed: what a pass over a stream saw of each field; for warnings and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from braided.records.kinds import CATEGORY, IGNORE

if TYPE_CHECKING:
    from braided.records.convert import Converter
    from braided.rows.rows import Rows

__all__ = ["Observed"]

SAMPLE = 2000
"""The number of rows in which the values of categories are counted."""

FEWEST, MOST_NEW = 100, 0.9
"""A field is id-like if of so many values or more a larger share than this is new."""


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
    no_labels : Counter
        How many labels were texts that mean unobserved, by text.
    """

    def __init__(self) -> None:
        self.rows = 0
        self.fields: Counter[Hashable] = Counter()
        self.ignored: set[Hashable] = set()
        self.surprises: Counter[Hashable] = Counter()
        self.no_labels: Counter[str] = Counter()
        self._values: dict[Hashable, set[Hashable]] = {}  # of categories, in the first rows
        self._values_counts: Counter[Hashable] = Counter()
        self._values_rows = 0

    @property
    def every_field(self) -> set[Hashable]:
        """All fields that were seen, those that are left out as well."""
        return {*self.fields, *self.ignored}

    def id_like(self) -> list[Hashable]:
        """Name the fields of categories of which nearly every value was new.

        Returns
        -------
        list of hashable
            Their names.
        """
        counted = self._values_counts
        return [
            field
            for field, values in self._values.items()
            if counted[field] >= FEWEST and len(values) > MOST_NEW * counted[field]
        ]

    def add(
        self, converter: Converter, rows: Rows, new_names: Sequence[Hashable] | None = None
    ) -> None:
        """Add what a converter has seen.

        Parameters
        ----------
        converter : Converter
            The converter.
        rows : Rows
            The rows that it has made.
        new_names : sequence of hashable, optional
            Their names that no rows had before; all of their names if None.
        """
        self.rows += len(rows)
        if self._values_rows < SAMPLE:
            self._values_rows += len(rows)
            self._add_values(converter, (rows.names or ()) if new_names is None else new_names)
        self.fields.update(converter.observed)
        self.ignored.update(f for f, kind in converter.decided.items() if kind == IGNORE)
        self.surprises.update(converter.surprises)
        self.no_labels.update(converter.no_labels)

    def _add_values(self, converter: Converter, names: Sequence[Hashable]) -> None:
        """Count the different values of categories, in the first rows."""
        self._values_counts.update(converter.observed)
        for name in names:
            field = str(name).partition("=")[0]
            if converter.known_kind(field) == CATEGORY:
                self._values.setdefault(field, set()).add(name)

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
        self.no_labels.update(other.no_labels)

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
