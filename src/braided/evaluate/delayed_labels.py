"""One pass of a model over a stream whose labels come late, or never."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.label_signs import Sides
from braided.evaluate.stopwatch import Clock
from braided.learner.learner import Learner
from braided.rows.rows import Rows, offsets

__all__ = ["Pass"]

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]


class Waiting(NamedTuple):
    """A block of which some rows are still to be learned; ``first`` is the round of its first."""

    first: int
    rows: Rows
    labelled: Marks

    @property
    def end(self) -> int:
        """The round after its last."""
        return self.first + len(self.rows)


class Pass:
    """Predicts every row, and learns it when its label is known.

    The label of round t is known after round ``t + delay`` was predicted, so round t is predicted
    by a model that has learned the rounds up to ``t - delay - 1``. Rows without a label are never
    learned, nor are those that still wait in the end.
    """

    def __init__(self, model: Learner, sides: Sides, delay: int) -> None:
        self.model, self.sides, self.delay = model, sides, delay
        self.rounds, self._clock = 0, Clock()
        self._waiting: deque[Waiting] = deque()

    @property
    def seconds(self) -> float:
        """The time spent in the learner so far, without compiling."""
        return self._clock.seconds

    def scores(self, rows: Rows, labelled: Marks) -> Floats:
        """The (inward) score that each of the next rows has when it is predicted."""
        if self.delay == 0 and labelled.all():
            scores = self._at_once(rows)
        else:
            scores = self._late(rows, labelled)
        self.rounds += len(rows)
        return scores

    def _at_once(self, rows: Rows) -> Floats:
        with self._clock.running():
            scores = self.model.prequential(rows)
        return self.sides.inward(self.model, scores)

    def _late(self, rows: Rows, labelled: Marks) -> Floats:
        if len(rows):
            self._waiting.append(Waiting(self.rounds, rows, labelled))
        scores = np.empty(len(rows))
        done = 0
        while done < len(rows):
            # As far as the rows that fall due are those of one block.
            oldest = self._waiting[0]
            stop = min(len(rows), oldest.end + self.delay - self.rounds)
            scores[done:stop] = self._interleaved(rows[done:stop], self.rounds + done, oldest)
            if self.rounds + stop - self.delay == oldest.end:
                self._waiting.popleft()
            done = stop
        return scores

    def _interleaved(self, rows: Rows, first: int, oldest: Waiting) -> Floats:
        """Score rows from the round ``first`` on, and learn of the oldest what falls due."""
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
            scores = self.model.interleaved(rows, learned, counts)
        return self.sides.inward(self.model, scores)
