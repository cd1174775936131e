"""Tables of a page: plain text in cells, some with a bar for a share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Cell", "Table", "TableChart"]


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes
    ----------
    text : str
        What it shows.
    heading : str, default ""
        The heading of its column.
    best : bool, default False
        Whether it is shown in bold.
    share : float, 0 to 1, optional
        The length of a bar below the text; no bar if left out.

    Examples
    --------
    >>> from braided.report import Cell
    >>> Cell("19.5 %", "error rate", share=0.195).text
    '19.5 %'
    """

    text: str
    heading: str = ""
    best: bool = False
    share: float | None = None


@dataclass(frozen=True)
class Table:
    """Headings, and lines of a name and cells.

    Attributes
    ----------
    headings : sequence of str
        The heading of each column, that of the names included; all empty for none.
    lines : sequence of tuple
        The name of each line, and its cells.
    note : str, default ""
        How to read it.

    Examples
    --------
    >>> from braided.report import Cell, Table
    >>> table = Table(["learner", "error rate"], [("olsf", [Cell("19.5 %", "error rate")])])
    >>> len(table.lines)
    1
    """

    headings: Sequence[str]
    lines: Sequence[tuple[str, Sequence[Cell]]]
    note: str = ""


@dataclass(frozen=True)
class TableChart:
    """A table among the charts of a page.

    Parameters
    ----------
    title : str
        Its title.
    about : str
        One line that explains it.
    table : Table
        The table. Its texts are shown as they are: the page escapes them.
    wide : bool, default False
        Whether it takes the whole width of the page.

    Examples
    --------
    >>> from braided.report import Cell, Table, TableChart
    >>> table = Table(["field", "kind"], [("age", [Cell("number", "kind")])])
    >>> TableChart("Fields", "The fields of the data.", table).title
    'Fields'
    """

    title: str
    about: str
    table: Table
    wide: bool = False
