"""LiveInput: standard input as a live pipe: what waits is read at once, and silence is noticed."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["LiveInput", "is_pipe"]


def is_pipe() -> bool:
    """Whether standard input is one of the system, and not an object in its place."""
    try:
        sys.stdin.buffer.fileno()
    except (AttributeError, OSError):
        return False
    return True


class LiveInput:
    """Standard input, of which each line is handed on as soon as it comes.

    Parameters
    ----------
    on_silence : callable, optional
        Called when nothing waits: before waiting, and every now and then while waiting.
    seconds : float, default 1.0
        How long to wait between two calls.
    """

    name = "standard input"

    def __init__(
        self, on_silence: Callable[[], None] | None = None, *, seconds: float = 1.0
    ) -> None:
        self._file: Any = sys.stdin.buffer
        self._on_silence, self._seconds = on_silence, seconds

    def read1(self, size: int = -1) -> bytes:
        """Read what waits, at most so many bytes; wait if nothing does."""
        handle = self._file.fileno()
        while self._on_silence is not None:
            if select.select([handle], [], [], 0.0)[0]:
                break
            self._on_silence()
            if select.select([handle], [], [], self._seconds)[0]:
                break
        return os.read(handle, size if size > 0 else 2**16)

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes, or all there are."""
        pieces: list[bytes] = []
        left = size
        while left and (piece := self.read1(left if left > 0 else 2**16)):
            pieces.append(piece)
            left -= len(piece) if size > 0 else 0
        return b"".join(pieces)

    def seekable(self) -> bool:
        """Whether it can be read from other places: it can not."""
        return False
