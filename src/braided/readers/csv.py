"""CSV and TSV as people have them: a line of names, then a line for each row.

The separator is found by itself among ``, ; tab |``. The kind of a column is decided by its texts
in the first rows of a file (``records.kinds``), on a pipe by the first. A field that is empty or
says NULL, NA, ``?`` and the like is unobserved. A line with fewer fields than the header has
unobserved ones at its end. A line that is not UTF-8 is read as Windows-1252.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from braided.errors import InputError
from braided.readers.bad_lines import (
    BadLine,
    Record,
    convert_records,
    too_long,
    too_many,
)
from braided.readers.fields import find_label
from braided.readers.formats import Reading
from braided.readers.sources import as_utf8, lines
from braided.records.columns import rows_of_columns
from braided.records.convert import Converter
from braided.records.kinds import kind_of_texts
from braided.rows.rows import Rows

__all__ = ["SEPARATORS", "read_csv", "read_tsv"]

SEPARATORS = (",", ";", "\t", "|")
_PROBE = 20
"""The number of lines that decide which separator a file has."""

csv.field_size_limit(2**31 - 1)  # the limit of a line is our own


def read_csv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a CSV file, up to ``reading.size`` at a time."""
    return _read(file, reading.layout.separator, reading)


def read_tsv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a TSV file, up to ``reading.size`` at a time."""
    return _read(file, reading.layout.separator or "\t", reading)


def _read(file: Any, separator: str | None, reading: Reading) -> Iterator[Rows]:
    source = _Lines(file, reading)
    if separator is None:
        separator = _separator(source, _PROBE if reading.sample else 1)
    records = _records(source, separator, strict=reading.schema.strict)
    header, records = _header(records, reading)
    rows = _whole(records, header, reading)
    first = list(islice(rows, reading.sample))
    _decide(header, first, reading)
    left = chain(first, rows)

    def convert(contents: list[list[str]]) -> Rows:
        columns = dict(zip(header, map(list, zip(*contents, strict=True)), strict=True))
        return reading.convert(lambda c: rows_of_columns(columns, len(contents), c))

    for batch in reading.batches(left, source):
        yield from convert_records(batch, convert, reading.bad_lines)


class _Lines:
    """The lines of a file as texts; ``held`` are the lines of the present record."""

    def __init__(self, file: Any, reading: Reading) -> None:
        self._lines = lines(as_utf8(file), reading.limits.line)
        self._limits, self._reading = reading.limits, reading
        self._ahead: list[Any] = []
        self.number = 0
        self.held: list[bytes] = []

    def __iter__(self) -> _Lines:
        return self

    @property
    def waiting(self) -> bool:
        """Whether another line is there without asking the file."""
        return bool(self._ahead) or self._lines.waiting

    def peek(self, count: int) -> list[str]:
        """The next lines, which will be read again."""
        while len(self._ahead) < count and (line := next(self._lines, None)) is not None:
            self._ahead.append(line)
        return [_decoded(line, first=i == 0)[0] for i, (line, _) in enumerate(self._ahead)]

    def __next__(self) -> str:
        line, is_too_long = self._ahead.pop(0) if self._ahead else next(self._lines)
        self.number += 1
        self.held.append(line)
        if is_too_long or sum(map(len, self.held)) > self._limits.line:
            raise BadLine(too_long(self._limits))
        text, recoded = _decoded(line, first=self.number == 1)
        if recoded:
            if self._reading.schema.strict:
                raise BadLine(f"{line[:60]!r} is not UTF-8 text (strict)")
            self._reading.recoded += 1
        return text + "\n"


def _decoded(line: bytes, *, first: bool) -> tuple[str, bool]:
    """The text of a line, and whether it is not UTF-8."""
    try:
        return line.decode("utf-8-sig" if first else "utf-8"), False
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace"), True


def _separator(source: _Lines, count: int) -> str:
    """The character that cuts the first lines into the same number of fields, most of all."""
    probe = [line for line in source.peek(count) if line.strip()]
    best, chosen = (0.0, 1), SEPARATORS[0]
    for separator in SEPARATORS:
        try:
            sizes = [len(r) for r in csv.reader(probe, delimiter=separator) if r]
        except csv.Error:
            continue
        if sizes and sizes[0] > 1:
            alike = sum(size == sizes[0] for size in sizes) / len(sizes)
            if (round(alike, 1), sizes[0]) > best:
                best, chosen = (round(alike, 1), sizes[0]), separator
    return chosen


def _records(source: _Lines, separator: str, *, strict: bool) -> Iterator[Record]:
    """The fields of each record: a line, or several if a field in quotes contains newlines."""
    reader = csv.reader(source, delimiter=separator, strict=strict, skipinitialspace=True)
    while True:
        source.held.clear()
        content: Any
        try:
            content = next(reader)
        except StopIteration:
            return
        except (BadLine, csv.Error) as error:
            last = f" (the row goes on to line {source.number})" if len(source.held) > 1 else ""
            content = BadLine(f"{error}{last}")
        if content and content != [""]:
            count = len(source.held)
            yield Record(source.number - count + 1, b"\n".join(source.held), content, count)


def _header(records: Iterator[Record], reading: Reading) -> tuple[list[str], Iterator[Record]]:
    """The names of the columns (none if the file is empty), and the records of rows."""
    bad_lines, layout = reading.bad_lines, reading.layout
    first = next(records, None)
    if first is None:
        return [], records
    if isinstance(first.content, BadLine):  # without a header, nothing can be read
        raise InputError(f"{bad_lines.file}, line {first.line}: {first.content}")
    width = len(first.content)
    if layout.has_header:
        header = _names([name.strip() for name in first.content])
    else:
        header = list(layout.columns or map(str, range(1, width + 1)))
        records = chain([first], records)
        if len(header) != width:
            raise InputError(
                f"{bad_lines.file}, line {first.line}: {width} fields; {len(header)} columns are "
                "named (columns)"
            )
    if len(header) > reading.limits.features + 1:
        raise InputError(f"{bad_lines.file}: {too_many(len(header) - 1, reading.limits)}")
    find_label(header, reading)
    return header, records


def _names(names: list[str]) -> list[str]:
    """Names that differ: one without a name has its number, one that is there twice a number."""
    found: list[str] = []
    times: Counter[str] = Counter()
    for place, name in enumerate(names, start=1):
        given = name or str(place)
        times[given] += 1
        unique = given if times[given] == 1 else f"{given}.{times[given]}"
        while unique in found or (times[given] > 1 and unique in names):
            times[given] += 1
            unique = f"{given}.{times[given]}"
        found.append(unique)
    return found


def _whole(records: Iterator[Record], header: list[str], reading: Reading) -> Iterator[Record]:
    """The records with as many fields as the header; others are mended, or marked bad."""
    width, strict = len(header), reading.schema.strict
    for record in records:
        content = record.content
        if isinstance(content, BadLine) or len(content) == width:
            yield record
        elif len(content) < width and not strict:
            reading.short += 1
            yield record._replace(content=content + [""] * (width - len(content)))
        elif not strict and not any(map(str.strip, content[width:])):
            yield record._replace(content=content[:width])
        else:
            reason = BadLine(f"{len(content)} fields; the header has {width}")
            yield record._replace(content=reason)


def _decide(header: list[str], first: Sequence[Record], reading: Reading) -> None:
    """Decide the kinds of columns by the first rows."""
    converter = Converter(reading.schema)
    whole = [record.content for record in first if not isinstance(record.content, BadLine)]
    for c, name in enumerate(header):
        if name in reading.schema.roles or converter.known_kind(name) is not None:
            continue
        texts = [text for fields in whole if not converter.is_missing(text := fields[c].strip())]
        if texts:
            reading.sampled[name] = kind_of_texts(texts)
