"""LiveModel: a model, the records that wait for their label, and how well it predicts.

What it does follows from the entries of a journal and their order alone: not from how they come in
blocks, not from the clock, not from predictions in between. So a service that was killed, and a
command that reads the journal, come to the same bytes.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from braided.compose.calibrated import with_probabilities
from braided.errors import InputError, ModelFileError
from braided.live.appearances import Appearances
from braided.live.bodies import records_of
from braided.live.journal import Entry
from braided.live.pending import NOTE, Pending
from braided.live.progress import Progress
from braided.live.turns import Turns
from braided.model_files.json_values import decode_text, text_of
from braided.model_files.save_load import read, save
from braided.records.inputs import as_rows
from braided.records.roles import as_label
from braided.records.values import NotAllowed
from braided.targets import is_missing, labelled, plain_values

if TYPE_CHECKING:
    from braided.learner.learner import Learner
    from braided.rows.rows import Rows

__all__ = ["KINDS", "LABEL", "LEARN", "PIECE", "WAIT", "LiveModel", "Outcome", "answer"]

LEARN, WAIT, LABEL = "learn", "predict", "label"
KINDS = (LEARN, WAIT, LABEL)
"""Learn records; predict records and remember them by their key; labels of such records."""

PIECE = 256
"""So many records are learned at most before readers have their turn."""

SETTINGS = "settings"
"""An entry with other settings, from which on they hold."""

JOURNAL_NOTE, PROGRESS_NOTE, _POSITION = "journal", "progress", "position"
_LIMITS = "remember"


class Outcome(NamedTuple):
    """What came of an entry.

    Parameters
    ----------
    learned : int, default 0
        How many records were learned.
    answers : list, default ()
        The predictions, of records that wait.
    unknown : tuple of str, default ()
        Keys for which no record waits.
    refused : str, optional
        Why nothing was done: what is wrong with the request.
    conflict : str, optional
        Why nothing was done: another request had the same id.
    failed : str, optional
        Why nothing was done: what is wrong with the service; it may be tried again.
    sequence : int, default 0
        The number of the entry: the version of the model after it.
    duplicate : bool, default False
        Whether it was done before, by an earlier request with the same id.
    """

    learned: int = 0
    answers: Sequence[dict[str, Any]] = ()
    unknown: tuple[str, ...] = ()
    refused: str | None = None
    conflict: str | None = None
    failed: str | None = None
    sequence: int = 0
    duplicate: bool = False


class LiveModel:
    """A model that entries of a journal are applied to.

    Parameters
    ----------
    learner : Learner
        The model; one without probabilities is calibrated if it has learned nothing.
    notes : dict, optional
        The notes of its file.
    """

    def __init__(self, learner: Learner, notes: dict[str, str] | None = None) -> None:
        if learner.engine is None:
            schema, learner = learner.schema, with_probabilities(learner)
            learner.schema = schema
        self.learner = learner.allow_any_labels()
        if learner.schema.label is None:
            learner.schema.label = "label"
        self.turns = Turns()
        self.appearances = Appearances()
        self._notes = dict(notes or {})
        self._notes.pop(_POSITION, None)
        try:
            remember, seconds = decode_text(self._notes.pop(_LIMITS, "[100000, null]"))
            self.pending = Pending(learner, remember=remember, seconds=seconds)
            self.pending.restore(self._notes.pop(NOTE, None))
            place = decode_text(self._notes.pop(JOURNAL_NOTE, '["", 0]'))
            self.journal, self.sequence = str(place[0]), int(place[1])
            told = self._notes.pop(PROGRESS_NOTE, None)
            self.progress = Progress() if told is None else Progress.from_json(decode_text(told))
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise ModelFileError(f"its notes can not be read: {error}") from None

    # ------------------------------------------------------------------------------ entries

    def apply(self, entries: Iterable[Entry], ahead: Rows | None = None) -> list[Outcome]:
        """Do what entries say, in their order.

        Parameters
        ----------
        entries : iterable of Entry
            The entries.
        ahead : Rows, optional
            The rows of these entries, if all of them are to be learned and ``convert`` was called
            with their records just now.

        Returns
        -------
        list of Outcome
            What came of each.
        """
        outcomes: list[Outcome] = []
        run: list[Entry] = []
        for entry in entries:
            if entry.kind == LEARN:
                run.append(entry)
                continue
            outcomes += self._learn_all(run)
            run = []
            do = {WAIT: self._wait, LABEL: self._label, SETTINGS: self._settle}.get(entry.kind)
            outcomes.append(Outcome() if do is None else do(entry))
            self.sequence = entry.sequence
        outcomes += self._learn_all(run, ahead)
        return outcomes

    def _learn_all(self, run: list[Entry], ahead: Rows | None = None) -> list[Outcome]:
        if not run:
            return []
        before = self.learner.rounds
        try:
            if ahead is None:
                ahead = self.convert([r for entry in run for r in records_of(entry.payload)])
            self._learn(ahead)
            outcomes = [Outcome(entry.records, sequence=entry.sequence) for entry in run]
        except InputError as error:
            assert self.learner.rounds == before, "refused rows were learned"
            if len(run) == 1:
                outcomes = [Outcome(refused=str(error), sequence=run[0].sequence)]
            else:
                outcomes = [each for entry in run for each in self._learn_all([entry])]
        self.sequence = run[-1].sequence
        return outcomes

    def _wait(self, entry: Entry) -> Outcome:
        answers = []
        for record in records_of(entry.payload):
            try:
                row = as_rows([record], schema=self.learner.schema)
                with self.turns.reading:
                    answered = answer(self.learner, record, self.sequence)
            except InputError as error:
                return Outcome(refused=str(error), sequence=entry.sequence)
            key = None if row.keys is None else row.keys[0]
            if key is not None:
                self.pending.wait_record(key, record, now=entry.moment)
            answers.append({"key": key, **answered})
        return Outcome(answers=answers, sequence=entry.sequence)

    def _label(self, entry: Entry) -> Outcome:
        taught, unknown = 0, []
        self.pending.forget_old(now=entry.moment)
        for record in records_of(entry.payload):
            try:
                key, label = self.key_and_label(record)
                row = self.pending.take(key, label)
                if row is None:
                    unknown.append(key)
                    continue
                self._learn(row)
                taught += 1
            except InputError as error:
                return Outcome(taught, refused=str(error), sequence=entry.sequence)
        return Outcome(taught, unknown=tuple(unknown), sequence=entry.sequence)

    def _settle(self, entry: Entry) -> Outcome:
        settings = decode_text(entry.payload)
        schema, pending = self.learner.schema, self.pending
        schema.label, schema.key = settings["label"], settings["key"]
        pending.remember, pending.seconds = settings["remember"], settings["seconds"]
        return Outcome(sequence=entry.sequence)

    @property
    def settings(self) -> dict[str, Any]:
        """What whoever starts a service may change of a model; changes are in its journal."""
        schema, pending = self.learner.schema, self.pending
        return {
            "label": schema.label,
            "key": schema.key,
            "remember": pending.remember,
            "seconds": pending.seconds,
        }

    # ---------------------------------------------------------------------- checks, learning

    def convert(self, records: Sequence[dict[str, Any]]) -> Rows:
        """Make rows of records, and check that all of them can be learned; nothing changes.

        Parameters
        ----------
        records : sequence of dict
            The records, with labels.

        Returns
        -------
        Rows
            The rows.
        """
        rows = as_rows(records, schema=self.learner.schema)
        assert rows.labels is not None
        known = labelled(rows.labels)
        if not known.all():
            field = self.learner.schema.label
            raise InputError(f"row {int(np.argmin(known))}: no label (field {field!r})")
        (self.learner.engine or self.learner.new_engine()).check(rows)
        return rows

    def key_and_label(self, record: dict[str, Any]) -> tuple[str, Any]:
        """Read the key and the label of a record.

        Parameters
        ----------
        record : dict
            It has the fields that the schema calls key and label.

        Returns
        -------
        tuple
            The key, and the label.
        """
        from braided.records.convert import Converter
        from braided.records.roles import keys_of

        schema = self.learner.schema
        key_field, label_field = schema.key or "key", schema.label or "label"
        extra = set(record) - {key_field, label_field}
        if extra:
            raise InputError(
                f"field {min(extra)!r}: a label has the fields {key_field!r} and {label_field!r}"
            )
        key = keys_of([record.get(key_field)])[0]
        if key is None:
            raise InputError(f"no key (field {key_field!r})")
        try:
            label = as_label(record.get(label_field), Converter(schema))
        except NotAllowed as error:
            raise InputError(f"field {label_field!r}: {error}") from None
        if is_missing(label):
            raise InputError(f"no label (field {label_field!r})")
        return key, label

    def check_label(self, label: Any) -> None:
        """Refuse a label that can not be learned; nothing changes.

        Parameters
        ----------
        label : Any
            The label.
        """
        labels = np.empty(1, object)
        labels[0] = label
        (self.learner.engine or self.learner.new_engine()).labels.check(labels)

    def _learn(self, rows: Rows) -> None:
        """Learn rows that were converted, in pieces; all of them or none."""
        learner = self.learner
        engine = learner.engine or learner.new_engine()
        engine.check(rows)
        if rows.weights is not None and not rows.weights.all():
            rows = rows[np.flatnonzero(rows.weights)]
        assert rows.labels is not None
        labels = plain_values(rows.labels)
        for start, stop, is_new in _pieces(labels, engine.labels.values):
            known = len(engine.space)
            with self.turns.writing:
                placed: list[Rows] = []
                scores = engine.learn(rows[start:stop], on_placed=placed.append)
                learner.engine = engine
            self.progress.add(learner, labels[start:stop], scores, new_label=is_new)
            self.appearances.add(placed, engine.rounds, len(engine.space) - known)

    # -------------------------------------------------------------------------------- files

    def notes(self) -> dict[str, str]:
        """Return the notes that go with the model into its file.

        Returns
        -------
        dict
            Records that wait, progress, and the place in the journal.
        """
        return {
            **self._notes,
            _LIMITS: json.dumps([self.pending.remember, self.pending.seconds]),
            NOTE: self.pending.to_text(),
            PROGRESS_NOTE: text_of(self.progress.to_json()),
            JOURNAL_NOTE: json.dumps([self.journal, self.sequence]),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a snapshot: a model file like any other, with these notes.

        Parameters
        ----------
        path : str or path
            The file.
        """
        save(self.learner, path, self.notes())

    def to_bytes(self) -> bytes:
        """Return the bytes of a snapshot.

        Returns
        -------
        bytes
            A model file.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.braided"
            self.save(path)
            return path.read_bytes()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LiveModel:
        """Load a snapshot, or any other model file.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        LiveModel
            The model.
        """
        learner, notes = read(path)
        return cls(learner, notes)

    @classmethod
    def from_bytes(cls, payload: bytes) -> LiveModel:
        """Make the model of a snapshot.

        Parameters
        ----------
        payload : bytes
            A model file.

        Returns
        -------
        LiveModel
            The model.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.braided"
            path.write_bytes(payload)
            try:
                return cls.load(path)
            except ModelFileError as error:
                text = str(error).replace(f"{path} can not be loaded: ", "")
                raise ModelFileError(f"the model file can not be loaded: {text}") from None


