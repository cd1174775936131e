"""Formats: which format a file has, and the arguments of the function that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from braided.errors import InputError, argument
from braided.readers.bad_lines import BadLines, Limits
from braided.readers.columns import Fields
from braided.readers.sources import COMPRESSED, STDIN, Source, name_of
from braided.registry import FORMATS, FormatEntry, resolve
from braided.rows.rows import Rows

__all__ = ["Reading", "format_of", "rows_of"]

FORMAT_WITHOUT_SUFFIX = "svmlight"
"""The format of files whose names end in no known suffix, as those of svmlight often do."""


class Reading(NamedTuple):
    """The arguments of a function that reads a format.

    Parameters
    ----------
    size : int
        How many rows to return at a time.
    fields : Fields
        Which fields are the label, left out, categories.
    bad_lines : BadLines
        Where bad lines are reported.
    limits : Limits
        The limits of a line and of a row.
    types : dict
        The type of each column that is known from earlier rows or files; readers of text files
        add to it.
    """

    size: int
    fields: Fields
    bad_lines: BadLines
    limits: Limits
    types: dict[str, str]


def format_of(source: Source, given: str | None) -> FormatEntry:
    """Find the format of a file: the given one, else by the suffix of its name.

    Parameters
    ----------
    source : str, path or file
        The file, or ``"-"`` for standard input.
    given : str, optional
        The name of the format.

    Returns
    -------
    FormatEntry
        The format; svmlight if the suffix is not known.

    Raises
    ------
    InputError
        If there is no such format, or neither a format nor a file name.

    Examples
    --------
    >>> format_of("rows.csv.gz", None).name, format_of("-", "jsonl").name
    ('csv', 'jsonl')
    """
    if given is not None:
        return FORMATS.find(given)
    if source != STDIN and not hasattr(source, "read"):
        path = Path(source)
        suffix = Path(path.stem).suffix if path.suffix in COMPRESSED else path.suffix
        for entry in FORMATS:
            if suffix.lower() in entry.suffixes:
                return entry
        return FORMATS.find(FORMAT_WITHOUT_SUFFIX)
    names = ", ".join(FORMATS.names())
    raise InputError(
        f"the format of {name_of(source)} is not known: give {argument('format')}, one of {names}"
    )


def rows_of(entry: FormatEntry, file: Any, reading: Reading) -> Iterator[Rows]:
    """Read the rows of a file of this format."""
    reading.bad_lines.allowed = entry.allowed
    rows: Iterator[Rows] = resolve(entry.home)(file, reading)
    return rows
