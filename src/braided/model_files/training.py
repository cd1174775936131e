"""Training that can be stopped at any moment and resumed, with the same result bit for bit.

A checkpoint is a model file with a note of the position in the stream. Both are written at once, so
they always fit together: a training that goes on from it learns each row once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from braided.errors import InputError, ModelFileError
from braided.model_files.fingerprint import BLANK, fingerprint
from braided.model_files.json_values import decode_text, text_of
from braided.model_files.save_load import read, save
from braided.parameters import check_whole
from braided.records import as_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.learner.learner import Learner
    from braided.rows.rows import Rows

__all__ = ["Position", "Training"]

_POSITION = "position"


class Position(NamedTuple):
    """Where in a stream a training is.

    Attributes
    ----------
    rows : int, default 0
        How many rows of the stream were learned.
    fingerprint : int, default 0
        The fingerprint of these rows.

    Examples
    --------
    >>> from braided.model_files import Position
    >>> Position()
    Position(rows=0, fingerprint=0)
    """

    rows: int = 0
    fingerprint: int = BLANK


class Training:
    """Train a model on a stream, with checkpoints from which the training can be resumed.

    Parameters
    ----------
    model : Learner
        The model; it has learned nothing else than the rows before the position.
    path : str or path
        The file for model and position.
    every : int, at least 1, optional
        How many rows there are from one checkpoint to the next; by default there is only the last.
    position : Position, optional
        Where in the stream the model is; by default at the beginning.
    begin : Position, optional
        Where this stream began, if the model had learned others before it.
    seconds : float, optional
        How many seconds there are at most from one checkpoint to the next, while something new is
        learned.

    Attributes
    ----------
    notes : dict
        Texts that are saved with the model.
    late_notes : callable, optional
        Makes more of them, when the model is saved.

    Examples
    --------
    >>> import braided, tempfile
    >>> X, y = [{"cheap": 1}, {"lunch": 1}, {"cheap": 1, "now": 1}], ["spam", "mail", "spam"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/m.braided"
    ...     _ = Training(braided.OLSF(), path, every=1).learn(X[:2], y[:2])
    ...     resumed = Training.resume(path)
    ...     _ = resumed.learn(X, y, start=0)  # the first two are not learned again
    >>> resumed.model.rounds
    3
    """

    def __init__(
        self,
        model: Learner,
        path: str | os.PathLike[str],
        *,
        every: int | None = None,
        position: Position | None = None,
        begin: Position | None = None,
        seconds: float | None = None,
    ) -> None:
        if every is not None:
            check_whole("every", every, 1)
        self.model = model
        self.path = path
        self.every, self.seconds = every, seconds
        self.begin = begin or Position()
        self.position = self._resumed = position or Position()
        self.notes: dict[str, str] = {}
        self.late_notes: Callable[[], Mapping[str, str]] = dict
        self._recognised = self.begin
        self._saved = None if position is None else position.rows
        self._saved_at = monotonic()

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        *,
        every: int | None = None,
        seconds: float | None = None,
    ) -> Training:
        """Go on from a checkpoint, in the same stream.

        Parameters
        ----------
        path : str or path
            The file of an earlier training; checkpoints go there as well.
        every : int, at least 1, optional
            How many rows there are from one checkpoint to the next.
        seconds : float, optional
            How many seconds there are at most from one checkpoint to the next.

        Returns
        -------
        Training
            The training at the position of the checkpoint.
        """
        model, notes = read(path)
        position, begin = _positions(notes.pop(_POSITION, None), path)
        training = cls(model, path, every=every, position=position, begin=begin, seconds=seconds)
        training.notes = notes
        return training

    @classmethod
    def go_on(
        cls,
        path: str | os.PathLike[str],
        *,
        every: int | None = None,
        seconds: float | None = None,
    ) -> Training:
        """Go on with a model, in another stream.

        Parameters
        ----------
        path : str or path
            A model file; checkpoints go there as well.
        every : int, at least 1, optional
            How many rows there are from one checkpoint to the next.
        seconds : float, optional
            How many seconds there are at most from one checkpoint to the next.

        Returns
        -------
        Training
            The training at the beginning of a stream. It ends with the file that one training over
            both streams would have written.
        """
        model, notes = read(path)
        note = notes.pop(_POSITION, None)
        position = Position(model.rounds) if note is None else _positions(note, path)[0]
        training = cls(model, path, every=every, position=position, begin=position, seconds=seconds)
        training.notes = notes
        return training

    def learn(
        self, X: Any, y: Any = None, *, start: int | None = None, by_class: bool = False
    ) -> NDArray[Any]:
        """Learn rows of the stream.

        Rows that were learned before are not learned again: a block may be repeated.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like, optional
            A label for each row; may be left out when X is Rows with labels.
        start : int, optional
            The number of the first row in the stream; by default it is the next.
        by_class : bool, default False
            Whether scores have a column for each class, also where there are two.

        Returns
        -------
        ndarray of float
            The score that each row had before it was learned, without those that were not learned
            again.

        Raises
        ------
        InputError
            If rows are missing in between, or if rows that are repeated from the beginning of the
            stream are not those that were learned.
        """
        rows = as_rows(X, y, schema=self.model.schema)
        begin = self.position.rows if start is None else self.begin.rows + start
        if begin > self.position.rows:
            raise InputError(
                f"row {begin} of the stream comes too early: the next one is {self.position.rows}"
            )
        known = min(len(rows), self.position.rows - begin)
        if begin == self._recognised.rows < self._resumed.rows:
            self._recognise(rows[: self._resumed.rows - begin])
        rows = rows[known:]
        scores = []
        while len(rows):
            piece = rows[: self._until_checkpoint(len(rows))]
            scores.append(self._learn(piece, by_class))
            rows = rows[len(piece) :]
            if self.every is not None and self.position.rows % self.every == 0:
                self.save()
            self.save_if_due()
        return np.concatenate(scores) if scores else np.empty(0)

    def save_if_due(self) -> None:
        """Write a checkpoint if the last one is as old as it may be."""
        if self.seconds is not None and monotonic() - self._saved_at >= self.seconds:
            self.save()

    def finish(self) -> None:
        """Save at the end of a stream that was read from its beginning.

        Raises
        ------
        InputError
            If the stream ended before the position of the checkpoint: it is another stream.
        """
        if self._recognised.rows < self._resumed.rows:
            raise InputError(
                f"the stream ends after {self._recognised.rows} rows, but {os.fspath(self.path)} "
                f"has learned {self._resumed.rows}: it is another stream"
            )
        self.begin = Position()  # a stream that has ended is not read again from its beginning
        self._saved = None
        self.save()

    def save(self) -> None:
        """Write a checkpoint, if something was learned since the last one."""
        self._saved_at = monotonic()
        if self._saved != self.position.rows:
            began = [] if self.begin == Position() else [*self.begin]
            save(
                self.model, self.path, {_POSITION: text_of([*self.position, *began]), **self.notes}
            )
            self._saved = self.position.rows

    def _until_checkpoint(self, most: int) -> int:
        if self.every is None:
            return most
        return min(most, self.every - self.position.rows % self.every)

    def _learn(self, rows: Rows, by_class: bool) -> NDArray[Any]:
        done, engine = self.position.rows, self.model.engine or self.model.new_engine()
        placed: list[Rows] = []  # in their columns already: they need not be placed again
        try:
            scores = engine.learn(rows, on_placed=placed.append, by_class=by_class)
        except InputError as error:
            raise InputError(f"among rows {done} to {done + len(rows) - 1}: {error}") from None
        self.model.engine = engine
        columns = placed[0].indices if math.isinf(engine.most_names) else None
        mark = fingerprint(self.position.fingerprint, rows, columns)
        self.position = Position(done + len(rows), mark)
        return scores

    def _recognise(self, rows: Rows) -> None:
        """Compare the beginning of a stream that is read again with what was learned."""
        mark = self._mark_of_known(rows)
        seen = self._recognised.rows + len(rows)
        if mark is None or (seen == self._resumed.rows and mark != self._resumed.fingerprint):
            raise InputError(
                f"the first {self._resumed.rows} rows of the stream are not those that "
                f"{os.fspath(self.path)} has learned: it is another stream"
            )
        self._recognised = Position(seen, mark)

    def _mark_of_known(self, rows: Rows) -> int | None:
        """The fingerprint when these rows follow; None if the model does not know a feature."""
        engine, before = self.model.engine, self._recognised.fingerprint
        if engine is None or not math.isinf(engine.most_names):
            return fingerprint(before, rows, None)
        placed = engine.space.place(rows, grow=False)
        if placed.values.size < rows.values.size:
            return None
        return fingerprint(before, rows, placed.indices)


def _positions(note: str | None, path: str | os.PathLike[str]) -> tuple[Position, Position]:
    """The position of a checkpoint, and where its stream began."""
    if note is None:
        raise ModelFileError(
            f"{os.fspath(path)} has no position in a stream: model.save wrote it, not a training"
        )
    item = decode_text(note)
    whole = isinstance(item, list) and len(item) in (2, 4) and all(type(i) is int for i in item)
    if not whole or not all(0 <= i < 2**64 for i in item):
        raise ModelFileError(f"{os.fspath(path)} has an impossible position")
    position, begin = Position(*item[:2]), Position(*item[2:])
    if not begin.rows <= position.rows < 2**63:
        raise ModelFileError(f"{os.fspath(path)} has an impossible position")
    return position, begin
