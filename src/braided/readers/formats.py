"""Formats: which one a file has, and what the function that reads it is told."""

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

IF_NOTHING_TELLS = "svmlight"
"""The format of files whose name has no end that is known: theirs often have none."""


class Reading(NamedTuple):
    """What the function that reads a format is told.

    Parameters
    ----------
    size : int
        How many rows are wanted at a time.
    fields : Fields
        Which fields are the label, ignored, categories.
    bad_lines : BadLines
        Where lines are reported that can not be read.
    limits : Limits
        What one line may hold.
    types : dict
        What the columns of text files were found to hold, in the files before too.
    """

    size: int
    fields: Fields
    bad_lines: BadLines
    limits: Limits
    types: dict[str, str]


def format_of(source: Source, given: str | None) -> FormatEntry:
    """The format that was given, or that of the file's name, or svmlight if that tells nothing.

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
        return FORMATS.find(IF_NOTHING_TELLS)
    names = ", ".join(FORMATS.names())
    raise InputError(
        f"the format of {name_of(source)} is not told by a name: give {argument('format')}, "
        f"one of {names}"
    )


def rows_of(entry: FormatEntry, file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file of this format."""
    reading.bad_lines.allowed = entry.allowed
    rows: Iterator[Rows] = resolve(entry.home)(file, reading)
    return rows
