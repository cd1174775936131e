"""ClassesEngine: runs an algorithm that learns all classes at once.

It does the work of one engine for each class, but keeps once what the classes have in common.
Inside, the code of a label is the number of its class, and scores have a column for each class; the
score of a class that is not known yet is minus infinity.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from braided.learner.algorithm import Algorithm
from braided.learner.engine import Engine
from braided.learner.single_row import SingleRow
from braided.learner.state import capacity_for

__all__ = ["AlgorithmOfClasses", "ClassesEngine"]


class AlgorithmOfClasses(Algorithm, Protocol):
    """What an algorithm provides that learns all classes at once."""

    def with_classes(self, state: Any, arrivals: dict[int, int]) -> Any:
        """The state with room for these classes, each known from that one of the next rows on.

        A class that is known before all of them has -1.
        """
        ...

    def with_capacity(self, state: Any, capacity: int) -> Any:
        """The state with room for so many features."""
        ...

    def classes_known(self, state: Any) -> set[int]:
        """The numbers of the classes that it was told of."""
        ...

    def state_of_class(self, state: Any, number: int) -> Any:
        """The state of one class as the algorithm for two labels has it; it shares its arrays."""
        ...


class ClassesEngine(Engine):
    """An engine whose scores have a column for each class."""

    algorithm: AlgorithmOfClasses

    def expect(self, arrivals: dict[int, int]) -> None:
        """Make room for classes that become known in the rows to come."""
        if arrivals:
            self.state = self.algorithm.with_classes(self.state, arrivals)

    def classes_known(self) -> set[int]:
        """The numbers of the classes known so far."""
        return self.algorithm.classes_known(self.state)

    def state_of_class(self, number: int) -> Any:
        """The state of one class as the algorithm for two labels has it."""
        return self.algorithm.state_of_class(self.state, number)

    def make_room(self, more: int = 0) -> None:
        """Make room for the features seen so far, and for some more."""
        if len(self.space) + more > self.capacity:
            self.capacity = capacity_for(len(self.space) + more)
            self.state = self.algorithm.with_capacity(self.state, self.capacity)

    def score_row(self, row: SingleRow) -> Any:
        """The scores of what is in the buffers; None if a value is not usable."""
        if row.score_before.shape[1] < len(self.labels):
            row.score_before = self._new_scores(1)
        return super().score_row(row)

    def _new_scores(self, rows: int) -> NDArray[np.float64]:
        return np.full((rows, len(self.labels)), -np.inf)
