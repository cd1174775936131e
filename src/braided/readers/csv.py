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

from braided.errors import InputError, warn
from braided.readers.bad_lines import BadLine, Record, convert_records, too_many
from braided.readers.csv_lines import COMMENT, NoRows, TextLines
from braided.readers.csv_table import CsvTable
from braided.readers.formats import Reading
from braided.records.columns import rows_of_columns
from braided.records.convert import Converter
from braided.records.kinds import IGNORE, kind_of_texts
from braided.records.values import as_number
from braided.rows.rows import Rows

__all__ = ["SEPARATORS", "header_of", "read_csv", "read_tsv"]

SEPARATORS = (",", ";", "\t", "|")
_PROBE = 20
"""The number of lines that decide which separator a file has."""

_FEWEST = 10
"""The number of rows from which on numbers that count up are taken for those of the rows."""

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.DOTALL)  # how Excel tells the separator

_COUNTED = re.compile(r"(?:column )?1|Unnamed: \d+")
"""How a column may be called that holds the numbers of rows: without a name, or as by pandas."""

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
    lines = source.peek(_PROBE if reading.sample else 1)
    strict = reading.schema.strict
    escapes = not strict and _escapes(lines, separator)
    records = _records(source, separator, strict=strict, escapes=escapes)
    plain = (line.replace('\\"', '""') if escapes else line for line in lines)
    probe = [_fields(line, separator) for line in plain]
    probe = [fields for fields in probe if fields]
    if not _has_header(probe, reading):
        source.mark()
        header, names, records = _numbered(records, reading)
    else:
        header, names, records = _named(records, probe[1:], reading)
        source.mark()
    no_rows = NoRows(names, comments)
    leave_out = _may_leave_out(header, probe[1:], reading)
    rows = _whole(records, header, no_rows, reading, leave_out)
    first = list(islice(rows, reading.sample))
    _decide(header, first, reading)

    def convert(contents: list[list[str]]) -> Rows:
        columns = dict(zip(header, map(list, zip(*contents, strict=True)), strict=True))
        return reading.convert(lambda c: rows_of_columns(columns, len(contents), c))

    large = reading.large and not escapes
    if large and CsvTable.fits(header, separator) and source.go_back():
        records = _records(source, separator, strict=strict)
        rows = _whole(records, header, no_rows, reading, leave_out)
        yield from CsvTable(source, rows, header, separator, no_rows, convert, reading).rows()
        return
    for batch in reading.batches(chain(first, rows), source):
        yield from convert_records(batch, convert, reading.bad_lines)


def _skip_titles(source: TextLines, separator: str | None, reading: Reading) -> bool:
    """Leave out the title and the comments before the line with the names of the columns.

    That line has more fields than each one before it, and names the label or a field that the
    model knows; else the first line is that of names. Returns whether there were comments.
    """
    schema, candidates = reading.schema, (separator,) if separator else (*SEPARATORS, " ")
    if _column_number(reading) and reading.sample and _skip_title(source, candidates, reading):
        return False
    if not reading.layout.has_header or schema.strict:
        return False
    label = (schema.label or "").casefold()
    for candidate in candidates:
        most = 0
        for place in range(_PROBE):
            if place and not reading.sample and source.peek(place)[-1][:1] not in ("#", ""):
                break  # on a pipe, only comments are worth waiting
            if len(found := source.peek(place + 1)) <= place:
                break
            names = [name.strip() for name in _fields(found[place], candidate)]
            size = sum(map(bool, names))
            if size > most and any(n.casefold() == label or schema.kind(n) for n in names if n):
                titles = [_title(source) for _ in range(place)]
                reading.titles += sum(bool(title.strip()) for title in titles)
                return any(title.startswith(COMMENT) for title in titles)
            most = max(most, size)
    return False


