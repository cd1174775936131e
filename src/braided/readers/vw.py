"""Vowpal Wabbit: ``label [importance] [tag]|namespace feature[:value] ...`` on each line.

A feature of the namespace n is named ``n^feature``, without a namespace ``feature``. A feature
without a value has the value 1; the values of a feature that is there twice are added. The value of
a namespace multiplies the values of its features. Tags are skipped; an importance other than 1 is
refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from braided.readers.bad_lines import (
    BadLine,
    Limits,
    Record,
    convert_records,
    shown,
    too_long,
    too_many,
)
from braided.readers.columns import Fields, rows_from_dicts
from braided.readers.formats import Reading
from braided.readers.sources import lines
from braided.rows.rows import Rows

__all__ = ["read_rows"]


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, up to ``reading.size`` at a time."""
    records = _records(file, reading)
    while batch := list(islice(records, reading.size)):
        yield from convert_records(batch, rows_from_dicts, reading.bad_lines)


def _records(file: Any, reading: Reading) -> Iterator[Record]:
    fields, limits = reading.fields, reading.limits
    for number, (line, is_too_long) in enumerate(lines(file, limits.line), start=1):
        try:
            if is_too_long:
                raise BadLine(too_long(limits))
            if line.strip():
                yield Record(number, line, _parsed(line, fields, limits))
        except BadLine as bad_line:
            yield Record(number, line, bad_line)


def _parsed(line: bytes, fields: Fields, limits: Limits) -> tuple[dict[str, float], Any]:
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
    return features, _label(head, fields)


def _label(head: str, fields: Fields) -> Any:
    """The label; an importance and a tag (next to the |, or with a quote) may follow it."""
    words = head.split()
    if words and (not head[-1].isspace() or words[-1].startswith("'")):
        words.pop()  # a tag
    numbers = [
        _number(word, "the label" if i == 0 else "the importance")
        for i, word in enumerate(words[:2])
    ]
    if len(words) > 2 or numbers[1:] not in ([], [1.0]):
        raise BadLine(
            f"{shown(words[-1])} before the |: only a label and an importance of 1 are allowed"
        )
    return fields.as_label(numbers[0] if numbers else None)


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
