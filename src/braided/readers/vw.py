"""Vowpal Wabbit: ``label [importance] [tag]|namespace feature[:value] ...`` on each line.

A feature of the namespace n is named ``n^feature``, without a namespace ``feature``. A feature
without a value has the value 1; the values of a feature that is there twice are added. The value of
a namespace multiplies the values of its features. The importance is the weight of the row; tags are
skipped.

Rows of one file share a table of names, which grows; a new one is begun before it is too large.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from braided.features.name_table import NameTable
from braided.readers.bad_lines import (
    BadLine,
    Limits,
    Record,
    convert_records,
    shown,
    too_long,
    too_many,
)
from braided.readers.formats import Reading
from braided.readers.name_order import new_names
from braided.readers.sources import chunks
from braided.readers.vw_parser import (
    BEYOND,
    MORE_NAMES,
    NOT_PLAIN,
    Found,
    Row,
    parse_lines,
)
from braided.records import as_rows
from braided.records.roles import LARGEST_WEIGHT, label_array, labels_of_numbers
from braided.rows.rows import Rows

__all__ = ["parse_line", "read_rows"]

MOST_NAMES = 2**20 - 2**17
MOST_TEXT = 2**26
"""How many names a table holds, and how many bytes of them, before the next one is begun."""

_MOST_IN_ROW, _TEXT_OF_ROW = 2**15, 2**20  # that compiled code takes
_ROWS, _ENTRIES = 2**13, 2**17  # that it returns at once


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, a chunk of lines at a time."""
    limits, parser = reading.limits, _Parser()
    line = 0
    left: list[Record] = []  # lines that the compiled parser has left to the plain one

    def converted() -> Iterator[Rows]:
        records = left.copy()
        left.clear()
        return convert_records(records, parser.rows_of, reading.bad_lines)

    for data, is_too_long in chunks(file, limits.line):
        if is_too_long:
            line += 1
            yield from converted()
            reading.bad_lines.report(line, too_long(limits), data)
            continue
        parser.begin(data)
        while parser.position < len(data):
            rows, lines, stopped = parser.parse(limits.features)
            line += lines
            if rows is not None:
                yield from converted()
                yield rows
            if stopped == NOT_PLAIN:
                line += 1
                text = parser.next_line()
                if text.strip():
                    left.append(Record(line, text, _line_or_bad(text, limits)))
        yield from converted()


