"""Turns: many readers and one writer share a model; a reader waits for one block at most."""

from __future__ import annotations

import threading
import time

__all__ = ["Turns"]

_BREATH = 20e-6


class Turns:
    """A lock in which readers go before the writer.

    The writer takes it for one block at a time. Before each it lets all readers through that wait,
    so no reader waits longer than one block.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = threading.Lock()
        self._waiting = 0
        self.reading = _Reading(self)
        self.writing = _Writing(self)

    def enter_reading(self) -> None:
        """Wait for the block that is being learned, if there is one."""
        if self._lock.acquire(blocking=False):
            return
        with self._count:
            self._waiting += 1
        self._lock.acquire()
        with self._count:
            self._waiting -= 1

    def enter_writing(self) -> None:
        """Wait until no reader waits."""
        while True:
            while self._waiting:
                time.sleep(_BREATH)
            self._lock.acquire()
            if not self._waiting:
                return
            self._lock.release()

    def leave(self) -> None:
        """Let the next one in."""
        self._lock.release()


class _Reading:
    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        self._turns.enter_reading()

    def __exit__(self, *error: object) -> None:
        self._turns.leave()


class _Writing:
    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    def __enter__(self) -> None:
        self._turns.enter_writing()

    def __exit__(self, *error: object) -> None:
        self._turns.leave()
