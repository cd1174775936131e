"""The rows of JSON lines: of plain lines by compiled code, of all others by the plain reader.

Which lines are plain is said in ``json_tokens.py``; what cells mean, in ``cell_memo.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.features.name_table import FREE, NameTable
from braided.readers.bad_lines import Record, convert_records
from braided.readers.cell_memo import CellMemo
from braided.readers.formats import Reading
from braided.readers.json_parser import LEFT, NEW, NO_ROOM, parse_lines
from braided.readers.json_tokens import DEEPEST, JsonNames, ObjectArrays
from braided.readers.sources import Chunk
from braided.rows.rows import Rows, joined

__all__ = ["JsonRows"]

ROWS = 1024
"""Up to so many rows are looked at, before they are made."""

MOST_FIELDS = 2**17
"""With more, what is known of fields is forgotten, to bound memory."""

MOST_PLAIN = 1024
"""The plain reader reads up to so many lines at once, where few are plain."""

FEW = 8
"""Compiled code pays if it reads so many times as many lines as are left to the plain reader."""

LARGEST = 2**20
"""Chunks with more bytes hold a long line, for which all arrays would be long."""

_LONGEST_INDEX = 20  # letters of a number in the name of a part of a list


class JsonRows:
    """The rows of lines, each of which is an object.

    Parameters
    ----------
    reading : Reading
        The arguments of the reader.
    value_of : callable
        From the bytes of a value to what Python has for it; a ValueError if it is none.
    record_of : callable
        From the number of a line, and the line, to its record; None if it is blank.
    convert : callable
        From the contents of records to rows: the plain reader.
    """

    def __init__(
        self,
        reading: Reading,
        value_of: Callable[[bytes], Any],
        record_of: Callable[[int, Chunk], Record | None],
        convert: Callable[[list[Any]], Rows],
    ) -> None:
        self._reading, self._value_of = reading, value_of
        self._record_of, self._convert = record_of, convert
        self._line = 0  # how many lines were read
        self._left = reading.size  # records of this batch
        self._at_once = 1  # lines that the plain reader reads before compiled code tries again
        self._since = 0  # rows by compiled code since then
        self._pending: list[Rows] = []  # the rows of this batch so far
        self._places = np.zeros((min(ROWS, reading.size) + 1, 2), np.int64)
        self._objects = _no_objects(0)
        self._begin()

    def _begin(self) -> None:
        """Begin without any field."""
        self._memo = CellMemo(self._reading, self._value_of)
        self._names, self._known = NameTable(), 0
        self._objects.guesses[:] = FREE
        self._objects.counts[:] = 0
        self._fields = JsonNames(
            self._names.arrays, np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64)
        )
        self._make_room(0)

    def rows(self, chunks: Iterable[Chunk]) -> Iterator[Rows]:
        """The rows, up to ``reading.size`` at a time; on a pipe those of each chunk."""
        for chunk in chunks:
            if chunk.too_long:
                yield from self._plain([chunk])
                continue
            yield from self._of_lines(chunk.data)
            if not self._reading.sample:
                yield from self._end_batch()
        yield from self._end_batch()

    def _end_batch(self) -> Iterator[Rows]:
        self._keep_taken()
        pending, self._pending, self._left = self._pending, [], self._reading.size
        if pending:
            yield joined(pending)
        if self._known > MOST_FIELDS:
            self._begin()

    def _keep_taken(self) -> None:
        rows = self._memo.rows()
        if rows is not None:
            self._pending.append(rows)

    def _of_lines(self, data: bytes) -> Iterator[Rows]:
        """The rows of whole lines."""
        as_bytes = np.frombuffer(data, np.uint8)
        place = text = 0  # ``text`` is up to where the data is known to be text
        while place < len(data):
            if text <= place:
                text = _text_until(data, place)
            goes_on = False
            if place < text:
                place, goes_on = self._take(data, as_bytes, place, text)
            if self._left == 0:
                yield from self._end_batch()
            if goes_on:
                continue
            few = self._since < FEW * self._at_once
            self._at_once = min(2 * self._at_once, MOST_PLAIN) if few else 1
            self._since = 0
            lines: list[Chunk] = []
            while place < len(data) and len(lines) < min(self._at_once, self._left):
                end = data.index(b"\n", place)
                lines.append(Chunk(data[place:end]))
                place = end + 1
            yield from self._plain(lines)

    def _plain(self, lines: list[Chunk]) -> Iterator[Rows]:
        """Let the plain reader read lines."""
        self._keep_taken()
        found = [self._record_of(n, line) for n, line in enumerate(lines, self._line + 1)]
        records = [record for record in found if record is not None]
        self._line += len(lines)
        self._left -= len(records)
        try:
            for rows in convert_records(records, self._convert, self._reading.bad_lines):
                self._pending.append(self._memo.adopted(rows))
        except InputError:  # rows before a bad line are good
            yield from self._end_batch()
            raise
        if self._left == 0:
            yield from self._end_batch()

    # -------------------------------------------------------------------- by compiled code

    def _take(self, data: bytes, as_bytes: Any, place: int, stop: int) -> tuple[int, bool]:
        """Take rows from a place of the data on.

        Returns where the next line begins, and whether compiled code can go on there.
        """
        memo, places, rows, status = self._memo, self._places, 0, NEW
        cells = memo.ready(places.shape[0] - 1, len(data) // 2 + 1, len(data))
        if self._objects.field.size < len(data) // 4 + 1:
            self._objects = _no_objects(len(data))
        cells.ends[0], places[0] = 0, (place, 0)
        self._fields.decides[self._known : len(self._names)] = (
            FREE  # lines that were left to the plain reader
        )
        while True:
            status, rows = parse_lines(
                as_bytes, stop, min(self._left, places.shape[0] - 1), self._fields, self._known,
                self._objects, memo.fields, memo.arrays, cells, places, rows,
            )  # fmt: skip
            if status == NO_ROOM:
                self._make_room(len(data))
            elif status == NEW:
                self._add_fields()
            else:
                break
        taken = memo.take(data, rows)
        place, lines = places[taken].tolist()
        self._line += lines
        self._left -= taken
        self._since += taken
        return place, taken == rows and status != LEFT

    def _add_fields(self) -> None:
        """Make new fields known."""
        new = slice(self._known, len(self._names))
        self._memo.add_fields(self._names[new], self._fields.decides[new].tolist())
        self._known = new.stop

    def _make_room(self, size: int) -> None:
        """Make room for as many fields as there are, and for names of so many bytes."""
        self._names.make_room(len(self._names) + 1, self._names.memory_bytes + size)
        table, count = self._names.arrays, self._names.arrays.slots.size // 2
        self._fields = JsonNames(table, *(_grown(array, count) for array in self._fields[1:]))


def _text_until(data: bytes, place: int) -> int:
    """Up to where there are lines that compiled code can read: those of UTF-8 text."""
    if len(data) > LARGEST:
        return place
    if data.isascii():
        return len(data)
    try:
        data[place:].decode()
    except UnicodeDecodeError as error:
        return data.rfind(b"\n", 0, place + error.start) + 1
    return len(data)


def _grown(array: Any, size: int) -> Any:
    grown = np.zeros(size, array.dtype)
    grown[: array.size] = array
    return grown


def _no_objects(size: int) -> ObjectArrays:
    """Room for objects of so many bytes."""
    most = size // len('"":1') + 1
    return ObjectArrays(
        field=np.empty(most, np.int32),
        start=np.empty(most, np.int64),
        end=np.empty(most, np.int64),
        form=np.empty(most, np.uint8),
        order=np.empty(most, np.int32),
        before=np.empty(most, np.int32),
        guesses=np.full(most, FREE, np.int32),
        parents=np.empty(most, np.int32),
        outer=np.empty(DEEPEST, np.int32),
        name=np.empty(size + _LONGEST_INDEX, np.uint8),
        counts=np.zeros(2, np.int64),
    )
