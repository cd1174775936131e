"""JSON lines: one object on each line; or one list of objects, or objects over several lines.

Fields of nested objects get dotted names (``user.age``). What a value becomes is said in
``records.kinds``. null, an empty text and texts such as ``"NULL"`` are unobserved.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from braided.errors import InputError
from braided.readers.bad_lines import BadLine, Record, convert_records, shown, too_long
from braided.readers.formats import Reading
from braided.readers.sources import as_utf8, lines
from braided.rows.rows import Rows

__all__ = ["read_rows"]


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, up to ``reading.size`` at a time."""
    source = lines(as_utf8(file), reading.limits.line)
    records = _records(source, reading)

    def convert(contents: list[Any]) -> Rows:
        return reading.convert(lambda converter: converter.rows(contents))

    for batch in reading.batches(records, source):
        yield from convert_records(batch, convert, reading.bad_lines)


def _records(source: Any, reading: Reading) -> Iterator[Record]:
    limits = reading.limits
    for number, (line, is_too_long) in enumerate(source, start=1):
        line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        try:
            if is_too_long:
                raise BadLine(too_long(limits))
            if line.strip():
                if number == 1 and _goes_on(line):
                    yield from _one_document(line, source, reading)
                    return
                yield Record(number, line, _object_of(_parsed(line)))
        except BadLine as bad_line:
            yield Record(number, line, bad_line)


def _goes_on(line: bytes) -> bool:
    """Whether the first line begins a list of objects, or an object over several lines."""
    text = line.strip()
    return text.startswith(b"[") or text == b"{"


def _one_document(line: bytes, source: Any, reading: Reading) -> Iterator[Record]:
    """The objects of a list, or objects one after another, wherever lines end."""
    reading.bad_lines.unit = "object"
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    text, more, number = "", chain([(line, False)], source), 0
    while True:
        text = text.lstrip(" \t\r\n,[")
        if text.startswith("]"):
            return
        try:
            found, end = decoder.raw_decode(text) if text else (None, 0)
        except BadLine as bad_line:
            raise InputError(f"{reading.bad_lines.file}, object {number + 1}: {bad_line}") from None
        except (ValueError, RecursionError) as error:
            found, end, reason = None, 0, error
        if end:
            number += 1
            try:
                yield Record(number, text[:end].encode(), _object_of(found))
            except BadLine as bad_line:
                yield Record(number, text[:end].encode(), bad_line)
            text = text[end:]
            continue
        piece = list(islice(more, 1 if not number else 256))
        if not piece:
            if text.strip():
                raise InputError(
                    f"{reading.bad_lines.file}, object {number + 1}: not JSON: {reason}"
                )
            return
        for part, is_too_long in piece:
            if is_too_long or len(text) > reading.limits.line:
                raise InputError(
                    f"{reading.bad_lines.file}, object {number + 1}: {too_long(reading.limits)}"
                )
            text += part.decode(errors="replace") + "\n"


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


def _object_of(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise BadLine(f"{shown(json.dumps(row))} is not an object")
    return row
