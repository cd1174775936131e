"""ReadAhead: the next blocks are read by another thread while this one is used.

What is compiled runs without the GIL, so reading and learning really happen side by side. Blocks,
errors and warnings come as if there were one thread only.
"""

from __future__ import annotations

import contextvars
import os
import threading
from collections.abc import Container, Generator, Hashable, Iterator
from itertools import islice
from queue import SimpleQueue
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

    Two queues and no lock: Ctrl-C may interrupt the main thread anywhere, also where it holds one.

    Parameters
    ----------
    blocks : generator of Rows
        The blocks.
    """

    def __init__(self, blocks: Generator[Rows, None, None]) -> None:
        self._blocks = blocks
        self._thread: threading.Thread | None = None
        self._ready: SimpleQueue[Rows | None] = SimpleQueue()  # None: no more
        self._asked: SimpleQueue[bool] = SimpleQueue()  # once for each block; False: stop
        self._error: BaseException | None = None
        # Counted by the thread that reads.
        self._times_asked = self._times_read = 0

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
            self._asked.put(True)
            while (block := self._ready.get()) is not None:
                yield block
                self._asked.put(True)
            if self._error is not None:
                raise self._error
        finally:
            self._asked.put(False)
            if self._thread is not None:
                self._thread.join()
            self._blocks.close()

    def wait_until_used(self) -> None:
        """Wait, in the thread that reads, until all blocks so far were used."""
        if threading.current_thread() is self._thread:
            self._wait_for_use(0)

    def _read(self) -> None:
        try:
            for block in self._blocks:
                self._wait_for_use(MOST_AHEAD)
                self._times_read += 1
                self._ready.put(block)
        except _Stopped:
            pass
        except BaseException as error:
            self._error = error
        finally:
            self._ready.put(None)

    def _wait_for_use(self, ahead: int) -> None:
        """Wait until fewer than so many blocks are ready; 0: until one more was asked for."""
        while self._times_read - self._times_asked >= ahead:
            if not self._asked.get():
                raise _Stopped
            self._times_asked += 1


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
