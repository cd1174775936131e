"""Feed: the thread between the stream of a broker and a model.

A record with a label is learned; one without is predicted, and remembered if it has a key; a
message with key and label alone is the label of an earlier record. The position in the stream is
written to the journal in one transaction with what was read. A prediction is sent before the
position moves on: after a crash it may be sent twice, but none is lost.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from braided.errors import InputError
from braided.live.bodies import check_record, records_of
from braided.live.host import BusyError, Host, Request
from braided.live.json_text import text_of
from braided.live.live_model import LABEL, LEARN, WAIT, Outcome, answer
from braided.live.models import Models, new_model
from braided.live.sources.table import Address, Message, Source, address_of, connect

__all__ = ["Feed", "start"]

_PREDICT, _BAD = "predict only", "bad"
_WAIT_SECONDS = 0.2
_AGAIN = 1.0


class _Read(NamedTuple):
    message: Message
    kind: str
    record: dict[str, Any]
    id: str | None


class Feed:
    """Feeds a model from a stream, until it is stopped; begins again when a broker was away.

    Parameters
    ----------
    host : Host
        The model at work.
    source : str
        The address of the stream.
    sink : str, optional
        The address of the stream for predictions.

    Attributes
    ----------
    trouble : str or None
        Why nothing comes, for the live page.
    bad : int
        How many messages could not be read or learned.
    """

    def __init__(self, host: Host, source: str, sink: str | None = None) -> None:
        self._host = host
        self._from: Address = address_of(source)
        self._to = None if sink is None else address_of(sink)
        self._id = self._from.options.get("id")
        self.trouble: str | None = None
        self.bad = self.messages = 0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"feed {source}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop after the messages that were taken."""
        self._stopping.set()
        self._thread.join(30)

    @property
    def position(self) -> str | None:
        """How far the stream was read, as the journal has it."""
        found: dict[str, str] = self._host.call(self._host.storage.journal.positions)
        return found.get(self._from.name)

    def _work(self) -> None:
        while not self._stopping.is_set():
            source: Source | None = None
            sink: Source | None = None
            try:
                source = connect(self._from, self.position)
                sink = None if self._to is None else connect(self._to, None)
                while not self._stopping.is_set():
                    messages = source.take(_WAIT_SECONDS)
                    self.trouble = None
                    if messages:
                        self._do(messages, sink)
                        source.done(messages)
            except Exception as error:  # of any client: the broker is away, or answers strangely
                if self._stopping.is_set():
                    break
                self.trouble = f"{self._from.name}: {type(error).__name__}: {error}"
                self._stopping.wait(_AGAIN)
            finally:
                for each in (source, sink):
                    _close(each)

    def _do(self, messages: Sequence[Message], sink: Source | None) -> None:
        self.messages += len(messages)
        for kind, group in groupby(map(self._read, messages), key=lambda each: each.kind):
            reads = list(group)
            # An id is that of one message, and so is a record that is refused.
            parts = [reads] if kind == LEARN and self._id is None else [[each] for each in reads]
            for part in parts:
                self._do_part(kind, part, sink)

    def _do_part(self, kind: str, part: list[_Read], sink: Source | None) -> None:
        place = part[-1].message.position
        records = [each.record for each in part]
        if kind in (LEARN, LABEL):
            outcome = self._done(kind, records, part[0].id, place)
            if outcome.refused is not None and len(part) > 1:
                for each in part:
                    self._do_part(kind, [each], sink)
            elif outcome.refused is not None or outcome.conflict is not None:
                self.bad += 1
            return
        if kind == _BAD:
            self.bad += 1
            self._done(LEARN, [], None, place)
            return
        for each in part:
            said = self._predicted(kind, each)
            if sink is not None and said is not None:
                sink.send([text_of(said)])
            self._done(LEARN, [], None, each.message.position)

    def _predicted(self, kind: str, each: _Read) -> dict[str, Any] | None:
        model = self._host.model
        if kind == WAIT:
            # With an id, so that it is done once if the position can not be written any more.
            id = each.id or (each.message.position and f"{self._from.name}#{each.message.position}")
            outcome = self._done(WAIT, [each.record], id or None, None)
            if outcome.refused is not None or outcome.conflict is not None:
                self.bad += 1
                return None
            if outcome.answers:
                return outcome.answers[0]
        try:
            with model.turns.reading:
                said = answer(model.learner, each.record, model.sequence)
        except InputError:
            self.bad += 1
            return None
        key = model.learner.schema.key
        return said if key is None else {"key": each.record.get(key), **said}

    def _done(
        self, kind: str, records: list[dict[str, Any]], id: str | None, place: str | None
    ) -> Outcome:
        """Hand in a request, and wait for what comes of it."""
        if not records and not place:
            return Outcome()
        done, found = threading.Event(), list[Outcome]()

        def deliver(pairs: list[tuple[Request, Outcome]]) -> None:
            found.extend(outcome for _, outcome in pairs)
            done.set()

        payload = b"\n".join(map(text_of, records))
        position = (self._from.name, place) if place else None
        request = Request(kind, records, payload, deliver, id, position)
        while True:
            try:
                self._host.submit(request)
            except BusyError:
                if self._stopping.wait(0.02):
                    raise
                continue
            done.wait()
            if found[0].failed is None:
                return found[0]
            self.trouble = found[0].failed  # a full disk: nothing is lost, it is tried again
            found.clear()
            done.clear()
            if self._stopping.wait(_AGAIN):
                raise BusyError

    def _read(self, message: Message) -> _Read:
        try:
            (record,) = records_of(message.payload)
            check_record(record, self._host.limits, "")
        except (InputError, ValueError):
            return _Read(message, _BAD, {}, None)
        id = None if self._id is None else record.pop(self._id, None)
        schema = self._host.model.learner.schema
        key, label = schema.key, schema.label or "label"
        has_key = key is not None and record.get(key) is not None
        if record.get(label) is None:
            kind = WAIT if has_key else _PREDICT
        else:
            kind = LABEL if has_key and set(record) <= {key, label} else LEARN
        return _Read(message, kind, record, None if id is None else f"{self._from.name}#{id}")


def start(models: Models, sources: Sequence[tuple[str, str, str | None]]) -> list[Feed]:
    """Begin to feed models.

    Parameters
    ----------
    models : Models
        The models.
    sources : sequence of tuple
        For each stream the name of its model, its address, and that of the stream for predictions;
        a model that there is not yet is made: a Braid.

    Returns
    -------
    list of Feed
        What feeds them.
    """
    feeds = []
    for name, source, sink in sources:
        address_of(source)
        if models.get(name) is None:
            models.put(name, new_model("braid", {}, {}))
        host = models.get(name)
        assert host is not None
        feeds.append(Feed(host, source, sink))
        host.feeds.append(feeds[-1])
    return feeds


def _close(source: Source | None) -> None:
    if source is not None:
        try:
            source.close()
        except Exception:  # it was lost already
            return