def _skip_title(source: TextLines, candidates: Sequence[str], reading: Reading) -> bool:
    """Leave out lines of a single field before the first with a column of the label's number."""
    for candidate in candidates:
        sizes = [sum(map(bool, _fields(line, candidate))) for line in source.peek(_PROBE)]
        wide = max(2, _column_number(reading))
        place = next((place for place, size in enumerate(sizes) if size >= wide), 0)
        if place and max(sizes[:place]) <= 1:
            reading.titles += sum(bool(_title(source).strip()) for _ in range(place))
            return True
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
            if {*sizes[1:]} == {sizes[0] + 1}:  # R's header, see header_of
                alike = 1.0
            if (round(alike, 1), sizes[0]) > best:
                best, chosen = (round(alike, 1), sizes[0]), separator
    if best == (0.0, 1):  # no character at all; a single column of texts has lines of all lengths
        sizes = [len(_fields(line, " ")) for line in probe]
        if len(sizes) > 1 and sizes[0] > 1 and {*sizes[1:]} in ({sizes[0]}, {sizes[0] + 1}):
            return " "
    return chosen


def _escapes(lines: Sequence[str], separator: str) -> bool:
    """Whether a quote inside a field has a backslash before it, and is not doubled.

    A backslash before a quote that ends a field says nothing: it may be the end of a path.
    """
    inside = re.compile(rf'\\"(?!\s*(?:{re.escape(separator)}|$))')
    doubled = re.compile(rf'[^{re.escape(separator)}\s]""')
    return any(map(inside.search, lines)) and not any(map(doubled.search, lines))


def _records(
    source: TextLines, separator: str, *, strict: bool, escapes: bool = False
) -> Iterator[Record]:
    """The fields of each record: a line, or several if a field in quotes contains newlines."""
    quoted = source if strict else _mended(source, separator, escapes=escapes)
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

    def __init__(self, source: TextLines, separator: str, *, escapes: bool) -> None:
        self._source, self._separator, self._escapes = source, separator, escapes

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
            elif self._escapes and text[place - 1] == "\\":
                text = text[: place - 1] + '""' + text[place + 1 :]
                place += 1
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


def _column_number(reading: Reading) -> int:
    """Return the number that the label may be in place of a name, from 1; 0 if it is a name."""
    label = reading.schema.label or ""
    if reading.schema.strict or not (label.isascii() and label.isdecimal()):
        return 0
    return int(label)


def _has_header(first: Sequence[list[str]], reading: Reading) -> bool:
    """Whether the first line has the names of the columns.

    It has, unless somebody says something else: that it has none, or that the label is a column
    with a number, in a file in which the first line looks like the next ones.

    Parameters
    ----------
    first : sequence of list of str
        The fields of the first lines.
    reading : Reading
        Knows the label.

    Returns
    -------
    bool
        Whether it has.
    """
    if not reading.layout.has_header or not _column_number(reading) or not first:
        return reading.layout.has_header
    names, *rows = ([field.strip() for field in fields] for fields in first)
    if all(name.isdecimal() for name in names if name):
        numbers = [int(name) for name in names if name]
        if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return True  # columns without names, as pandas numbers them
    if any(as_number(name) is not None for name in names):
        return False
    # A name is not one of the values below it.
    return not any(name and name in below for name, *below in zip(names, *rows, strict=False))


def header_of(names: list[str], rows: Sequence[list[str]], reading: Reading) -> list[str]:
    """The columns of a file, by the names in its first line.

    Parameters
    ----------
    names : list of str
        The names, stripped.
    rows : sequence of list of str
        The fields of the lines after it.
    reading : Reading
        Knows the label.

    Returns
    -------
    list of str
        A name for each column; they differ.
    """
    if reading.schema.strict:
        return _different(names)
    longer = len(rows) > 1 and all(len(row) == len(names) + 1 for row in rows)
    if longer and any(row[-1] for row in rows):  # not only a separator at the end
        names = ["", *names]  # R writes the names of rows, but none for their column
    return _with_label(_different(names), reading)


def _different(names: list[str]) -> list[str]:
    """Names that differ: one without a name has its number, one that is there twice a number."""
    found: list[str] = []
    times: Counter[str] = Counter()
    for place, name in enumerate(names, start=1):
        given = name or (str(place) if str(place) not in names else f"column {place}")
        times[given] += 1
        unique = given if times[given] == 1 else f"{given}.{times[given]}"
        while unique in found or (times[given] > 1 and unique in names):
            times[given] += 1
            unique = f"{given}.{times[given]}"
        found.append(unique)
    return found


