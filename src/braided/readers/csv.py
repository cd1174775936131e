"""CSV and TSV with a header: a line of names, then a line for each row.

The type of a column is number, true/false or text. Texts become ``column=text`` indicators, an
empty field is unobserved. The type is that of most fields in the first rows of the file, or of the
first field that is not empty if all of these are empty. A field of another type is a bad line, so
that one typing error does not turn a column of numbers into texts.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, argument
from braided.readers.bad_lines import (
    BadLine,
    BadLines,
    Limits,
    Record,
    convert_records,
    shown,
    too_long,
    too_many,
)
from braided.readers.columns import Fields, label_array
from braided.readers.formats import Reading
from braided.readers.sources import lines
from braided.rows import Rows, as_rows, from_columns

__all__ = ["read_csv", "read_tsv"]

SAMPLE = 1000
"""The number of rows that decide the type of a column."""

Types = dict[str, str]
_TRUTH = {"true": 1.0, "false": 0.0}


def read_csv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a CSV file, up to ``reading.size`` at a time."""
    return _read(file, ",", reading)


def read_tsv(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a TSV file, up to ``reading.size`` at a time."""
    return _read(file, "\t", reading)


def _read(file: Any, delimiter: str, reading: Reading) -> Iterator[Rows]:
    size, fields, bad_lines, limits, types = reading
    records = _records(file, delimiter, limits)
    header = _header(records, fields, bad_lines, limits)
    rows = _whole(records, header)
    first = list(islice(rows, SAMPLE))
    sample = [record for record in first if not isinstance(record.content, BadLine)]
    null = fields.null | {""}
    for c, name in enumerate(header):
        if name in fields.categorical:
            types[name] = "text"
        elif name not in types and (kind := _kind(sample, c, null)):
            types[name] = kind
    left = chain(first, rows)
    convert = partial(_convert, header=header, types=types, fields=fields, null=null)
    while batch := list(islice(left, size)):
        for c, name in enumerate(header):
            if name not in types and (kind := _kind(_first_filled(batch, c, null), c, null)):
                types[name] = kind
        yield from convert_records(batch, convert, bad_lines)


class _Lines:
    """The lines of a file as texts; ``held`` are the lines of the present record."""

    def __init__(self, file: Any, limits: Limits) -> None:
        self._lines, self._limits = lines(file, limits.line), limits
        self.number = 0
        self.held: list[bytes] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line, is_too_long = next(self._lines)
        self.number += 1
        self.held.append(line)
        if is_too_long or sum(map(len, self.held)) > self._limits.line:
            raise BadLine(too_long(self._limits))
        try:
            text = line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise BadLine(f"{line[error.start : error.end]!r} is not UTF-8 text") from None
        return text + "\n"


def _records(file: Any, delimiter: str, limits: Limits) -> Iterator[Record]:
    """The fields of each record: a line, or several if a field in quotes contains newlines."""
    source = _Lines(file, limits)
    reader = csv.reader(source, delimiter=delimiter, strict=True)
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
        if content:
            count = len(source.held)
            yield Record(source.number - count + 1, b"\n".join(source.held), content, count)


def _header(
    records: Iterator[Record], fields: Fields, bad_lines: BadLines, limits: Limits
) -> list[str]:
    """The names of the columns; none if the file is empty."""
    first = next(records, None)
    if first is None:
        return []
    if isinstance(first.content, BadLine):  # without a header, nothing can be read
        raise InputError(f"{bad_lines.file}, line {first.line}: {first.content}")
    header: list[str] = first.content
    if len(header) > limits.features + 1:
        raise InputError(f"{bad_lines.file}: {too_many(len(header) - 1, limits)}")
    name, times = Counter(header).most_common(1)[0]
    if times > 1:
        raise InputError(f"{bad_lines.file}: {times} columns are called {name!r}")
    fields.find_columns(header, bad_lines.file)
    return header


def _whole(records: Iterator[Record], header: list[str]) -> Iterator[Record]:
    """The records, marked bad if they do not have as many fields as the header."""
    for record in records:
        if isinstance(record.content, BadLine) or len(record.content) == len(header):
            yield record
        else:
            found = len(record.content)
            yield record._replace(content=BadLine(f"{found} fields; the header has {len(header)}"))


def _kind(records: list[Record], c: int, null: frozenset[str]) -> str | None:
    """The type of the fields of a column; None if all are empty."""
    texts = [text for record in records if (text := record.content[c].strip()) not in null]
    if not texts:
        return None
    for kind, fits in (("truth", _is_truth), ("number", _is_number)):
        if 2 * sum(map(fits, texts)) > len(texts):
            return kind
    return "text"


def _first_filled(records: list[Record], c: int, null: frozenset[str]) -> list[Record]:
    for record in records:
        if not isinstance(record.content, BadLine) and record.content[c].strip() not in null:
            return [record]
    return []


def _is_truth(text: str) -> bool:
    return text.lower() in _TRUTH


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _convert(
    records: list[list[str]], header: list[str], types: Types, fields: Fields, null: frozenset[str]
) -> Rows:
    columns: dict[str, Any] = {}
    labels: list[Any] = [None] * len(records)
    for name, cells in zip(header, zip(*records, strict=True), strict=True):
        if name == fields.label_name:
            labels = _labels(cells, types.get(name), fields, null)
        elif name in types and name not in fields.ignore:
            columns[name] = _column(name, cells, types[name], null)
    if not columns:
        return as_rows([{}] * len(records), label_array(labels))
    return from_columns(columns, label_array(labels))


def _column(name: str, cells: Sequence[str], kind: str, null: frozenset[str]) -> NDArray[Any]:
    if kind == "text":
        column = np.empty(len(cells), object)
        column[:] = [None if cell.strip() in null else cell for cell in cells]
        return column
    if kind == "number" and len(null) == 1:
        try:
            return np.array([float(cell) if cell else math.nan for cell in cells])
        except ValueError:
            pass
    return np.array([_number(name, cell, kind, null) for cell in cells])


def _number(name: str, cell: str, kind: str, null: frozenset[str]) -> float:
    stripped = cell.strip()
    if stripped in null:
        return math.nan
    try:
        return float(stripped) if kind == "number" else _TRUTH[stripped.lower()]
    except (ValueError, KeyError):
        expected = "a number" if kind == "number" else "true or false"
        raise BadLine(
            f"field {name!r}: {shown(cell)} is not {expected}, as most of this column are "
            f"({argument('categorical')} if the column holds texts, {argument('null')} if this "
            "text means unobserved)"
        ) from None


def _labels(
    cells: Sequence[str], kind: str | None, fields: Fields, null: frozenset[str]
) -> list[Any]:
    values = _column(fields.label_name, cells, kind or "text", null).tolist()
    if kind == "truth":
        values = [value if value != value else bool(value) for value in values]
    return [fields.as_label(value) for value in values]
