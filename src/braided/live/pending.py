"""Pending: records that wait for their label, found again by a key.

A record without a label is predicted and remembered. A label that comes later teaches the model the
remembered record, exactly as if the record had come with its label at that moment.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np

from braided.errors import InputError, ModelFileError
from braided.learner.learner import Learner
from braided.model_files.json_values import decode, decode_text, encode_all, text_of
from braided.model_files.save_load import read, save
from braided.parameters import check_whole
from braided.records.inputs import as_rows
from braided.records.kinds import KINDS
from braided.records.schema import Decisions
from braided.rows.rows import Rows

__all__ = ["NOTE", "Pending"]

NOTE = "pending"
"""The note of a model file that holds the records."""


_OF_RECORD = 3


class _Waiting(NamedTuple):
    rows: Rows | None
    since: float
    record: str | None = None  # as JSON


class Pending:
    """A model and the records that wait for their label.

    Parameters
    ----------
    model : Learner
        The model.
    remember : int, at least 1, default 100000
        The most records that wait; beyond it the oldest is forgotten.
    seconds : float, optional
        How long a record waits at most.

    Attributes
    ----------
    forgotten : int
        How many records were forgotten without a label.
    unknown : int
        How many labels came for a key that no waiting record has.

    Examples
    --------
    >>> from braided import Braid
    >>> pending = Pending(Braid(), remember=1000)
    >>> pending.predict_one("order 1", {"price": 20, "country": "DE"})  # nothing learned yet
    >>> pending.learn_one("order 1", "returned"), pending.learn_one("order 2", "kept")
    (True, False)
    >>> pending.model.rounds, pending.unknown
    (1, 1)
    """

    def __init__(
        self, model: Learner, *, remember: int = 100_000, seconds: float | None = None
    ) -> None:
        check_whole("remember", remember, 1)
        if seconds is not None and not seconds > 0:
            raise InputError(f"seconds={seconds!r} is not allowed: expected a number above 0")
        self.model, self.remember, self.seconds = model, remember, seconds
        self.forgotten = self.unknown = 0
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, key: object) -> bool:
        return key in self._waiting

    def predict_one(self, key: str, x: Mapping[Hashable, Any], *, now: float | None = None) -> Any:
        """Predict the label of a record, and remember the record until its label comes.

        Parameters
        ----------
        key : str
            The key of the record. A record with the same key that still waits is replaced.
        x : mapping
            The value of each field, by name.
        now : float, optional
            The time in seconds; by default that of the clock.

        Returns
        -------
        Any
            The predicted label; None before anything was learned.
        """
        prediction = self.model.predict_one(x)
        self.wait(key, as_rows([x], schema=self.model.schema), now=now)
        return prediction

    def wait(self, key: str, rows: Rows, *, now: float | None = None) -> None:
        """Remember a row until its label comes.

        Parameters
        ----------
        key : str
            Its key.
        rows : Rows
            The row: Rows of length 1.
        now : float, optional
            The time in seconds; by default that of the clock.
        """
        self._wait(key, rows.with_arrays(labels=None, keys=None), None, now)

    def wait_record(self, key: str, record: Mapping[str, Any], *, now: float | None = None) -> None:
        """Remember a record until its label comes; it is read when it is learned.

        Fields that are first observed in it may get another kind until then, from records that
        are learned earlier. Rows keep the kinds that they were read with.

        Parameters
        ----------
        key : str
            Its key.
        record : mapping
            The record: values that JSON can represent.
        now : float, optional
            The time in seconds; by default that of the clock.
        """
        self._wait(key, None, json.dumps(dict(record)), now)

    def _wait(self, key: str, rows: Rows | None, record: str | None, now: float | None) -> None:
        moment = time.time() if now is None else now
        if self._waiting.pop(key, None) is not None:
            self.forgotten += 1
        self._waiting[key] = _Waiting(rows, moment, record)
        while len(self._waiting) > self.remember:
            self._waiting.popitem(last=False)
            self.forgotten += 1
        self.forget_old(now=moment)

    def forget_old(self, *, now: float | None = None) -> None:
        """Forget records that have waited too long.

        Parameters
        ----------
        now : float, optional
            The time in seconds; by default that of the clock.
        """
        if self.seconds is None:
            return
        oldest = (time.time() if now is None else now) - self.seconds
        while self._waiting and next(iter(self._waiting.values())).since < oldest:
            self._waiting.popitem(last=False)
            self.forgotten += 1

    def take(self, key: str, y: Any) -> Rows | None:
        """Take out the row that waits for a label.

        Parameters
        ----------
        key : str
            Its key.
        y : Any
            The label.

        Returns
        -------
        Rows or None
            The row with its label, to be learned; None if no row with this key waits.
        """
        found = self._waiting.pop(key, None)
        if found is None:
            self.unknown += 1
            return None
        labels = np.empty(1, object)
        labels[0] = y
        rows = found.rows
        if rows is None:
            rows = as_rows([decode_text(found.record or "{}")], schema=self.model.schema)
            rows = rows.with_arrays(keys=None)
        return rows.with_labels(labels)

    def take_record(self, key: str) -> dict[str, Any] | None:
        """Take out a record that waits for a label, as it came.

        Parameters
        ----------
        key : str
            Its key.

        Returns
        -------
        dict or None
            The record; None if none with this key waits, or if it was remembered as a row.
        """
        found = self._waiting.pop(key, None)
        if found is None:
            self.unknown += 1
            return None
        return None if found.record is None else dict(decode_text(found.record))

    def learn_one(self, key: str, y: Any) -> bool:
        """Learn the record of a key, now that its label is known.

        Parameters
        ----------
        key : str
            The key of the record.
        y : Any
            The label.

        Returns
        -------
        bool
            Whether a record with this key was waiting.
        """
        waiting = self._waiting.get(key)
        rows = self.take(key, y)
        if rows is None:
            return False
        try:
            self.model.partial_fit(rows)
        except InputError:  # a label that is not allowed changes nothing
            if waiting is not None:
                self._waiting[key] = waiting
            raise
        return True

    # ----------------------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model and the waiting records to one file; ``Pending.load`` reads it.

        ``braided.load`` reads the model alone.

        Parameters
        ----------
        path : str or path
            The file.
        """
        save(self.model, path, {NOTE: self.to_text()})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        remember: int = 100_000,
        seconds: float | None = None,
    ) -> Pending:
        """Load a model and the records that wait for their label.

        Parameters
        ----------
        path : str or path
            A file that ``save`` wrote; any other model file has no waiting records.
        remember : int, at least 1, default 100000
            The most records that wait.
        seconds : float, optional
            How long a record waits at most.

        Returns
        -------
        Pending
            The model and the records.
        """
        model, notes = read(path)
        pending = cls(model, remember=remember, seconds=seconds)
        try:
            pending.restore(notes.get(NOTE))
        except (InputError, TypeError, ValueError, KeyError) as error:
            raise ModelFileError(f"{os.fspath(path)} can not be loaded: {error}") from None
        return pending

    def to_text(self) -> str:
        """Return the waiting records as text, for a note in a model file.

        Returns
        -------
        str
            JSON.
        """
        waiting = [
            [key, encode_all(_names(rows)), rows.values.tolist(), since, _kinds(rows)]
            if rows is not None
            else [key, record, since]
            for key, (rows, since, record) in self._waiting.items()
        ]
        counts = [self.forgotten, self.unknown]
        return text_of({"waiting": waiting, "counts": counts})

    def restore(self, text: str | None) -> None:
        """Take over the records of a note.

        Parameters
        ----------
        text : str or None
            What ``to_text`` returned; None for no records.
        """
        if text is None:
            return
        item = decode_text(text)
        if not isinstance(item, dict) or set(item) != {"waiting", "counts"}:
            raise InputError("its waiting records are none")
        forgotten, unknown = item["counts"]
        if not all(type(count) is int and count >= 0 for count in (forgotten, unknown)):
            raise InputError("it miscounts its waiting records")
        for each in item["waiting"]:
            key, since = each[0], each[3 if len(each) > _OF_RECORD else 2]
            if not isinstance(key, str) or not isinstance(since, int | float):
                raise InputError("a waiting record has no key")
            if len(each) == _OF_RECORD:
                if not isinstance(decode_text(each[1]), dict):
                    raise InputError("a waiting record is none")
                self._waiting[key] = _Waiting(None, float(since), each[1])
                continue
            _, names, values, _, kinds = each
            features = dict(zip(map(decode, names), values, strict=True))
            decided = {decode(field): kind for field, kind in kinds}
            if not set(decided.values()) <= set(KINDS):
                raise InputError("a waiting record has a kind that there is not")
            rows = _row(features).with_arrays(schema=Decisions(decided))
            self._waiting[key] = _Waiting(rows, float(since))
        self.forgotten, self.unknown = forgotten, unknown


def _names(rows: Rows) -> list[Hashable]:
    return [rows.name(column) for column in rows.indices.tolist()]


def _kinds(rows: Rows) -> list[list[Any]]:
    decided = {} if rows.schema is None else rows.schema.kinds
    return [[encode_all([field])[0], kind] for field, kind in decided.items()]


def _row(features: Mapping[Hashable, float]) -> Rows:
    """A row with these features, in this order; its values are checked."""
    from braided.rows.sparse import from_rows

    size = len(features)
    values = np.array([*features.values()], np.float64)
    made = Rows(np.array([0, size]), np.arange(size, dtype=np.int32), values, size, [*features])
    return from_rows(made)
