"""Formats: which format a file has, and the arguments of the function that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from braided.errors import InputError, argument
from braided.readers.bad_lines import BadLine, BadLines, Limits, too_many
from braided.readers.sources import COMPRESSED, STDIN, Source
from braided.records.convert import Converter
from braided.records.observed import Observed
from braided.records.schema import Decisions, Schema
from braided.records.values import as_number
from braided.registry import FORMATS, FormatEntry, resolve
from braided.rows.rows import Rows

__all__ = ["Layout", "Reading", "close_match", "format_by_content", "format_by_name", "rows_of"]

SAMPLE = 1000
"""The number of rows that decide the kind of a column of texts."""

LARGE = 2**20
"""Bytes from which on a file is worth a compiled parser: a smaller one is read in less time than
the parser takes to be compiled (once on each machine) and loaded."""

_NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SVMLIGHT = re.compile(rb"\s*" + _NUMBER + rb"(?:\s+qid:\d+)?(?:\s+\d+:\S+)+\s*(?:#.*)?")
_VW = re.compile(rb"(?:\s*" + _NUMBER + rb"){0,2}\s*'?[^\s|,;]*\|.*[\s:^].*")


_SEVERAL = 3
"""The number of lines that are looked at; the last of them may not be whole."""


@dataclass(frozen=True)
class Layout:
    """How the columns of a text file are laid out.

    Parameters
    ----------
    separator : str, optional
        The character between two fields; found by itself if None.
    header : bool, default True
        Whether the first line has the names of the columns; else they are 1, 2, ...
    columns : tuple of str, optional
        The names of the columns of a file without a header.
    """

    separator: str | None = None
    header: bool = True
    columns: tuple[str, ...] | None = None

    @property
    def has_header(self) -> bool:
        """Whether the first line has names."""
        return self.header and self.columns is None


@dataclass
class Reading:
    """The arguments of a function that reads a format.

    Parameters
    ----------
    size : int
        How many rows to return at a time.
    base : Schema
        The schema that was known before.
    bad_lines : BadLines
        Where bad lines are reported.
    limits : Limits
        The limits of a line and of a row.
    layout : Layout
        How columns are laid out.
    labelled : bool, default True
        Whether a file must have a column of labels.
    sample : int, default 1000
        How many rows decide the kind of a column of texts; 0 on a pipe, where each field is decided
        by its first value.
    large : bool, default True
        Whether it may take longer to read the file than to compile the parser of its format.
    """

    size: int
    base: Schema
    bad_lines: BadLines
    limits: Limits
    layout: Layout = field(default_factory=Layout)
    labelled: bool = True
    sample: int = SAMPLE
    large: bool = True

    def __post_init__(self) -> None:
        self.schema = self.base.copy()  # what is decided in this pass is known to the next rows
        self.observed = Observed()
        self.sampled: dict[str, str] = {}  # kinds by the first rows, not yet settled
        self.recoded = 0  # lines that were not UTF-8
        self.short = 0  # lines with fewer fields than the header
        self.long = 0  # lines with more fields than the header, which were left out
        self.titles = 0  # lines before that of the names
        self.repeated = 0  # lines that repeat that of the names, or are comments

    def check_label(self, columns: list[str]) -> None:
        """Refuse a file without the column of labels, if it must have one.

        Parameters
        ----------
        columns : list of str
            The columns of the file.

        Raises
        ------
        InputError
            If there is none, or one that is called nearly so.
        """
        label = self.schema.label
        if label is None or label in columns:
            return
        close = close_match(label, columns)
        if not self.labelled and not close:
            return
        some = ", ".join(map(repr, columns[:20])) + (", ..." if len(columns) > 20 else "")
        looks_like_data = self.layout.has_header and any(map(as_number, columns))
        no_header = (
            f"; if its first line has no names, say {argument('header', False)}, or give the "
            "number of the label's column"
            if looks_like_data
            else ""
        )
        raise InputError(
            f"{self.bad_lines.file} has no column {label!r}{close}; say which of its columns is "
            f"the label ({argument('label')}): {some}{no_header}"
        )

    def batches(self, records: Iterator[Any], source: Any) -> Iterator[list[Any]]:
        """Cut records into batches; on a pipe a batch is what waits already.

        Parameters
        ----------
        records : iterator
            The records.
        source : object with ``waiting``
            The lines that records are made of; tells whether another one is there.

        Yields
        ------
        list
            The next records, at least one.
        """
        is_pipe = not self.sample
        while batch := list(islice(records, 1 if is_pipe else self.size)):
            while is_pipe and source.waiting and len(batch) < self.size:
                batch += islice(records, 1)
            yield batch

    def convert(self, make: Callable[[Converter], Rows]) -> Rows:
        """Convert records or columns to rows, and keep what was decided.

        Parameters
        ----------
        make : callable
            Makes the rows with a converter.

        Returns
        -------
        Rows
            The rows, with the decisions.

        Raises
        ------
        BadLine or InputError
            If they are refused; then nothing was decided.
        """
        converter = self.converter()
        try:
            rows = make(converter)
        except RecursionError:
            raise BadLine("objects are nested too deeply") from None
        if self.labelled and self.schema.strict and rows.labels is not None:
            for row, label in enumerate(rows.labels):
                if label is None:
                    field = self.schema.label
                    raise InputError(f"row {row}, field {field!r}: the label is missing (strict)")
        most = int(np.diff(rows.indptr).max(initial=0))
        if most > self.limits.features:
            raise BadLine(too_many(most, self.limits))
        return self.accept(converter, rows)

    def converter(self) -> Converter:
        """Make a converter that knows what was decided so far."""
        converter = Converter(self.schema)
        for name, kind in self.sampled.items():
            if converter.known_kind(name) is None:
                converter.decide(name, kind)
        return converter

    def accept(
        self, converter: Converter, rows: Rows, new_names: Sequence[Hashable] | None = None
    ) -> Rows:
        """Keep and count what a converter has decided and seen, now that its rows are good.

        Parameters
        ----------
        converter : Converter
            The converter.
        rows : Rows
            Its rows.
        new_names : sequence of hashable, optional
            The names that no rows had before, if rows share their names; else all count as new.

        Returns
        -------
        Rows
            The rows, with the decisions.
        """
        self.schema.adopt(Decisions(converter.decided))
        self.observed.add(converter, rows, new_names)
        return rows.with_arrays(schema=Decisions(converter.decided, self.base))


def format_by_name(source: Source, given: str | None) -> FormatEntry | None:
    """Find the format of a file: the given one, else by the suffix of its name.

    Parameters
    ----------
    source : str, path or file
        The file, or ``"-"`` for standard input.
    given : str, optional
        The name of the format.

    Returns
    -------
    FormatEntry or None
        The format; None if only the content can tell.

    Raises
    ------
    InputError
        If there is no such format.

    Examples
    --------
    >>> format_by_name("rows.csv.gz", None).name, format_by_name("-", "jsonl").name
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
    return None


