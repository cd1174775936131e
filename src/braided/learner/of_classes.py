"""LearnerOfClasses: what OneVsRest needs of a learner that learns all classes at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.learner.learner import Learner
from braided.learner.single_row import OneRow

__all__ = ["LearnerOfClasses"]


class LearnerOfClasses(Learner):
    """Does the work of one learner for each class, but keeps once what they have in common.

    A learner that has such a form says so in ``_of_classes``. Inside, the sign of a label is the
    number of its class, and scores have a column for each; that of a class not known yet is minus
    infinity.
    """

    def _expect(self, arrivals: dict[int, int]) -> None:
        """Make room for classes: from which of the rows to come each is known, -1 for before."""
        raise NotImplementedError

    def _classes_known(self) -> set[int]:
        """The numbers of the classes that it was told of."""
        raise NotImplementedError

    def _state_of(self, number: int) -> Any:
        """The state of a class as the learner for two labels has it; it shares its arrays."""
        raise NotImplementedError

    def _new_scores(self, rows: int) -> NDArray[np.float64]:
        return np.full((rows, len(self._labels)), -np.inf)

    def _score_row(self, row: OneRow) -> Any:
        if row.score_before.shape[1] < len(self._labels):
            row.score_before = self._new_scores(1)
        return super()._score_row(row)

    @property
    def _many_classes(self) -> bool:
        return True
