"""JSON lines: one object on each line.

Fields of nested objects get dotted names (``user.age``). A text becomes the indicator
``field=text``, a list of texts a bag of words (``words=free`` counts the text), a list of numbers
``field.0``, ``field.1`` and so on. null and an empty text are unobserved, true is 1, false is 0.
"""

from __future__ import annotations

import json
from collections import Counter
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

__all__ = ["flattened", "read_rows"]


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
                yield Record(number, line, flattened(_parsed(line), fields, limits))
        except BadLine as bad_line:
            yield Record(number, line, bad_line)


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line.decode(), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise BadLine(f"{line[error.start : error.end]!r} is not UTF-8 text") from None
    except RecursionError:
        raise BadLine("objects are nested too deeply") from None
    except ValueError as error:
        raise BadLine(f"not JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise BadLine(f"field {shown(name)} is there twice")
    return found


def flattened(row: Any, fields: Fields, limits: Limits) -> tuple[dict[str, Any], Any]:
    """Return the features of an object by name, and its label.

    Parameters
    ----------
    row : dict
        The object.
    fields : Fields
        Which fields are the label, left out, categories.
    limits : Limits
        The limit of features.

    Returns
    -------
    tuple
        A dict from feature name to value, and the label.

    Examples
    --------
    >>> row = {"user": {"age": 31, "pet": "cat"}, "words": ["a", "b", "a"], "label": 1}
    >>> flattened(row, Fields(), Limits())
    ({'user.age': 31, 'user.pet=cat': 1, 'words=a': 2, 'words=b': 1}, 1)
    """
    if not isinstance(row, dict):
        raise BadLine(f"{shown(json.dumps(row))} is not an object")
    features: dict[str, Any] = {}
    label = None
    try:
        for name, value in _leaves("", row, fields):
            if name == fields.label_name:
                label = value
                continue
            if name in features:
                raise BadLine(f"feature {shown(name)} is there twice")
            features[name] = value
            if len(features) > limits.features:
                raise BadLine(too_many(len(features), limits))
    except RecursionError:
        raise BadLine("objects are nested too deeply") from None
    label = fields.as_label(label)
    _check_texts(features, label)
    return features, label


def _leaves(prefix: str, row: dict[str, Any], fields: Fields) -> Iterator[tuple[str, Any]]:
    """The name and value of each feature, and of the label."""
    for key, value in row.items():
        name = prefix + key
        if name in fields.ignore or value is None or value == "":
            continue
        if name == fields.label_name:
            yield name, value
        elif isinstance(value, dict):
            yield from _leaves(f"{name}.", value, fields)
        elif isinstance(value, list):
            yield from _listed(name, value)
        elif isinstance(value, str):
            yield f"{name}={value}", 1
        elif name in fields.categorical:
            yield f"{name}={json.dumps(value)}", 1
        else:
            yield name, value


def _listed(name: str, values: list[Any]) -> Iterator[tuple[str, Any]]:
    if all(isinstance(value, str) for value in values):
        for text, times in Counter(values).items():
            yield f"{name}={text}", times
    elif all(value is None or isinstance(value, int | float) for value in values):
        for i, value in enumerate(values):
            if value is not None:
                yield f"{name}.{i}", value
    else:
        raise BadLine(f"field {shown(name)} is a list of neither texts nor numbers")


def _check_texts(features: dict[str, Any], label: Any) -> None:
    """Refuse texts that JSON can escape but UTF-8 can not encode: they could not be saved."""
    for text in (*features, label):
        if isinstance(text, str) and not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise BadLine(f"{text!a} is not valid text") from None
