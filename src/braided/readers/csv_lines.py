"""The lines of a CSV file: one by one as texts, or many at once as the bytes that they are."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from braided.readers.bad_lines import BadLine, Record, too_long
from braided.readers.formats import Reading
from braided.readers.sources import Chunk, as_utf8, chunks

__all__ = ["COMMENT", "NoRows", "TextLines"]

COMMENT = "#"

_MOST_BYTES = 2**31  # of data that compiled code can number


class NoRows(NamedTuple):
    """The lines between rows that are none: the header once more, and comments."""

    names: list[str]  # the fields of the header; empty if it is not looked for
    comments: bool

    def has(self, record: Record) -> bool:
        """Whether a record is such a line."""
        if self.comments and record.text.startswith(COMMENT.encode()):
            return True
        fields = record.content
        return (
            isinstance(fields, list)
            and len(fields) == len(self.names) > 1
            and [field.strip(" \t") for field in fields] == self.names
        )


class TextLines:
    """The lines of a file as texts; ``held`` are the lines of the present record.

    Whoever parses bytes takes ``data`` from ``place`` on, which are whole lines, and tells with
    ``skip`` how far it came.

    Parameters
    ----------
    file : binary file
        The file.
    reading : Reading
        Its limits, and where lines that are not UTF-8 are counted.
    """

    def __init__(self, file: Any, reading: Reading) -> None:
        self._chunks: Iterator[Chunk] = chunks(as_utf8(file), reading.limits.line)
        self._limits, self._reading = reading.limits, reading
        self.data, self.place, self._is_plain = b"", 0, False
        self._long: Chunk | None = None  # a line that is too long; it comes after the data
        self._kept: list[bytes] | None = None  # data since the mark
        self._marked = 0, 0, 0, 0
        self._ahead: deque[Chunk] = deque()
        self._counted = 0  # the lines of which it was told whether they are UTF-8
        self.number = 0
        self.held: list[Chunk] = []

    def __iter__(self) -> TextLines:
        return self

    @property
    def waiting(self) -> bool:
        """Whether another line is there without asking the file."""
        return bool(self._ahead) or self.place < len(self.data) or self._long is not None

    def peek(self, count: int) -> list[str]:
        """The next lines, which will be read again."""
        while len(self._ahead) < count and (line := self._next()) is not None:
            self._ahead.append(line)
        return [_decoded(line, first=i == 0)[0] for i, (line, _) in enumerate(self._ahead)]

    def __next__(self) -> str:
        found = self._ahead.popleft() if self._ahead else self._next()
        if found is None:
            raise StopIteration
        line, is_too_long = found
        self.number += 1
        self.held.append(found)
        if is_too_long or sum(len(each.data) for each in self.held) > self._limits.line:
            raise BadLine(too_long(self._limits))
        text, recoded = _decoded(line, first=self.number == 1)
        if recoded:
            if self._reading.schema.strict:
                raise BadLine(f"{line[:60]!r} is not UTF-8 text (strict)")
            self._reading.recoded += self.number > self._counted
        self._counted = max(self._counted, self.number)
        return text + "\n"

    def put_back(self, count: int) -> None:
        """Read the last lines of the present record again, as lines of the next ones."""
        if count:
            self._ahead.extendleft(self.held[: -count - 1 : -1])
            del self.held[-count:]
            self.number -= count

    def _next(self) -> Chunk | None:
        """The next line; None at the end."""
        while self.place == len(self.data):
            if self._long is not None:
                line, self._long = self._long, None
                return line
            if not self.fill():
                return None
        end = self.data.index(b"\n", self.place)
        line, self.place = Chunk(self.data[self.place : end]), end + 1
        return line

    # ------------------------------------------------------------------------ many at once

    def fill(self) -> bool:
        """Read on, when all data was used; whether there is more."""
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        if chunk.too_long:
            self._long, self._kept = chunk, None
        else:
            self._have(chunk.data)
            if self._kept is not None:
                self._kept.append(chunk.data)
        return True

    def gather(self) -> bool:
        """Whether the next lines are in ``data``; those that were looked at are put back there."""
        if any(line.too_long for line in self._ahead):
            return False
        if self._ahead:
            lines = b"".join(line.data + b"\n" for line in self._ahead)
            self._have(lines + self.data[self.place :])
            self._ahead.clear()
        if self.number == 0 and self.data.startswith(BOM_UTF8):
            return False
        return self.place < len(self.data) and self._is_plain

    def _have(self, data: bytes) -> None:
        self.data, self.place = data, 0
        self._is_plain = b"\0" not in data and len(data) < _MOST_BYTES

    def skip(self, place: int, lines: int) -> None:
        """Go on at another place of the data, so many lines later."""
        self.place = place
        self.number += lines
        self._counted = max(self._counted, self.number)

    def mark(self) -> None:
        """Remember this place, to come back to it."""
        self.gather()
        self._kept = None if self._ahead else [self.data[self.place :]]
        reading = self._reading
        self._marked = self.number, reading.short, reading.repeated, reading.long

    def go_back(self) -> bool:
        """Come back to the mark; False if that is not possible."""
        kept, self._kept = self._kept, None
        if kept is None or self._long is not None:
            return False
        self._have(b"".join(kept))
        self._ahead.clear()
        reading = self._reading
        self.number, reading.short, reading.repeated, reading.long = self._marked
        return True


def _decoded(line: bytes, *, first: bool) -> tuple[str, bool]:
    """The text of a line, and whether it is not UTF-8."""
    try:
        return line.decode("utf-8-sig" if first else "utf-8"), False
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace"), True
