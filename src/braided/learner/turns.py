"""Learners that score with scratch in their state: threads that predict take turns."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.learner.learner import Learner
from braided.learner.single_row import OneRow
from braided.rows.rows import Rows

__all__ = ["ONE_AT_A_TIME", "ScoresInTurns"]

ONE_AT_A_TIME = threading.RLock()
"""Also for those who read what a score has left in the scratch."""


class ScoresInTurns(Learner):
    """A learner whose ``score`` leaves in the state what ``update`` needs of the row."""

    def _score_placed(self, rows: Rows) -> NDArray[np.float64]:
        with ONE_AT_A_TIME:
            return super()._score_placed(rows)

    def _score_row(self, row: OneRow) -> Any:
        with ONE_AT_A_TIME:
            return super()._score_row(row)
