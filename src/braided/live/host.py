"""Host: one model at work: its journal, the one thread that teaches it, and its snapshots.

The thread takes all requests that wait, checks them, writes them to the journal in one transaction,
applies them in the order in which they came, and answers. So many requests share one commit.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from braided.errors import InputError
from braided.live.bodies import Limits
from braided.live.checking import checked
from braided.live.journal import DiskFullError, Entry
from braided.live.live_model import LiveModel, Outcome
from braided.live.storage import Storage

__all__ = ["BusyError", "Host", "Request", "Upkeep"]

GROUP = 2048
"""A commit is shared by requests with about so many records at most."""

_TICK = 1.0


class BusyError(Exception):
    """Too many records wait to be learned, or the model is about to be closed."""


@dataclass(eq=False, slots=True)
class Request:
    """Something to be learned.

    Parameters
    ----------
    kind : str
        One of ``KINDS``.
    records : list of dict
        The records.
    payload : bytes
        The same, as they came.
    deliver : callable
        Called in the thread of the model with (request, outcome) pairs.
    id : str, optional
        By which a repeated request is recognised.
    position : tuple of str, optional
        A source, and how far it was read when this is done.
    """

    kind: str
    records: list[dict[str, Any]]
    payload: bytes
    deliver: Callable[[list[tuple[Request, Outcome]]], None]
    id: str | None = None
    position: tuple[str, str] | None = None
    ticket: Any = None
    came: float = field(default_factory=time.perf_counter)


@dataclass(frozen=True)
class Upkeep:
    """How often a snapshot is written, and how long a journal may become.

    Parameters
    ----------
    seconds : float, default 60
        A snapshot at least so often, if something was learned.
    records : int, default 100,000
        A snapshot after so many records.
    journal_bytes : int, default 1 GiB
        A larger journal is trimmed at the next snapshot.
    journal_seconds : float, optional
        A journal whose first entry is older is trimmed at the next snapshot.
    remember : int, optional
        The most records that wait for their label; at first 100,000.
    remember_seconds : float, optional
        How long a record waits for its label at most.
    most_pages : int, optional
        The most pages of 4096 bytes that a journal may have.
    """

    seconds: float = 60.0
    records: int = 100_000
    journal_bytes: int = 1 << 30
    journal_seconds: float | None = None
    remember: int | None = None
    remember_seconds: float | None = None
    most_pages: int | None = None


class Host:
    """A model at work.

    Parameters
    ----------
    storage : Storage
        Its files.
    limits : Limits, optional
        How much may wait.
    upkeep : Upkeep, optional
        Snapshots and trimming.

    Attributes
    ----------
    model : LiveModel
        The model; other threads read it within ``model.turns.reading``.
    broken : str or None
        Why it no longer learns, after an error that nobody foresaw.
    """

    def __init__(
        self, storage: Storage, limits: Limits | None = None, upkeep: Upkeep | None = None
    ) -> None:
        self.storage, self.name = storage, storage.name
        self.limits, self.upkeep = limits or Limits(), upkeep or Upkeep()
        self.model: LiveModel = storage.recover()
        self.broken: str | None = None
        self.trouble: str | None = None  # of the disk; may pass
        self.groups = self.duplicates = 0
        self.feeds: list[Any] = []  # of brokers
        self.snapshot_sequence, self._snapshot_at = self.model.sequence, time.monotonic()
        self._since_snapshot = 0
        self._queue: deque[Request | Callable[[], None]] = deque()
        self.waiting = 0  # records in the queue
        self._closing = False
        self._awake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name=f"model {self.name}", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------- from other threads

    def submit(self, request: Request) -> None:
        """Hand in a request; its outcome is delivered later.

        Parameters
        ----------
        request : Request
            The request.

        Raises
        ------
        BusyError
            If too many records wait.
        """
        size = max(1, len(request.records))
        with self._awake:
            if self._closing or (self.waiting and self.waiting + size > self.limits.waiting):
                raise BusyError
            self.waiting += size
            self._queue.append(request)
            self._awake.notify()

    def call(self, action: Callable[[], Any]) -> Any:
        """Run something in the thread of the model, after all requests so far; wait for it.

        Parameters
        ----------
        action : callable
            A function without arguments.

        Returns
        -------
        Any
            What it returns.
        """
        done, found = threading.Event(), dict[str, Any]()

        def run() -> None:
            try:
                found["result"] = action()
            except Exception as error:
                found["error"] = error
            done.set()

        with self._awake:
            if self._closing:
                raise BusyError
            self._queue.append(run)
            self._awake.notify()
        done.wait()
        if "error" in found:
            raise found["error"]
        return found["result"]

    def ask(self, kind: str, payload: bytes, *, id: str | None = None) -> Outcome:
        """Hand in a request, and wait for its outcome.

        Parameters
        ----------
        kind : str
            One of ``KINDS``.
        payload : bytes
            JSON.
        id : str, optional
            By which a repeated request is recognised.

        Returns
        -------
        Outcome
            What came of it.
        """
        from braided.live.bodies import records_of

        done, found = threading.Event(), list[Outcome]()

        def deliver(pairs: list[tuple[Request, Outcome]]) -> None:
            found.extend(outcome for _, outcome in pairs)
            done.set()

        self.submit(Request(kind, records_of(payload), payload, deliver, id))
        done.wait()
        return found[0]

    def close(self) -> None:
        """Finish what was accepted, write a snapshot, and close the journal."""
        with self._awake:
            self._closing = True
            self._awake.notify()
        self._thread.join()

    def replace(self, model: LiveModel) -> None:
        """Go on with another model, after all requests so far.

        Parameters
        ----------
        model : LiveModel
            The model.
        """

        def swap() -> None:
            self.storage.begin_anew(model)
            self.model = model
            self.snapshot_sequence, self._since_snapshot = model.sequence, 0
            self.broken = None

        self.call(swap)

    # ---------------------------------------------------------------- in the model's thread

    def _work(self) -> None:
        while True:
            group = self._next_group()
            if group is None:
                break
            if callable(group):
                group()
            elif group:
                try:
                    self._do(group)
                except Exception as error:  # a defect: what is on disk is right
                    self._recover(group, error)
            self._keep_up()
        if self.broken is None:
            self.snapshot()
        self.storage.close()

    def _next_group(self) -> list[Request] | Callable[[], None] | None:
        """The requests that wait; an action; nothing after a while; None at the end."""
        with self._awake:
            if not self._queue and not self._closing:
                self._awake.wait(_TICK)
            if not self._queue:
                return None if self._closing else []
            group: list[Request] = []
            size = 0
            while self._queue and size < GROUP:
                item = self._queue[0]
                if not isinstance(item, Request):
                    if not group:
                        self._queue.popleft()
                        return item
                    break
                self._queue.popleft()
                group.append(item)
                size += max(1, len(item.records))
            self.waiting -= size
            return group

    def _do(self, group: list[Request]) -> None:
        if self.broken is not None:
            _deliver([(request, Outcome(failed=self.broken)) for request in group])
            return
        journal = self.storage.journal
        outcomes, taken, rows = checked(self.model, journal, group)
        moment, first = time.time(), journal.last + 1
        entries = [
            Entry(first + i, moment, each.kind, each.id, len(each.records), each.payload)
            for i, each in enumerate(taken)
        ]
        positions = dict(each.position for each in group if each.position is not None)
        try:
            if entries or positions:
                journal.append(entries, positions)
                self.groups += 1
            self.trouble = None
        except DiskFullError as error:
            self.trouble = f"the journal can not be written: {error}"
            failed = Outcome(failed=self.trouble)
            _deliver([(request, outcomes.get(request, failed)) for request in group])
            return
        applied = self.model.apply(entries, rows)
        self._since_snapshot += sum(outcome.learned for outcome in applied)
        outcomes.update(zip(taken, applied, strict=True))
        for request in group:  # of which an earlier one in this group has the same id
            if request not in outcomes:
                first_one = next(each for each in taken if each.id == request.id)
                outcomes[request] = outcomes[first_one]._replace(duplicate=True)
        self.duplicates += sum(outcome.duplicate for outcome in outcomes.values())
        _deliver([(request, outcomes[request]) for request in group])

    def _recover(self, group: Sequence[Request], error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        try:
            self.model = self.storage.recover()
        except Exception:
            self.broken = f"this model no longer learns ({reason}); restart the service"
        _deliver([(request, Outcome(failed=f"not done ({reason})")) for request in group])

    # --------------------------------------------------------------------------- snapshots

    def _keep_up(self) -> None:
        late = time.monotonic() - self._snapshot_at >= self.upkeep.seconds
        if self._since_snapshot >= self.upkeep.records or (
            late and self.model.sequence > self.snapshot_sequence
        ):
            self.snapshot()

    def snapshot(self) -> None:
        """Write a snapshot, and trim the journal if it is too long; in the model's thread."""
        self._snapshot_at, self._since_snapshot = time.monotonic(), 0
        if self.model.sequence == self.snapshot_sequence and os.path.exists(self.storage.file):
            return
        try:
            self.storage.snapshot(self.model)
            self.snapshot_sequence = self.model.sequence
            self.storage.trim(self.model, self.upkeep.journal_bytes, self.upkeep.journal_seconds)
        except (OSError, DiskFullError, InputError) as error:
            self.trouble = f"a snapshot can not be written: {error}"


def _deliver(pairs: list[tuple[Request, Outcome]]) -> None:
    by_receiver: dict[Any, list[tuple[Request, Outcome]]] = {}
    for pair in pairs:
        by_receiver.setdefault(pair[0].deliver, []).append(pair)
    for deliver, of_receiver in by_receiver.items():
        deliver(of_receiver)
