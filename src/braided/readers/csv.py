"""CSV and TSV as people have them: a line of names, then a line for each row.

The separator is found by itself among ``, ; tab |``, or is white space. The kind of a column is
decided by its texts in the first rows of a file (``records.kinds``), on a pipe by the first. A
field that is empty or says NULL, NA, ``?`` and the like is unobserved. A line with fewer fields
than the header has unobserved ones at its end. A line that is not UTF-8 is read as Windows-1252. A
quote that does not enclose a whole field is a character like any other. A header that comes again,
as in files that were joined, is left out; so are comments, if there are some before the header.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from braided.errors import InputError
from braided.readers.bad_lines import BadLine, Record, convert_records, too_many
from braided.readers.csv_lines import COMMENT, NoRows, TextLines
from braided.readers.csv_table import CsvTable
from braided.readers.formats import Reading
from braided.records.columns import rows_of_columns
from braided.records.convert import Converter
from braided.records.kinds import kind_of_texts
from braided.rows.rows import Rows

__all__ = ["SEPARATORS", "read_csv", "read_tsv"]

SEPARATORS = (",", ";", "\t", "|")
_PROBE = 20
"""The number of lines that decide which separator a file has."""

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.DOTALL)  # how Excel tells the separator

csv.field_size_limit(2**31 - 1)  # the limit of a line is our own


def read_csv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a CSV file, up to ``reading.size`` at a time."""
    return _read(file, reading.layout.separator, reading)


