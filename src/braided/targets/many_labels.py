"""ManyLabels: any number of label values <-> numbers, in order of first sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.targets.labels import Labels, first_rows, plain_values, refuse_no_label

__all__ = ["NO_CLASS", "ManyLabels", "refuse_no_class"]

NO_CLASS = -1
"""The number that stands for no class."""


class ManyLabels(Labels):
    """The label values of a stream; a new one may appear at any time.

    The code of a class is the number of those known before it, and scores of kernels have a column
    for each in that order. Outside the engine, columns are in the order of ``classes``; while there
    are only two classes, there is one score as in scikit-learn: half of the difference, positive
    for the second.

    Examples
    --------
    >>> labels = ManyLabels()
    >>> labels.signs(np.array(["dog", "cat", "dog"])), labels.classes.tolist()
    (array([0., 1., 0.]), ['cat', 'dog'])
    >>> labels.oriented(np.array([[0.5, -2.0]])), labels.by_class(np.array([[0.5, -2.0]]))
    (array([1.25]), array([[-2. ,  0.5]]))
    """

    many = True

    def __init__(self) -> None:
        super().__init__()
        self.declared: set[int] = set()

    def check(
        self,
        y: NDArray[Any],
        classes: Iterable[Any] | None = None,
        numbers: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Refuse what can not be a label; nothing is changed."""
        for value in [] if classes is None else plain_values(classes):
            refuse_no_class("classes", value)
        for value, place in _first_rows(y):
            refuse_no_class(f"row {place if numbers is None else int(numbers[place])}", value)

    def declare(self, classes: Iterable[Any]) -> None:
        """Make values known before they are seen."""
        values = plain_values(classes)
        super().declare(values)
        self.declared.update(int(self.codes[value]) for value in values)

    def signs(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """The number of each label; a value that is new becomes known."""
        for value, _ in _first_rows(y):
            self.add(value)
        if y.dtype.kind == "O":
            return np.array([self.codes[value] for value in plain_values(y)], np.float64)
        values, which = np.unique(y, return_inverse=True)
        numbers = np.array([self.codes[value] for value in plain_values(values)], np.float64)
        return numbers[which] if values.size else numbers

    def accepts(self, label: Any) -> bool:
        """Never: a new class is always checked, since it gets a learner of its own."""
        return False

    def names(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        """The label with the largest score in each row; among equals the smallest."""
        if len(self) <= 2:
            return super().names(scores)
        predicted: NDArray[Any] = self.classes[scores.argmax(axis=1)]
        return predicted

    def chances(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability that each learner gives its class, scaled to a sum of 1."""
        log_odds = self.by_class(kernel_scores)
        logs = -np.logaddexp(0.0, -log_odds)  # so that none is too small to be divided by
        largest = logs.max(axis=1, keepdims=True, initial=-np.inf)
        unknown = np.isneginf(largest)  # nothing is known of any class: all are equal
        relative = np.where(unknown, 1.0, np.exp(logs - np.where(unknown, 0.0, largest)))
        chances: NDArray[np.float64] = relative / relative.sum(axis=1, keepdims=True)
        return chances

    def name(self, kernel_score: Any) -> Any:
        """The predicted label for one row's scores of a kernel; None if there are none."""
        number, _ = self.winner(kernel_score)
        return self.by_number().get(number)

    def winner(self, kernel_score: Any) -> tuple[int, float]:
        """The number of the class with the largest score in one row, and that score.

        Among equals it is the first of ``classes``; -1 and minus infinity if there is no class.
        """
        number = max(self._order(), key=kernel_score.__getitem__, default=NO_CLASS)
        return number, -np.inf if number == NO_CLASS else kernel_score[number]

    def oriented(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The columns in the order of ``classes``; one score if there are at most two."""
        columns = self.by_class(kernel_scores)
        return columns if len(self) > 2 else _difference(columns)

    def oriented_one(self, kernel_score: Any) -> Any:
        """The scores of one row by label; one score if there are at most two."""
        if not self.codes:
            return 0.0
        scores = self.oriented(np.array([kernel_score])).tolist()[0]
        if len(self) <= 2:
            return scores
        return dict(zip(plain_values(self.classes), scores, strict=True))

    def by_class(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The columns in the order of ``classes``."""
        return kernel_scores[:, self._order()]

    def by_number(self) -> dict[int, Any]:
        """Each label by its number."""
        return {int(number): value for value, number in self.codes.items()}

    def _order(self) -> list[int]:
        return [int(self.codes[value]) for value in plain_values(self.classes)]

    def add(self, value: Any) -> None:
        """Make a value known, if it is not yet."""
        self.codes.setdefault(value, float(len(self.codes)))


def _difference(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """One score instead of those of two classes, positive for the second; 0 if none is known."""
    if columns.shape[1] == 0:
        return np.zeros(len(columns))
    if columns.shape[1] == 1:
        columns = np.column_stack((columns, -columns))
    known = columns.max(axis=1, initial=-np.inf) > -np.inf
    apart = np.zeros(len(columns))
    with np.errstate(invalid="ignore"):
        np.subtract(columns[:, -1], columns[:, 0], out=apart, where=known)
    return 0.5 * apart


def _first_rows(y: NDArray[Any]) -> Iterable[tuple[Any, int]]:
    """Each different label with the row where it is first seen, in that order."""
    if y.dtype.kind == "O":
        return first_rows(y)
    values, rows = np.unique(y, return_index=True)
    pairs = zip(plain_values(values), rows.tolist(), strict=True)
    return sorted(pairs, key=lambda pair: pair[1])


def refuse_no_class(where: str, value: Any) -> None:
    """Refuse what can not be one of many classes: no label, and a fraction."""
    refuse_no_label(where, value)
    if isinstance(value, float) and not value.is_integer():
        raise InputError(
            f"{where}: {value!r} can not be a class (Unknown label type: continuous). Classes are "
            "whole numbers, texts or other things, but no fractions"
        )
