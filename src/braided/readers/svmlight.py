"""svmlight: ``label index:value index:value ...``, one row on each line.

The name of a feature is its index in the file, whether the file counts from 1 or from 0. A written
zero is observed, ``nan`` is unobserved. ``qid`` and text after ``#`` are skipped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.kernels.numerics import LARGEST_VALUE
from braided.readers.bad_lines import BadLine, Limits, shown, too_long, too_many
from braided.readers.formats import Reading
from braided.readers.sources import chunks
from braided.readers.svmlight_parser import LARGEST_INDEX, parse_lines
from braided.records.roles import labels_of_numbers
from braided.rows.rows import Rows

__all__ = ["parse_line", "read_rows"]

MOST_NUMBERED = 2**22
"""Up to this index, columns are numbered by index; beyond, only those that occur are numbered."""


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, a chunk of lines at a time."""
    bad_lines, limits = reading.bad_lines, reading.limits
    line = capacity = 0
    arrays = _arrays(capacity)
    for data, is_too_long in chunks(file, limits.line):
        if is_too_long:
            line += 1
            bad_lines.report(line, too_long(limits), data)
            continue
        if capacity < len(data):
            capacity = len(data)
            arrays = _arrays(capacity)
        ends, indices, values, labels = arrays
        as_bytes, position = np.frombuffer(data, np.uint8), 0
        while position < len(data):
            n, lines, position = parse_lines(as_bytes, position, limits.features, *arrays)
            line += lines
            if n:
                indptr = np.concatenate((np.zeros(1, np.int64), ends[:n]))
                yield _rows(indptr, indices[: indptr[-1]], values[: indptr[-1]], labels[:n])
            if position < len(data):  # a line that the compiled parser leaves to the plain one
                end = data.index(b"\n", position) + 1
                line += 1
                try:
                    row = parse_line(data[position:end], limits)
                except BadLine as bad_line:
                    bad_lines.report(line, str(bad_line), data[position : end - 1])
                else:
                    if row is not None:
                        yield row
                position = end


def _arrays(size: int) -> tuple[NDArray[Any], ...]:
    """Arrays for all rows and values that so many bytes can contain."""
    rows, entries = size // len("1\n") + 1, size // len(" 1:1") + 1
    ends, labels = np.empty(rows, np.int64), np.empty(rows)
    return ends, np.empty(entries, np.int32), np.empty(entries), labels


def _rows(indptr: Any, indices: Any, values: Any, labels: Any) -> Rows:
    width = int(indices.max()) + 1 if indices.size else 0
    names: Any = range(width)
    if width > MOST_NUMBERED:
        columns, indices = np.unique(indices, return_inverse=True)
        names, width = columns.tolist(), columns.size
    indices = np.array(indices, np.int32)  # a copy: the arrays are used again
    return Rows(indptr, indices, values.copy(), width, names, labels_of_numbers(labels)).marked()


def parse_line(line: bytes, limits: Limits) -> Rows | None:
    """Parse one line with all checks; None if it has no row."""
    line = line.partition(b"#")[0]
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise BadLine(f"{line[error.start : error.end]!r} is not UTF-8 text") from None
    words = line.split()
    if not words:
        return None
    label, *features = words
    label_value = _float(label)
    if label_value is None or not math.isfinite(label_value):
        raise BadLine(f"the label {shown(label)} is not a finite number")
    if features and features[0].startswith(b"qid:"):
        features = features[1:]
    if len(features) > limits.features:
        raise BadLine(too_many(len(features), limits))
    indices, values, last = [], [], -1
    for word in features:
        last, value = _parse_feature(word, last)
        if not math.isnan(value):
            indices.append(last)
            values.append(value)
    indptr = np.array([0, len(indices)], np.int64)
    return _rows(indptr, np.array(indices, np.int32), np.array(values), np.array([label_value]))


def _parse_feature(word: bytes, last: int) -> tuple[int, float]:
    """The index and the value of a feature; ``last`` is the index before it."""
    index_text, colon, value_text = word.partition(b":")
    if not colon:
        raise BadLine(f"{shown(word)} is not index:value")
    try:
        index = int(index_text)
    except ValueError:
        raise BadLine(f"the index in {shown(word)} is not a whole number") from None
    if not 0 <= index <= LARGEST_INDEX:
        raise BadLine(f"the index in {shown(word)} is not between 0 and {LARGEST_INDEX}")
    if index == last:
        raise BadLine(f"{shown(word)} repeats the index {index}")
    if index < last:
        raise BadLine(f"{shown(word)} comes after index {last}")
    value = _float(value_text)
    if value is None:
        raise BadLine(f"the value in {shown(word)} is not a number")
    if abs(value) > LARGEST_VALUE:
        raise BadLine(f"the value in {shown(word)} is not a finite number up to {LARGEST_VALUE:g}")
    return index, value


def _float(text: bytes) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
