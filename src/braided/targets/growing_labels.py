"""GrowingLabels: two labels as signs until there is a third, then class numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError, argument
from braided.targets.labels import Labels, first_rows, if_no_label, plain_values
from braided.targets.many_labels import ManyLabels, refuse_no_class

__all__ = ["GrowingLabels"]


_NO_LABEL = ("nan", "na", "n/a", "null", "nil", "?")
"""Texts that are rarely one of many labels, and often stand for a missing one of two."""


class GrowingLabels(Labels):
    """The label values of a stream, of which there may be two or many.

    With two labels it is as ``Labels``. At the third it becomes ``ManyLabels``, in place, since
    engines share it: labels keep their order, and their codes become class numbers.

    Examples
    --------
    >>> labels = GrowingLabels()
    >>> labels.signs(np.array(["dog", "cat"])), labels.many
    (array([ 1., -1.]), False)
    >>> labels.signs(np.array(["dog", "fish"])), labels.many
    (array([0., 2.]), True)
    """

    grows = True
    grown: type[ManyLabels] = ManyLabels
    """What it becomes."""

    def check_more(
        self, y: NDArray[Any], classes: list[Any], numbers: Sequence[int] | NDArray[np.int64] | None
    ) -> None:
        """Refuse what can not be one of more than two labels; nothing is changed."""
        for value in self.codes:
            refuse_no_class("a label so far", value)
        ManyLabels().check(y, classes, numbers)
        _refuse_no_label_in_words([*self.codes, *(value for value, _ in first_rows(y))])

    def grow(self) -> None:
        """Become ``ManyLabels``."""
        grown = self.grown.of(self.values)
        self.__class__, self.__dict__ = type(grown), grown.__dict__  # type: ignore[assignment]

    def declare(self, classes: Iterable[Any]) -> None:
        """Make values known before they are seen."""
        values = plain_values(classes)
        super().declare(values)
        if self.many:  # there was a third among them
            self.declare(values)


def _refuse_no_label_in_words(values: Iterable[Any]) -> None:
    """Refuse to learn more than two labels if one of them seems to stand for no label."""
    for value in values:
        if isinstance(value, str) and value.lower() in _NO_LABEL:
            raise InputError(
                f"{value!r} among more than two labels. {if_no_label(value)}If it is a label: put "
                "the learner into braided.OneVsRest, or, where there is such an argument, use "
                f"{argument('many_classes', 'rest')}"
            )