class _Parser:
    """The compiled parser with its arrays, and the table of names that rows refer to."""

    def __init__(self) -> None:
        self.names = NameTable()
        self._row = Row(
            new_names(_MOST_IN_ROW, _TEXT_OF_ROW),
            np.empty(_MOST_IN_ROW, np.uint64),
            np.empty(_MOST_IN_ROW),
        )
        self._found = Found(
            np.empty(_ROWS, np.int64),
            np.empty(_ROWS),
            np.empty(_ROWS),
            np.empty(_ENTRIES, np.int32),
            np.empty(_ENTRIES),
        )
        self._bytes = np.empty(0, np.uint8)
        self.begin(b"")

    def begin(self, data: bytes) -> None:
        """Begin a chunk of lines."""
        self.data, self.position = data, 0
        if self._bytes.size < len(data) + BEYOND:
            self._bytes = np.zeros(len(data) + BEYOND, np.uint8)
        self._bytes[: len(data)] = np.frombuffer(data, np.uint8)
        self._is_utf8 = data.isascii() or _is_utf8(data)
        names = self.names
        if len(names) > MOST_NAMES or names.text_bytes > MOST_TEXT:
            self.names = NameTable()

    def parse(self, most_features: int) -> tuple[Rows | None, int, int]:
        """The next plain rows, if there are any; how many lines they are, and why they end."""
        size, found = len(self.data), self._found
        n, lines, self.position, stopped = parse_lines(
            self._bytes,
            self.position,
            size,
            self._is_utf8,
            most_features,
            self.names.arrays,
            self._row,
            found,
        )
        if stopped == MORE_NAMES:
            self.names.make_room(_MOST_IN_ROW, _TEXT_OF_ROW)
        if n == 0:
            return None, lines, stopped
        indptr = np.concatenate((np.zeros(1, np.int64), found.ends[:n]))
        weights = found.weights[:n]
        rows = Rows(
            indptr,
            found.indices[: indptr[-1]].copy(),  # the arrays are used again
            found.values[: indptr[-1]].copy(),
            len(self.names),
            self.names,
            labels_of_numbers(found.labels[:n]),
            None if (weights == 1.0).all() else weights.copy(),
        )
        return rows.marked(), lines, stopped

    def next_line(self) -> bytes:
        """The line at which the compiled parser has stopped."""
        start = self.position
        end = self.data.index(b"\n", start)
        self.position = end + 1
        return self.data[start:end]

    def rows_of(self, lines: list[tuple[dict[str, float], Any, float]]) -> Rows:
        """Rows from lines that were parsed plainly. Features have names, and no kinds."""
        rows = as_rows([x for x, _, _ in lines], label_array([label for _, label, _ in lines]))
        weights = np.array([weight for _, _, weight in lines])
        numbers = self.names.add(map(str, rows.names or ()))
        return rows.with_arrays(
            indices=numbers[rows.indices],
            width=len(self.names),
            names=self.names,
            schema=None,
            weights=None if (weights == 1.0).all() else weights,
        )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _line_or_bad(line: bytes, limits: Limits) -> Any:
    try:
        return parse_line(line, limits)
    except BadLine as bad_line:
        return bad_line


def parse_line(line: bytes, limits: Limits) -> tuple[dict[str, float], Any, float]:
    """Parse one line with all checks: its features, its label and its weight."""
    try:
        head, *namespaces = line.decode().split("|")
    except UnicodeDecodeError as error:
        raise BadLine(f"{line[error.start : error.end]!r} is not UTF-8 text") from None
    if not namespaces:
        raise BadLine("the line has no |")
    features: dict[str, float] = {}
    for text in namespaces:
        _add_features(features, text)
    if len(features) > limits.features:
        raise BadLine(too_many(len(features), limits))
    return features, *_label(head)


def _label(head: str) -> tuple[Any, float]:
    """The label and the importance; a tag (next to the |, or with a quote) may follow them."""
    words = head.split()
    if words and (not head[-1].isspace() or words[-1].startswith("'")):
        words.pop()  # a tag
    if len(words) > 2:
        raise BadLine(
            f"{shown(words[-1])} before the |: only a label and an importance are allowed"
        )
    numbers = [
        _number(word, "the label" if i == 0 else "the importance") for i, word in enumerate(words)
    ]
    label = numbers[0] if numbers else None
    if label is not None and label.is_integer() and abs(label) < 2**53:
        label = int(label)
    weight = numbers[1] if len(numbers) > 1 else 1.0
    if not 0 <= weight <= LARGEST_WEIGHT:
        raise BadLine(f"the importance {shown(words[1])} is not from 0 to {LARGEST_WEIGHT:g}")
    return label, weight


def _add_features(features: dict[str, float], text: str) -> None:
    words = text.split()
    prefix, factor = "", 1.0
    if words and not text[0].isspace():
        namespace, colon, value = words.pop(0).partition(":")
        prefix = f"{namespace}^"
        factor = _number(value, f"the value of namespace {shown(namespace)}") if colon else 1.0
    for word in words:
        name, colon, value = word.partition(":")
        if not name:
            raise BadLine(f"{shown(word)} has no name")
        number = _number(value, f"the value in {shown(word)}") if colon else 1.0
        feature = prefix + name
        features[feature] = features.get(feature, 0.0) + number * factor


def _number(text: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadLine(f"{what} is {shown(text)}, not a finite number")
    return number
