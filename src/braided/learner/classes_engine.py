"""ClassesEngine: the engine of an algorithm that learns many classes at once.

It replaces an engine for each class, and keeps only once what the classes have in common. Inside,
the code of a label is its class number, and scores have a column for each class; the score of a
class that is not known yet is minus infinity.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from braided.learner.algorithm import Algorithm
from braided.learner.engine import Engine
from braided.learner.single_row import SingleRow
from braided.targets import sign_of_first

__all__ = ["AlgorithmOfClasses", "ClassesEngine"]


class AlgorithmOfClasses(Algorithm, Protocol):
    """What an algorithm that learns many classes at once provides."""

    def with_classes(self, state: Any, arrivals: dict[int, int]) -> Any:
        """Return the state with room for new classes.

        ``arrivals`` maps each class number to the number of the row, among the next rows, from
        which on the class is known; -1 if it is known before all of them.
        """
        ...

    def from_two_labels(self, state: Any, classes: dict[float, int]) -> Any:
        """Return the state in which a model of two labels goes on as that of two classes.

        ``classes`` maps the sign of each label to the number of its class.
        """
        ...

    def with_capacity(self, state: Any, capacity: int) -> Any:
        """Return the state with room for so many features."""
        ...

    def classes_known(self, state: Any) -> set[int]:
        """Return the numbers of the classes that are known."""
        ...

    def state_of_class(self, state: Any, number: int) -> Any:
        """Return the state of one class as an algorithm of two labels has it; arrays are shared."""
        ...


class ClassesEngine(Engine):
    """An engine whose scores have a column for each class."""

    algorithm: AlgorithmOfClasses

    def expect(self, arrivals: dict[int, int]) -> None:
        """Make room for classes that become known in the next rows."""
        if arrivals:
            self.state = self.algorithm.with_classes(self.state, arrivals)

    def go_on_from(self, engine: Engine) -> None:
        """Go on from an engine of two labels, whose state is copied."""
        first = sign_of_first(engine.labels.values[0])
        self.capacity = engine.capacity
        self.state = self.algorithm.from_two_labels(engine.state, {first: 0, -first: 1})

    def classes_known(self) -> set[int]:
        """Return the numbers of the classes known so far."""
        return self.algorithm.classes_known(self.state)

    def state_of_class(self, number: int) -> Any:
        """Return the state of one class as an algorithm of two labels has it."""
        return self.algorithm.state_of_class(self.state, number)

    def set_capacity(self, capacity: int) -> None:
        """Make room for so many features."""
        self.capacity = capacity
        self.state = self.algorithm.with_capacity(self.state, capacity)

    def score_row(self, row: SingleRow) -> Any:
        """Return the scores of the row in the buffers; None if a value is not usable."""
        if row.score_before.shape[1] < len(self.labels):
            row.score_before = self._new_scores(1)
        return super().score_row(row)

    def _new_scores(self, rows: int) -> NDArray[np.float64]:
        return np.full((rows, len(self.labels)), -np.inf)
