"""PartialLabels: labels of which some are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.targets.labels import Labels
from braided.targets.values import is_missing, labelled

__all__ = ["PartialLabels"]


class PartialLabels(Labels):
    """Two label values, and rows without a label (None or NaN), whose code is 0."""

    def check(
        self,
        y: NDArray[Any],
        classes: Iterable[Any] | None = None,
        numbers: Sequence[int] | NDArray[np.int64] | None = None,
    ) -> None:
        """Refuse labels that would be a third value; nothing is changed."""
        there = np.flatnonzero(labelled(y))
        super().check(y[there], classes, there if numbers is None else np.asarray(numbers)[there])

    def signs(self, y: NDArray[Any]) -> NDArray[np.float64]:
        """The code of each label, 0 where it is missing."""
        there, signs = labelled(y), np.zeros(y.size)
        signs[there] = super().signs(y[there])
        return signs

    def code_of(self, label: Any) -> float | None:
        """The code of one label, 0 if it is missing; None if it was not seen before."""
        return 0.0 if is_missing(label) else super().code_of(label)
