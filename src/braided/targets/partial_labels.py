"""Labels of which some are missing: their code is NaN."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.targets.growing_labels import GrowingLabels
from braided.targets.labels import Labels, is_missing, labelled
from braided.targets.many_labels import ManyLabels

__all__ = ["Partial", "PartialLabels", "partial"]


class Partial(Labels):
    """Rows without a label (None or NaN) have the code NaN; the others are as in the base class."""

    def check(
        self,
        y: NDArray[Any],
        classes: Iterable[Any] | None = None,
        numbers: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Refuse what can not be a label; nothing is changed."""
        there = np.flatnonzero(labelled(y))
        super().check(y[there], classes, there if numbers is None else np.asarray(numbers)[there])

    def signs(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """The code of each label, NaN where it is missing."""
        there, signs = labelled(y), np.full(y.size, np.nan)
        signs[there] = super().signs(y[there])
        return signs

    def code_of(self, label: Any) -> float | None:
        """The code of one label, NaN if it is missing; None if it was not seen before."""
        return np.nan if is_missing(label) else super().code_of(label)


class PartialLabels(Partial, Labels):
    """Two label values, and rows without a label."""


class PartialManyLabels(Partial, ManyLabels):
    """Any number of label values, and rows without a label."""


class PartialGrowingLabels(Partial, GrowingLabels):
    """Two label values or more, and rows without a label."""

    grown = PartialManyLabels


_PARTIAL: dict[type[Labels], type[Labels]] = {
    Labels: PartialLabels,
    ManyLabels: PartialManyLabels,
    GrowingLabels: PartialGrowingLabels,
}


def partial(labels: Labels) -> Labels:
    """New labels of the same kind, of which some may be missing."""
    return _PARTIAL[type(labels)]()
