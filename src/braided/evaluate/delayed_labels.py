"""Delayed labels: one pass of a model over a stream whose labels come late, or never."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.label_signs import CodedRounds
from braided.evaluate.stopwatch import Clock
from braided.learner.learner import Learner
from braided.rows.rows import Rows, offsets

__all__ = ["Pass"]

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]


class Waiting(NamedTuple):
    """A block with rows that are not learned yet; ``first`` is the round of its first row."""

    first: int
    rows: Rows
    labelled: Marks

    @property
    def end(self) -> int:
        """The round after its last one."""
        return self.first + len(self.rows)


class Pass:
    """Predict every row of a stream, and learn it when its label is known.

    The label of round t is known after round ``t + delay`` was predicted, so round t is predicted
    by a model that has learned the rounds up to ``t - delay - 1``. Rows without a label are never
    learned, and neither are rows whose labels are not known when the stream ends.

    Parameters
    ----------
    model : Learner
        The model.
    coded : CodedRounds
        How labels are coded.
    delay : int
        How many rounds late labels come.
    """

    def __init__(self, model: Learner, coded: CodedRounds, delay: int) -> None:
        self.model, self.coded, self.delay = model, coded, delay
        self.rounds, self._clock = 0, Clock()
        self._waiting: deque[Waiting] = deque()

    @property
    def seconds(self) -> float:
        """The time spent in the learner so far, without compiling kernels."""
        return self._clock.seconds

    def scores(self, rows: Rows, labelled: Marks) -> Floats:
        """Predict the next rows; the scores are those of ``LabelSigns.matching_scores``."""
        if self.delay == 0 and labelled.all():
            scores = self._at_once(rows)
        else:
            scores = self._late(rows, labelled)
        self.rounds += len(rows)
        return scores

    def _at_once(self, rows: Rows) -> Floats:
        with self._clock.running():
            scores = self.model.prequential(rows, **self.coded.coding.asked)
        return self.coded.coding.matching_scores(self.model, scores)

    def _late(self, rows: Rows, labelled: Marks) -> Floats:
        if len(rows):
            self._waiting.append(Waiting(self.rounds, rows, labelled))
        scores = np.empty(len(rows))
        done = 0
        while done < len(rows):
            # Up to where all rows that are learned belong to one block.
            oldest = self._waiting[0]
            stop = min(len(rows), oldest.end + self.delay - self.rounds)
            scores[done:stop] = self._interleaved(rows[done:stop], self.rounds + done, oldest)
            if self.rounds + stop - self.delay == oldest.end:
                self._waiting.popleft()
            done = stop
        return scores

    def _interleaved(self, rows: Rows, first: int, oldest: Waiting) -> Floats:
        """Score rows from the round ``first`` on, and learn what is due of the oldest block."""
        # Before this round nothing is due of the oldest block, or has been learned already.
        start = max(oldest.first, first - self.delay)
        stop = max(oldest.first, first - self.delay + len(rows))
        due = slice(start - oldest.first, stop - oldest.first)
        learned, labelled = oldest.rows[due], oldest.labelled[due]
        if not labelled.all():
            learned = learned[labelled]
        known = np.arange(first, first + len(rows)) - self.delay + 1 - start
        counts = offsets(labelled)[np.maximum(known, 0)]
        with self._clock.running():
            scores = self.model.interleaved(rows, learned, counts, **self.coded.coding.asked)
        return self.coded.coding.matching_scores(self.model, scores)
