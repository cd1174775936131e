"""Vowpal Wabbit: ``label [importance] [tag]|namespace feature[:value] ...`` on each line.

A feature of the namespace n is named ``n^feature``, without a namespace ``feature``. A feature
without a value has the value 1; the values of a feature that is there twice are added. The value of
a namespace multiplies the values of its features. The importance is the weight of the row; tags are
skipped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

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
from braided.readers.sources import lines
from braided.records import as_rows
from braided.records.roles import LARGEST_WEIGHT, label_array
from braided.rows.rows import Rows

__all__ = ["read_rows"]


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, up to ``reading.size`` at a time."""
    source = lines(file, reading.limits.line)
    records = _records(source, reading)
    for batch in reading.batches(records, source):
        yield from convert_records(batch, _rows, reading.bad_lines)


def _rows(lines: list[tuple[dict[str, float], Any, float]]) -> Rows:
    """Features have names in this format, and no kinds."""
    rows = as_rows([x for x, _, _ in lines], label_array([label for _, label, _ in lines]))
    weights = np.array([weight for _, _, weight in lines])
    return rows.with_arrays(schema=None, weights=None if (weights == 1.0).all() else weights)


def _records(source: Any, reading: Reading) -> Iterator[Record]:
    limits = reading.limits
    for number, (line, is_too_long) in enumerate(source, start=1):
        try:
            if is_too_long:
                raise BadLine(too_long(limits))
            if line.strip():
                yield Record(number, line, _parsed(line, limits))
        except BadLine as bad_line:
            yield Record(number, line, bad_line)


def _parsed(line: bytes, limits: Limits) -> tuple[dict[str, float], Any, float]:
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
