"""What the papers print: a CSV file for each table, rows by columns, as ``mean ± std``."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

__all__ = ["Printed", "names", "read"]


@dataclass(frozen=True)
class Printed:
    """A number of a paper; not every paper prints a standard deviation."""

    mean: float
    std: float | None = None


def names() -> list[str]:
    """The experiments of which a table is stored."""
    folder = files("braided.papers").joinpath("printed")
    found = (file.name.removesuffix(".csv") for file in folder.iterdir())
    return sorted(found)


def read(name: str) -> dict[tuple[str, str], Printed]:
    """The table of an experiment, by row and column.

    Examples
    --------
    >>> read("stsd-table-2")["STSD", "german"]
    Printed(mean=415.9, std=15.6)
    """
    file = files("braided.papers").joinpath("printed", f"{name}.csv")
    header, *lines = csv.reader(file.read_text(encoding="utf-8").splitlines())
    return {
        (row, column): _printed(cell)
        for row, *cells in lines
        for column, cell in zip(header[1:], cells, strict=True)
        if cell
    }


def _printed(cell: str) -> Printed:
    mean, _, std = cell.partition("±")
    return Printed(float(mean), float(std) if std else None)
