"""JournalLines: what a journal says, as JSON lines: each record with its label."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from typing import Any

from braided.errors import InputError
from braided.live.bodies import records_of
from braided.live.journal import Entry, Journal
from braided.live.live_model import LABEL, LEARN, WAIT, LiveModel
from braided.records.roles import keys_of

__all__ = ["JournalLines", "remade", "schema_of"]

_AT_ONCE = 256


class JournalLines(io.RawIOBase):
    """A journal as a file to read, from which another learner can learn what really happened.

    A record that waited for its label comes where its label came.

    Parameters
    ----------
    path : str or path
        The journal.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        self._lines = _lines(path)
        self._rest = b""

    def readable(self) -> bool:
        """Whether it can be read: it can."""
        return True

    def seekable(self) -> bool:
        """Whether it can be read from other places: it can not."""
        return False

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer."""
        size = len(buffer)
        while len(self._rest) < size and (line := next(self._lines, b"")):
            self._rest += line
        found, self._rest = self._rest[:size], self._rest[size:]
        buffer[: len(found)] = found
        return len(found)

    def read1(self, size: int = -1) -> bytes:
        """Read the next bytes."""
        return self.read(size if size > 0 else 1 << 16) or b""


def schema_of(path: str | os.PathLike[str]) -> Any:
    """Return what the schema of a journal's model declares.

    Parameters
    ----------
    path : str or path
        The journal.

    Returns
    -------
    Schema
        A schema in which nothing is decided.
    """
    model, journal = _begun(path)
    journal.close()
    return model.learner.schema.unlearned()


def remade(path: str | os.PathLike[str]) -> LiveModel:
    """Make the model of a journal again, from its beginning.

    Parameters
    ----------
    path : str or path
        The journal.

    Returns
    -------
    LiveModel
        The model: byte for byte that of the service.
    """
    model, journal = _begun(path)
    batch: list[Entry] = []
    for entry in journal.entries(after=model.sequence):
        batch.append(entry)
        if len(batch) == _AT_ONCE:
            model.apply(batch)
            batch = []
    model.apply(batch)
    model.sequence = journal.last
    journal.close()
    return model


def _begun(path: str | os.PathLike[str]) -> tuple[LiveModel, Journal]:
    journal = Journal(path)
    base = journal.base()
    if base is None:
        journal.close()
        raise InputError(f"{os.fspath(path)} has no model to begin with")
    model = LiveModel.from_bytes(base[1])
    model.journal, model.sequence = journal.id, base[0]
    return model, journal


def _lines(path: str | os.PathLike[str]) -> Iterator[bytes]:
    model, journal = _begun(path)
    pending = model.pending  # with the records that waited when the journal was trimmed
    for entry in journal.entries(after=model.sequence):
        schema = model.learner.schema
        if entry.kind == LEARN:
            for record in records_of(entry.payload):
                yield json.dumps(record).encode() + b"\n"
        elif entry.kind == WAIT:
            for record in records_of(entry.payload):
                key = keys_of([record.get(schema.key)])[0] if schema.key else None
                if key is not None:
                    pending.wait_record(key, record, now=entry.moment)
        elif entry.kind == LABEL:
            pending.forget_old(now=entry.moment)
            for record in records_of(entry.payload):
                key, label = model.key_and_label(record)
                found = pending.take_record(key)
                if found is not None:
                    labelled = {**found, schema.label or "label": label}
                    labelled.pop(schema.key or "key", None)
                    yield json.dumps(labelled).encode() + b"\n"
        else:
            model.apply([entry])
    journal.close()