def format_by_content(beginning: bytes) -> FormatEntry:
    """Find the format of a file by its first bytes.

    Parameters
    ----------
    beginning : bytes
        The first bytes of the file, decompressed.

    Returns
    -------
    FormatEntry
        The format; CSV if it looks like no other.

    Examples
    --------
    >>> names = (b"1 3:0.5", b'{"a": 1}', b"1 |user age:31", b"39, Private, 77516")
    >>> [format_by_content(beginning).name for beginning in names]
    ['svmlight', 'jsonl', 'vw', 'csv']
    """
    if beginning.startswith(b"PAR1"):
        return FORMATS.find("parquet")
    if beginning.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return FORMATS.find("arrow")
    lines = beginning.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")
    first = [line.strip() for line in lines[:_SEVERAL] if not line.startswith(b"#")]
    line = next(iter(first), b"")
    if line.startswith((b"{", b"[")):
        return FORMATS.find("jsonl")
    if line.startswith(b"%"):  # comments, which may be many
        line = next((each.strip() for each in lines if each.strip()[:1] not in (b"%", b"")), b"")
    if line.lower().startswith(b"@relation"):
        return FORMATS.find("arff")
    if _SVMLIGHT.fullmatch(line):
        return FORMATS.find("svmlight")
    if _VW.fullmatch(line) and (len(first) < _SEVERAL or b"|" in first[1]):
        return FORMATS.find("vw")
    return FORMATS.find("csv")


def rows_of(entry: FormatEntry, file: Any, reading: Reading) -> Iterator[Rows]:
    """Read the rows of a file of this format."""
    reading.bad_lines.allowed = entry.allowed
    rows: Iterator[Rows] = resolve(entry.home)(file, reading)
    return rows


def close_match(name: str, columns: list[str]) -> str:
    """Ask whether another name was meant, if one is near.

    Parameters
    ----------
    name : str
        A name that is not there.
    columns : list of str
        Those that are.

    Returns
    -------
    str
        The question, or nothing.
    """
    close = get_close_matches(name, columns, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