def _with_label(header: list[str], reading: Reading) -> list[str]:
    """The names, of which the label's has other capitals, or is told by its number."""
    schema = reading.schema
    label, number = schema.label, _column_number(reading)
    if label is None or label in header:
        return header
    alike = [name for name in header if name.casefold() == label.casefold()]
    name = alike[0] if len(alike) == 1 else ""
    if 0 < number <= len(header):
        name = header[number - 1]
    if not name or schema.kind(name) is not None or name in schema.roles:
        return header  # a model knows it as something else
    what = f"its column {number}, {name!r}," if number else repr(name)
    warn(f"{reading.bad_lines.file} has no column {label!r}: {what} is taken as the label")
    return [label if each == name else each for each in header]


def _named(
    records: Iterator[Record], rows: Sequence[list[str]], reading: Reading
) -> tuple[list[str], list[str], Iterator[Record]]:
    """The columns (none if the file is empty), their names in its header, and the records."""
    first = _first(records, reading)
    if first is None:
        return [], [], records
    names = [name.strip() for name in first.content]
    header = header_of(names, rows, reading)
    _check(header, reading)
    return header, [] if reading.schema.strict else names, records


def _numbered(
    records: Iterator[Record], reading: Reading
) -> tuple[list[str], list[str], Iterator[Record]]:
    """The same for a file without a header, whose columns have numbers or declared names."""
    first = _first(records, reading)
    if first is None:
        return [], [], records
    width = len(first.content)
    header = list(reading.layout.columns or map(str, range(1, width + 1)))
    if len(header) != width:
        raise InputError(
            f"{reading.bad_lines.file}, line {first.line}: {width} fields; {len(header)} columns "
            "are named (columns)"
        )
    _check(header, reading)
    return header, [], chain([first], records)


def _first(records: Iterator[Record], reading: Reading) -> Record | None:
    """The first record; one that can not be read is refused, since nothing can be without it."""
    first = next(records, None)
    if first is not None and isinstance(first.content, BadLine):
        raise InputError(f"{reading.bad_lines.file}, line {first.line}: {first.content}")
    return first


def _check(header: list[str], reading: Reading) -> None:
    """Refuse too many columns, or none that is the label."""
    if len(header) > reading.limits.features + 1:
        raise InputError(f"{reading.bad_lines.file}: {too_many(len(header) - 1, reading.limits)}")
    reading.check_label(header)


def _may_leave_out(header: list[str], probe: Sequence[list[str]], reading: Reading) -> bool:
    """Whether longer lines may be left out: most are not, and nobody said what to do with them.

    Rows that are to be predicted, and those of a pipe, are waited for: none is left out.
    """
    fits = 2 * sum(len(fields) <= len(header) for fields in probe) > len(probe)
    asked = reading.schema.strict or reading.bad_lines.on_error != "fail"
    return fits and reading.labelled and bool(reading.sample) and not asked


def _whole(
    records: Iterator[Record],
    header: list[str],
    no_rows: NoRows,
    reading: Reading,
    leave_out: bool,
) -> Iterator[Record]:
    """The records with as many fields as the header; others are mended, left out or marked bad."""
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
        elif leave_out:
            reading.long += 1
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
        cells = [fields[c].strip() for fields in whole]
        if c == 0 and _COUNTED.fullmatch(name) and _counts_up(cells):
            reading.sampled[name] = IGNORE  # the numbers of the rows say nothing
            continue
        texts = Counter(cells)
        for text in [text for text in texts if converter.is_missing(text)]:
            del texts[text]
        if texts:
            reading.sampled[name] = kind_of_texts(texts)


def _counts_up(texts: list[str]) -> bool:
    """Whether texts are whole numbers, each one more than that before it."""
    if len(texts) < _FEWEST or not all(text.isascii() and text.isdecimal() for text in texts):
        return False
    numbers = list(map(int, texts))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
