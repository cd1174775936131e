"""What is done about input that can not be read: fail, skip it, or put it aside."""

from __future__ import annotations

import json
import os
from types import TracebackType
from typing import IO

from braided.errors import InputError
from braided.parameters import check_choice

__all__ = ["ON_ERROR", "Fault", "Faults", "shown"]

ON_ERROR = ("fail", "skip", "quarantine")
SHOWN_CHARACTERS = 60


class Fault(Exception):  # noqa: N818 - it never leaves the readers
    """What is wrong with one line or row; whoever knows where it stands reports it."""


def shown(text: str | bytes) -> str:
    """A text as an error shows it: in quotes, and not too long."""
    if isinstance(text, bytes):
        text = text.decode(errors="backslashreplace")
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")


class Faults:
    """Where the faults of one pass over a stream are reported, and counted.

    Parameters
    ----------
    on_error
        ``"fail"``: the first one is raised; ``"skip"``: they are counted; ``"quarantine"``: they
        are counted and written to a file.
    quarantine
        the path of that file. Each fault is one line of JSON with ``file``, ``line``, ``reason``
        and ``text``, the offending line itself; bytes that are not UTF-8 are escaped in Python's
        ``surrogateescape`` way, so that nothing is lost.
    """

    def __init__(
        self, on_error: str = "fail", quarantine: str | os.PathLike[str] | None = None
    ) -> None:
        check_choice("on_error", on_error, ON_ERROR)
        if (on_error == "quarantine") != (quarantine is not None):
            raise InputError(
                'on_error="quarantine" and the path of a file for it belong together: '
                f"got {on_error!r} and {quarantine!r}"
            )
        self.on_error, self.path = on_error, quarantine
        self.count = 0
        self.file, self.unit, self.allowed = "", "line", ""
        self._quarantine: IO[str] | None = None

    def __enter__(self) -> Faults:
        """Begin a pass: the file is written anew, since the pass comes upon all faults again."""
        self.count = 0
        if self.path is not None:
            try:
                self._quarantine = open(self.path, "w", encoding="ascii")
            except OSError as error:
                raise InputError(f"{self.path} can not be written: {error}") from None
        return self

    def begin_file(self, name: str) -> None:
        """From here on, faults are those of this file; its format may say what is allowed."""
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
        """Tell of a fault on this line (counted from 1), which holds this text.

        ``lines`` are those that are lost with it. A file without lines counts its rows.
        """
        if self.on_error == "fail":
            hint = f"; {self.allowed}" if self.allowed else ""
            raise InputError(f"{self.file}, {self.unit} {line}: {reason}{hint}")
        self.count += lines
        if self._quarantine is not None:
            if isinstance(text, bytes):
                text = text.decode(errors="surrogateescape")
            told = {"file": self.file, self.unit: line, "reason": reason, "text": text}
            try:
                self._quarantine.write(json.dumps(told) + "\n")
            except OSError as error:
                raise InputError(f"{self.path} can not be written: {error}") from None
