"""GrowingLabels: two labels as signs until there is a third, then class numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, argument
from braided.targets.labels import (
    Labels,
    ThirdLabelError,
    first_rows,
    if_no_label,
    plain_values,
    sign_of_first,
)
from braided.targets.many_labels import ManyLabels, refuse_no_class

__all__ = ["GrowingLabels"]


_NO_LABEL = ("nan", "na", "n/a", "null", "nil", "?")
"""Texts that are rarely one of many labels, and often stand for a missing one of two."""


class GrowingLabels(ManyLabels):
    """The label values of a stream, of which there may be two or many.

    With two labels it is as ``Labels``, from the third on as ``ManyLabels``: the labels keep their
    order, and their codes become class numbers.

    Examples
    --------
    >>> labels = GrowingLabels()
    >>> labels.signs(np.array(["dog", "cat"])), labels.many
    (array([ 1., -1.]), False)
    >>> labels.signs(np.array(["dog", "fish"])), labels.many
    (array([0., 2.]), True)
    """

    def __init__(self) -> None:
        super().__init__()
        self.many = False

    @property
    def first_sign(self) -> float:
        """The sign of the first label while there are two; the second has the other one."""
        return sign_of_first(next(iter(self.codes), None))

    @property
    def _form(self) -> type[Labels]:
        return ManyLabels if self.many else Labels

    def check(
        self,
        y: NDArray[Any],
        classes: Iterable[Any] | None = None,
        numbers: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Refuse what can not be a label; nothing is changed."""
        classes = None if classes is None else list(classes)
        try:
            self._form.check(self, y, classes, numbers)
        except ThirdLabelError:
            for value in self.codes:
                refuse_no_class("a label so far", value)
            super().check(y, classes, numbers)
            _refuse_no_label_in_words([*self.codes, *(value for value, _ in first_rows(y))])

    def third_row(self, y: NDArray[Any]) -> int | None:
        """The first row with a third label; None if there is none, or if codes are numbers."""
        known = set(self.codes)
        for value, row in first_rows(y):
            known.add(value)
            if len(known) > 2:
                return None if self.many else row
        return None

    def declare(self, classes: Iterable[Any]) -> None:
        """Make values known before they are seen."""
        values = plain_values(classes)
        Labels.declare(self, values)
        if self.many:
            super().declare(values)

    def signs(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """The code of each label; a value that is new becomes known."""
        if self.third_row(y) is not None:
            self._widen()
        return self._form.signs(self, y)

    def add(self, value: Any) -> None:
        """Make a value known, if it is not yet."""
        if len(self.codes) == 2 and value not in self.codes:
            self._widen()
        self._form.add(self, value)

    def _widen(self) -> None:
        self.many = True
        self.codes = {value: float(number) for number, value in enumerate(self.codes)}

    def accepts(self, label: Any) -> bool:
        """Whether a new label is surely allowed, so that ``check`` can be skipped."""
        return self._form.accepts(self, label)

    def names(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        """The predicted label for each score, or for each row of scores."""
        return self._form.names(self, scores)

    def chances(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each of ``classes``, a column each, from log odds of kernels."""
        return self._form.chances(self, kernel_scores)

    def name(self, kernel_score: Any) -> Any:
        """The predicted label for the score or the scores of one row."""
        return self._form.name(self, kernel_score)

    def oriented(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores as they are seen outside of the engine."""
        return self._form.oriented(self, kernel_scores)

    def oriented_one(self, kernel_score: Any) -> Any:
        """The same for one row: a score, or the scores by label."""
        return self._form.oriented_one(self, kernel_score)

    def by_class(self, kernel_scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores with a column for each of ``classes``."""
        return self._form.by_class(self, kernel_scores)


def _refuse_no_label_in_words(values: Iterable[Any]) -> None:
    """Refuse to learn more than two labels if one of them seems to stand for no label."""
    for value in values:
        if isinstance(value, str) and value.lower() in _NO_LABEL:
            raise InputError(
                f"{value!r} among more than two labels. {if_no_label(value)}If it is a label: put "
                "the learner into braided.OneVsRest, or, where there is such an argument, use "
                f"{argument('many_classes', 'rest')}"
            )