def read_tsv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a TSV file, up to ``reading.size`` at a time."""
    return _read(file, reading.layout.separator or "\t", reading)


def _read(file: Any, separator: str | None, reading: Reading) -> Iterator[Rows]:
    source = TextLines(file, reading)
    told = _SEPARATOR_LINE.fullmatch("".join(source.peek(1)).strip(" \r\n"))
    if told:
        next(source)
        separator = separator or told[1]
    comments = _skip_titles(source, separator, reading)
    if separator is None:
        separator = _separator(source, _PROBE if reading.sample else 1)
    records = _records(source, separator, strict=reading.schema.strict)
    if not reading.layout.has_header:
        source.mark()
    header, names, records = _header(records, reading)
    if reading.layout.has_header:
        source.mark()
    no_rows = NoRows(names, comments)
    rows = _whole(records, header, no_rows, reading)
    first = list(islice(rows, reading.sample))
    _decide(header, first, reading)

    def convert(contents: list[list[str]]) -> Rows:
        columns = dict(zip(header, map(list, zip(*contents, strict=True)), strict=True))
        return reading.convert(lambda c: rows_of_columns(columns, len(contents), c))

    if reading.large and CsvTable.fits(header, separator) and source.go_back():
        records = _records(source, separator, strict=reading.schema.strict)
        rows = _whole(records, header, no_rows, reading)
        yield from CsvTable(source, rows, header, separator, no_rows, convert, reading).rows()
        return
    for batch in reading.batches(chain(first, rows), source):
        yield from convert_records(batch, convert, reading.bad_lines)


def _skip_titles(source: TextLines, separator: str | None, reading: Reading) -> bool:
    """Leave out the title and the comments before the line with the names of the columns.

    That line has more fields than each one before it, and names the label or a field that the
    model knows; else the first line is that of names. Returns whether there were comments.
    """
    schema = reading.schema
    if not reading.layout.has_header or schema.strict:
        return False
    for candidate in (separator,) if separator else (*SEPARATORS, " "):
        most = 0
        for place in range(_PROBE):
            if place and not reading.sample and source.peek(place)[-1][:1] not in ("#", ""):
                break  # on a pipe, only comments are worth waiting
            if len(found := source.peek(place + 1)) <= place:
                break
            names = [name.strip() for name in _fields(found[place], candidate)]
            size = sum(map(bool, names))
            if size > most and any(n == schema.label or schema.kind(n) for n in names if n):
                titles = [_title(source) for _ in range(place)]
                reading.titles += sum(bool(title.strip()) for title in titles)
                return any(title.startswith(COMMENT) for title in titles)
            most = max(most, size)
    return False


def _title(source: TextLines) -> str:
    """The next line, whatever is in it."""
    try:
        return next(source)
    except BadLine:
        return "?"


def _fields(line: str, separator: str) -> list[str]:
    """The fields of a single line; none if it has no end."""
    try:
        return next(csv.reader([line.strip()], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def _separator(source: TextLines, count: int) -> str:
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
    if best == (0.0, 1):  # no character at all; a single column of texts has lines of all lengths
        sizes = [len(_fields(line, " ")) for line in probe]
        if len(sizes) > 1 and sizes[0] > 1 and {*sizes} == {sizes[0]}:
            return " "
    return chosen


def _records(source: TextLines, separator: str, *, strict: bool) -> Iterator[Record]:
    """The fields of each record: a line, or several if a field in quotes contains newlines."""
    quoted = source if strict else _mended(source, separator)
    reader = csv.reader(quoted, delimiter=separator, strict=strict, skipinitialspace=True)
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
            text = b"\n".join(line.data for line in source.held)
            yield Record(source.number - count + 1, text, content, count)


class _mended:  # noqa: N801 - used as a function
    """The same lines, in which each quote encloses a whole field.

    Other quotes are those of a text, as in ``"Well", she said``; without care, such a quote at the
    beginning of a field would swallow all lines up to the next one.
    """

    def __init__(self, source: TextLines, separator: str) -> None:
        self._source, self._separator = source, separator

    def __iter__(self) -> _mended:
        return self

    def __next__(self) -> str:
        line = next(self._source)
        return self._with_whole_quotes(line) if '"' in line else line

    def _with_whole_quotes(self, text: str) -> str:
        """The text of a record; a field in quotes may go on in further lines."""
        separator, fields, start = self._separator, [], 0
        while True:
            begin = start
            while text.startswith(" ", begin) and separator != " ":
                begin += 1
            if not text.startswith('"', begin):
                end = text.find(separator, begin)
                field = text[start:end] if end >= 0 else text[start:]
            else:
                whole, closed = self._quoted(text, begin)
                if closed is None:
                    end = text.find(separator, begin)
                    field = text[begin:end] if end >= 0 else text[begin:].rstrip("\r\n")
                    field = '"' + field.replace('"', '""') + '"'
                else:
                    text, field, end = whole, whole[begin:closed], closed
                    end = end if text.startswith(separator, end) else -1
            fields.append(field)
            if end < 0:
                return separator.join(fields) + ("" if field.endswith("\n") else "\n")
            start = end + 1

    def _quoted(self, text: str, begin: int) -> tuple[str, int | None]:
        """The text with all lines of a field in quotes, and where the field ends.

        None if the quote does not enclose a whole field; then no other line was read.
        """
        before, place = len(self._source.held), begin + 1
        while True:
            place = text.find('"', place)
            if place < 0:
                place = len(text)
                try:
                    text += next(self._source)
                except (StopIteration, BadLine):
                    break
            elif text.startswith('""', place):
                place += 2
            else:
                place += 1
                while text.startswith(" ", place) and self._separator != " ":
                    place += 1
                if text[place : place + 1] in (self._separator, "\n", "") or text.startswith(
                    "\r\n", place
                ):
                    return text, place
                break
        self._source.put_back(len(self._source.held) - before)
        return text, None


def _header(
    records: Iterator[Record], reading: Reading
) -> tuple[list[str], list[str], Iterator[Record]]:
    """The columns (none if the file is empty), their names in its header, and the records."""
    bad_lines, layout, names = reading.bad_lines, reading.layout, list[str]()
    first = next(records, None)
    if first is None:
        return [], [], records
    if isinstance(first.content, BadLine):  # without a header, nothing can be read
        raise InputError(f"{bad_lines.file}, line {first.line}: {first.content}")
    width = len(first.content)
    if layout.has_header:
        names = [name.strip() for name in first.content]
        header = _names(names)
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
    reading.check_label(header)
    return header, [] if reading.schema.strict else names, records


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


def _whole(
    records: Iterator[Record], header: list[str], no_rows: NoRows, reading: Reading
) -> Iterator[Record]:
    """The records with as many fields as the header; others are mended, or marked bad."""
    width, strict = len(header), reading.schema.strict
    for record in records:
        content = record.content
        if no_rows.has(record):
            reading.repeated += 1
        elif isinstance(content, BadLine) or len(content) == width:
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
        texts = Counter(fields[c].strip() for fields in whole)
        for text in [text for text in texts if converter.is_missing(text)]:
            del texts[text]
        if texts:
            reading.sampled[name] = kind_of_texts(texts)
