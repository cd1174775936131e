"""The table of the fields of a source: their kinds, and in which share of the rows they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from braided.report.table import Cell, Table, TableChart

__all__ = ["FieldCoverage", "schema_chart"]

FIELDS = 100
"""The most fields that are shown: the first ones."""


class FieldCoverage(NamedTuple):
    """A field of a source, and how often it is observed.

    Attributes
    ----------
    field : str
        Its name.
    kind : str
        The kind of its values, as in ``"number"``.
    observed : int
        In how many rows it is observed.
    rows : int
        The number of rows.

    Examples
    --------
    >>> from braided.report import FieldCoverage
    >>> FieldCoverage("age", "number", observed=990, rows=1000)
    FieldCoverage(field='age', kind='number', observed=990, rows=1000)
    """

    field: str
    kind: str
    observed: int
    rows: int


def schema_chart(schema: Sequence[FieldCoverage]) -> TableChart | None:
    """Show field, kind and coverage as a table; None without fields."""
    if not schema:
        return None
    headings = ("kind", "observed in rows", "share of the rows")
    lines = []
    for name, kind, observed, rows in schema[:FIELDS]:
        share = observed / rows if rows else 0.0
        texts = (kind, f"{observed} of {rows}", f"{100 * share:.1f} %")
        cells = [Cell(text, heading) for text, heading in zip(texts, headings, strict=True)]
        cells[-1] = Cell(texts[-1], headings[-1], share=share)
        lines.append((str(name), cells))
    left_out = f" Of {len(schema)} fields the first {FIELDS}." * (len(schema) > FIELDS)
    return TableChart(
        "Fields",
        f"The fields of the data, and the share of the rows in which each is observed.{left_out}",
        Table(["field", *headings], lines),
        wide=True,
    )
