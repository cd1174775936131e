"""ReadAhead: the next blocks are read by another thread while this one is used.

What is compiled runs without the GIL, so reading and learning really happen side by side. Blocks,
errors and warnings come as if there were one thread only.
"""

from __future__ import annotations

import contextvars
import os
import threading
from collections import deque
from collections.abc import Container, Generator, Hashable, Iterator
from itertools import islice
from typing import Any

from braided.rows.rows import Rows

__all__ = ["KnownInTime", "ReadAhead"]

MOST_AHEAD = 4
"""The most blocks that wait to be used."""

_BEFORE = 8
"""Blocks that are read without a thread: a short file is not worth one."""


class _Stopped(BaseException):
    """Nobody wants more blocks."""


class ReadAhead:
    """Reads blocks ahead of their use.

    Parameters
    ----------
    blocks : generator of Rows
        The blocks.
    """

    def __init__(self, blocks: Generator[Rows, None, None]) -> None:
        self._blocks = blocks
        self._ready: deque[Rows] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_wanted = self._is_stopped = self._is_done = False
        self._error: BaseException | None = None

    def __iter__(self) -> Iterator[Rows]:
        """The blocks, in order."""
        try:
            yield from islice(self._blocks, _BEFORE)
            if processors() == 1:
                yield from self._blocks
                return
            # Warnings are filtered by the context that asks for blocks.
            context = contextvars.copy_context()
            self._thread = threading.Thread(target=context.run, args=(self._read,), daemon=True)
            self._thread.start()
            while (block := self._next()) is not None:
                yield block
        finally:
            self._stop()

    def wait_until_used(self) -> None:
        """Wait, in the thread that reads, until all blocks so far were used."""
        if threading.current_thread() is not self._thread:
            return
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_stopped or (self._is_wanted and not self._ready)
            )
            if self._is_stopped:
                raise _Stopped

    def _next(self) -> Rows | None:
        with self._changed:
            self._is_wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._ready or self._is_done)
            self._is_wanted = False
            if self._ready:
                block = self._ready.popleft()
                self._changed.notify_all()
                return block
        if self._error is not None:
            raise self._error
        return None

    def _read(self) -> None:
        try:
            for block in self._blocks:
                with self._changed:
                    self._changed.wait_for(
                        lambda: self._is_stopped or len(self._ready) < MOST_AHEAD
                    )
                    if self._is_stopped:
                        return
                    self._ready.append(block)
                    self._changed.notify_all()
        except _Stopped:
            pass
        except BaseException as error:
            self._error = error
        finally:
            with self._changed:
                self._is_done = True
                self._changed.notify_all()

    def _stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._blocks.close()


class KnownInTime(Container[Hashable]):
    """The features that a model knows, asked for only when it has learned all rows so far.

    What kind a new field has may depend on what was learned from the rows before it.

    Parameters
    ----------
    known : container
        The features of the model.
    ahead : ReadAhead, optional
        What reads the rows.
    """

    def __init__(self, known: Container[Hashable], ahead: ReadAhead | None) -> None:
        self._known, self._ahead = known, ahead
        self._found: set[Hashable] = set()

    def __contains__(self, name: Any) -> bool:
        if name in self._found:
            return True
        if self._ahead is not None:
            self._ahead.wait_until_used()
        found = name in self._known
        if found:
            self._found.add(name)
        return found


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