def answer(learner: Learner, record: Mapping[Any, Any], version: int) -> dict[str, Any]:
    """Say what a model predicts.

    Parameters
    ----------
    learner : Learner
        The model.
    record : dict
        The record.
    version : int
        The version of the model.

    Returns
    -------
    dict
        Label, probability (of the label), score, version; None before anything was learned.
    """
    engine = learner.engine
    if engine is None or not len(engine.labels):
        as_rows([record], schema=learner.schema)  # what is not allowed is refused all the same
        return {"label": None, "probability": None, "score": None, "version": version}
    roles = learner.schema.roles  # made anew at each call, so not asked for each field
    if roles:
        record = {name: value for name, value in record.items() if name not in roles}
    label, chance, score = engine.judge_one(record)
    if isinstance(score, dict):
        score = max(score.values())
    return {
        "label": label,
        "probability": chance if learner.has_probabilities else None,
        "score": score,
        "version": version,
    }


def _pieces(labels: list[Any], known: list[Any]) -> Iterator[tuple[int, int, bool]]:
    """Where to cut rows: after so many, and around each row with a label that is new."""
    seen, start = set(known), 0
    for t, label in enumerate(labels):
        if label not in seen:
            seen.add(label)
            if start < t:
                yield start, t, False
            yield t, t + 1, True
            start = t + 1
        elif t + 1 - start == PIECE:
            yield start, t + 1, False
            start = t + 1
    if start < len(labels):
        yield start, len(labels), False
