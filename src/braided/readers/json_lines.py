"""JSON lines: one object on each line; or one list of objects, or objects over several lines.

A list of objects may be in a field of an object, as in ``{"status": "ok", "data": [...]}``.
Fields of nested objects get dotted names (``user.age``). What a value becomes is said in
``records.kinds``. null, an empty text and texts such as ``"NULL"`` are unobserved.
"""

from __future__ import annotations

import codecs
import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from braided.errors import InputError
from braided.readers.bad_lines import BadLine, Record, convert_records, shown, too_long
from braided.readers.formats import Reading
from braided.readers.json_rows import JsonRows
from braided.readers.sources import CHUNK_BYTES, Chunk, Peeked, as_utf8, chunks, lines
from braided.rows.rows import Rows

__all__ = ["parsed", "read_plainly", "read_rows"]


def read_rows(file: Any, reading: Reading) -> Iterator[Rows]:
    """The rows of a file, up to ``reading.size`` at a time."""
    begun = _within(Peeked(as_utf8(file)), reading)
    if _goes_on(begun.beginning) or not reading.large:
        yield from _plainly(begun, reading)
    else:
        convert, record_of = partial(_convert, reading), partial(_record, reading)
        found = _chunks(begun, reading)
        yield from JsonRows(reading, _value, record_of, convert).rows(found)


def read_plainly(file: Any, reading: Reading) -> Iterator[Rows]:
    """The same rows, without compiled code: what it is compared with."""
    yield from _plainly(_within(Peeked(as_utf8(file)), reading), reading)


def _plainly(begun: Peeked, reading: Reading) -> Iterator[Rows]:
    if _goes_on(begun.beginning):
        yield from _rows(_one_document(begun, reading), lines(begun, reading.limits.line), reading)
    else:
        source = lines.of(_chunks(begun, reading))
        yield from _rows(_records(source, reading), source, reading)


def _chunks(file: Any, reading: Reading) -> Iterator[Chunk]:
    for number, chunk in enumerate(chunks(file, reading.limits.line)):
        yield chunk if number else chunk._replace(data=chunk.data.removeprefix(BOM_UTF8))


def _rows(records: Iterator[Record], source: Any, reading: Reading) -> Iterator[Rows]:
    for batch in reading.batches(records, source):
        yield from convert_records(batch, partial(_convert, reading), reading.bad_lines)


def _convert(reading: Reading, contents: list[Any]) -> Rows:
    return reading.convert(lambda converter: converter.rows(contents))


def _records(source: Iterator[Chunk], reading: Reading) -> Iterator[Record]:
    for number, line in enumerate(source, start=1):
        record = _record(reading, number, line)
        if record is not None:
            yield record


def _record(reading: Reading, number: int, line: Chunk) -> Record | None:
    """The record of a line; None if it is blank."""
    content: Any
    try:
        if line.too_long:
            raise BadLine(too_long(reading.limits))
        if not line.data.strip():
            return None
        data = line.data.rstrip()
        bare = data.removesuffix(b",").rstrip()  # as in a list without brackets
        mended = bare.endswith(b"}") and not reading.schema.strict
        content = _object_of(parsed(bare if mended else data))
    except BadLine as bad_line:
        content = bad_line
    return Record(number, line.data, content)


_DOCUMENT = re.compile(rb"\s*(?:\[|\{\s*(?:\n|$))")
_BETWEEN = re.compile(r"[ \t\r\n,\[]*")


def _goes_on(beginning: bytes) -> bool:
    """Whether a file begins with a list of objects, or an object over several lines."""
    return _DOCUMENT.match(beginning.removeprefix(BOM_UTF8)) is not None


_TEXT = rb'"(?:[^"\\]|\\.)*"'
_FLAT = rb"\[[^{}\[\]]*\]|\{[^{}\[\]]*\}"
_DEEP = rb"\{(?:[^{}\[\]]|%b)*\}" % _FLAT  # as the "crs" of GeoJSON
_BEFORE = rb"(?:%b\s*:\s*(?:%b|[-+.\w]+|%b|%b)\s*,\s*)*" % (_TEXT, _TEXT, _FLAT, _DEEP)
_WRAPPED = re.compile(rb"\s*\{\s*%b%b\s*:\s*(?=\[\s*\{)" % (_BEFORE, _TEXT))


def _within(file: Peeked, reading: Reading) -> Peeked:
    """The list of objects in a field, if the file is one object that is no row itself."""
    beginning = file.beginning.removeprefix(BOM_UTF8)
    found = _WRAPPED.match(beginning)
    if found is None or not reading.sample:  # on a pipe, a line is a row
        return file
    text = beginning.decode(errors="ignore").lstrip()
    try:
        whole, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):  # it is longer
        try:
            whole = json.loads(found[0] + b"0}")
        except ValueError:
            return file
    else:
        if text[end:].strip():
            return file
    schema = reading.schema
    if any(name == schema.label or schema.kind(name) is not None for name in whole):
        return file
    file.skip(len(file.beginning) - len(beginning) + found.end())
    return file


def _one_document(file: Any, reading: Reading) -> Iterator[Record]:
    """The objects of a list, or objects one after another, wherever lines end."""
    reading.bad_lines.unit = "object"
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    decoded = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    text, place, number = "", 0, 0
    reason: Exception | None = None

    def refusal(reason: Any) -> InputError:
        return InputError(f"{reading.bad_lines.file}, object {number + 1}: {reason}")

    wanted = 0  # characters of a large object that must be there before another try is worth it
    ended = False
    while True:
        place = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        if text.startswith("]", place):
            return
        found, end = None, place
        if place < len(text) and len(text) - place >= wanted:
            try:
                found, end = decoder.raw_decode(text, place)
            except BadLine as bad_line:
                raise refusal(bad_line) from None
            except (ValueError, RecursionError) as error:
                reason, size = error, len(text) - place
                wanted = 2 * size if size > CHUNK_BYTES else 0
        if (end if end > place else len(text)) - place > reading.limits.line:
            raise refusal(too_long(reading.limits))
        if end > place:
            number, wanted = number + 1, 0
            try:
                yield Record(number, text[place:end].encode(), _object_of(found))
            except BadLine as bad_line:
                yield Record(number, text[place:end].encode(), bad_line)
            place = end
            continue
        if ended:
            if place < len(text):
                raise refusal(f"not JSON: {reason}")
            return
        piece = file.read1(CHUNK_BYTES)
        text, place = text[place:] + decoded.decode(piece, final=not piece), 0
        if not piece:
            ended, wanted = True, 0


def parsed(line: bytes) -> Any:
    """Parse JSON; a field that is there twice is refused.

    Parameters
    ----------
    line : bytes
        The text.

    Returns
    -------
    Any
        What it stands for.

    Raises
    ------
    BadLine
        If it is not JSON.
    """
    try:
        return json.loads(line.decode(), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise BadLine(f"{line[error.start : error.end]!r} is not UTF-8 text") from None
    except RecursionError:
        raise BadLine("objects are nested too deeply") from None
    except ValueError as error:
        raise BadLine(f"not JSON: {error}") from None


def _value(raw: bytes) -> Any:
    """The value of some bytes; of an object, only whether there is anything in it."""
    try:
        found = parsed(raw)
    except BadLine as bad_line:
        raise ValueError(str(bad_line)) from None
    if isinstance(found, dict):
        return "an object" if found else None
    return found


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
