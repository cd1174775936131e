"""Bad lines: limits of a line, how bad lines are found, reported, skipped or quarantined."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from types import TracebackType
from typing import IO, Any, NamedTuple

from braided.errors import InputError, argument
from braided.parameters import check_choice
from braided.rows import Rows

__all__ = [
    "ON_ERROR",
    "BadLine",
    "BadLines",
    "Limits",
    "Record",
    "convert_batch",
    "convert_records",
    "shown",
    "too_long",
    "too_many",
]

ON_ERROR = ("fail", "skip", "quarantine")
SHOWN_CHARACTERS = 60
"""The most characters of a text that an error shows."""


class BadLine(Exception):  # noqa: N818 - it never leaves the readers
    """What is wrong with one line or row; the caller, who knows its number, reports it."""


def shown(text: str | bytes) -> str:
    """A text as an error shows it: in quotes, and not too long."""
    if isinstance(text, bytes):
        text = text.decode(errors="backslashreplace")
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")


class BadLines:
    """Where bad lines are reported and counted, in one pass over a stream.

    Parameters
    ----------
    on_error : "fail", "skip" or "quarantine", default "fail"
        With ``"fail"``, the first bad line raises an error. With ``"skip"``, bad lines are counted.
        With ``"quarantine"``, they are counted and written to a file.
    quarantine : str or path, optional
        That file. Each bad line is one line of JSON with ``file``, ``line``, ``reason`` and
        ``text``, the bad line itself; bytes that are not UTF-8 are escaped with Python's
        ``surrogateescape``, so that nothing is lost.
    """

    def __init__(
        self, on_error: str = "fail", quarantine: str | os.PathLike[str] | None = None
    ) -> None:
        check_choice("on_error", on_error, ON_ERROR)
        if (on_error == "quarantine") != (quarantine is not None):
            raise InputError(
                f"{argument('on_error', 'quarantine')} and the path of a file for it belong "
                f"together: got {on_error!r} and {quarantine!r}"
            )
        self.on_error, self.path = on_error, quarantine
        self.count = 0
        self.file, self.unit, self.allowed = "", "line", ""
        self._quarantine: IO[str] | None = None

    def __enter__(self) -> BadLines:
        """Begin a pass: the file is emptied, since the pass finds all bad lines again."""
        self.count = 0
        if self.path is not None:
            try:
                self._quarantine = open(self.path, "w", encoding="ascii")
            except OSError as error:
                raise InputError(f"{self.path} can not be written: {error}") from None
        return self

    def begin_file(self, name: str) -> None:
        """Begin a file: bad lines that follow are in it."""
        self.file, self.unit, self.allowed = name, "line", ""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._quarantine is not None:
            self._quarantine.close()
            self._quarantine = None

    def report(self, line: int, reason: str, text: str | bytes, lines: int = 1) -> None:
        """Report a bad line.

        Parameters
        ----------
        line : int
            The number of the line, from 1; of the row, in a file without lines.
        reason : str
            What is wrong with it.
        text : str or bytes
            The line itself.
        lines : int, default 1
            How many lines are skipped with it.

        Raises
        ------
        InputError
            If bad lines are not allowed, or can not be written to the file.
        """
        if self.on_error == "fail":
            hint = f"{argument('on_error', 'skip')} leaves such {self.unit}s out"
            if not reason.startswith(("feature ", "field ")):  # the line itself has another form
                hint = self.allowed or hint
            raise InputError(f"{self.file}, {self.unit} {line}: {reason}; {hint}")
        self.count += lines
        if self._quarantine is not None:
            if isinstance(text, bytes):
                text = text.decode(errors="surrogateescape")
            entry = {"file": self.file, self.unit: line, "reason": reason, "text": text}
            try:
                self._quarantine.write(json.dumps(entry) + "\n")
            except OSError as error:
                raise InputError(f"{self.path} can not be written: {error}") from None


class Limits(NamedTuple):
    """The most bytes of a line and the most features of a row, to bound memory."""

    line: int = 2**24
    features: int = 2**20


def too_long(limits: Limits) -> str:
    """The reason for refusing a line that is too long."""
    return f"the line is longer than {limits.line} bytes (max_line_bytes)"


def too_many(features: int, limits: Limits) -> str:
    """The reason for refusing a row with too many features."""
    return f"{features} features; a row has at most {limits.features} (max_features)"


class Record(NamedTuple):
    """The content of a line, or of several (a field may contain newlines), or its ``BadLine``."""

    line: int
    text: bytes
    content: Any
    lines: int = 1


def convert_batch(
    batch: Any,
    convert: Callable[[Any], Rows],
    report: Callable[[Any, int, str], None],
    start: int = 0,
) -> Iterator[Rows]:
    """Convert a batch to rows; if it is refused, find its bad elements and leave them out.

    A batch that is refused is split into halves, until a single bad element is left.

    Parameters
    ----------
    batch : sequence
        Anything that can be sliced.
    convert : callable
        The function from a batch to rows; it raises ``BadLine`` or ``InputError``.
    report : callable
        Called with a batch of one bad element, its number and the reason.
    start : int, default 0
        The number of the first element.

    Yields
    ------
    Rows
        The rows, in order.
    """
    try:
        rows = convert(batch)
    except (BadLine, InputError) as error:
        middle = len(batch) // 2
        if middle:
            yield from convert_batch(batch[:middle], convert, report, start)
            yield from convert_batch(batch[middle:], convert, report, start + middle)
        else:
            report(batch, start, str(error).removeprefix("row 0, ").removeprefix("row 0: "))
    else:
        yield rows


def convert_records(
    records: Sequence[Record], convert: Callable[[list[Any]], Rows], bad_lines: BadLines
) -> Iterator[Rows]:
    """Convert the contents of records to rows; bad lines are reported in order."""

    def convert_some(some: Sequence[Record]) -> Rows:
        return convert([record.content for record in some])

    def report(one: Sequence[Record], _: int, reason: str) -> None:
        line, text, _, lines = one[0]
        bad_lines.report(line, reason, text, lines)

    for faulty, group in groupby(records, lambda record: isinstance(record.content, BadLine)):
        if faulty:
            for record in group:
                report([record], 0, str(record.content))
        else:
            yield from convert_batch(list(group), convert_some, report)
