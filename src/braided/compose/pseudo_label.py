"""PseudoLabel: learns from rows without a label too, where the model is sure of itself.

Zhang et al., "Online Learning from Trapezoidal Data Streams", IEEE TKDE 28(10), 2016, section 6.5,
sketch it: the classifier trained from labelled examples predicts the labels of others, and a
learner is built from both. Online, for a row x without a label::

    y = sign(score(x)) and the row is learned        if |score(x)| >= confidence
    the row is skipped                               otherwise
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compose.composite import Floats, Wrapper
from braided.errors import InputError
from braided.learner.learner import Learner
from braided.learner.single_row import OneRow
from braided.parameters import check_positive
from braided.rows.rows import Rows
from braided.targets import Labels, is_missing, labelled

__all__ = ["PseudoLabel"]


class PseudoLabel(Wrapper):
    """A learner that gives rows without a label (None or NaN) the one it predicts.

    The features of a row that is skipped count as seen; if values are scaled, their
    statistics know all rows.

    Parameters
    ----------
    learner
        the learner inside; what it has learned by itself is left alone.
    confidence
        how large a score must be for its label to be learned; infinity: none is.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = PseudoLabel(OLSF(variant="hard"), confidence=0.5)
    >>> rows = [{"cheap": 1}, {"lunch": 1}, {"cheap": 1, "now": 1}, {"today": 1}]
    >>> _ = model.partial_fit(rows, ["spam", "mail", None, None])
    >>> model.rounds, model.pseudo_labelled, model.skipped
    (3, 1, 1)
    """

    def __init__(self, learner: Learner, *, confidence: float = 1.0) -> None:
        self.learner = learner
        self.confidence = confidence
        self._check()

    def _check(self) -> None:
        super()._check()
        check_positive("confidence", self.confidence)
        if self.learner._many_classes:
            raise InputError(
                "PseudoLabel is for two labels: it can not be made of "
                f"{type(self.learner).__name__}, only of learners that go into it"
            )
        if isinstance(self.learner._new_labels(), PartialLabels):
            raise InputError(f"{self.learner} learns from rows without labels already")

    def _fresh_state(self, capacity: int) -> Counts:
        return Counts(np.zeros(1, np.int64), np.zeros(1, np.int64))

    def _is_sound(self, state: Counts) -> bool:
        return all(0 <= count[0] <= 2**53 for count in state)

    def _new_labels(self) -> Labels:
        return PartialLabels()

    @property
    def pseudo_labelled(self) -> int:
        """How many rows were learned with the label that the model predicted."""
        return 0 if self._state is None else int(self._state.pseudo_labelled[0])

    @property
    def skipped(self) -> int:
        """How many rows without a label were not learned."""
        return 0 if self._state is None else int(self._state.skipped[0])

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        sure = float(self._settled.confidence)
        missing = signs == 0.0
        scores = self._inner._learn_placed(rows, signs, weights, sure)
        self._count(int(missing.sum()), int((missing & (np.abs(scores) >= sure)).sum()))
        return scores

    def _score_placed(self, rows: Rows) -> Floats:
        return self._inner._score_placed(rows)

    def _learn_row(self, row: OneRow, sign: float, confidence: float | None = None) -> bool:
        if sign != 0.0:
            return self._inner._learn_row(row, sign)
        sure = float(self._settled.confidence)
        if not self._inner._learn_row(row, sign, sure):
            return False
        self._count(1, int(abs(row.score_before[0]) >= sure))
        return True

    def _score_row(self, row: OneRow) -> float | None:
        return self._inner._score_row(row)

    def _count(self, missing: int, learned: int) -> None:
        self._state.pseudo_labelled[0] += learned
        self._state.skipped[0] += missing - learned


class Counts(NamedTuple):
    """How many rows without a label were learned, and how many were not."""

    pseudo_labelled: NDArray[np.int64]
    skipped: NDArray[np.int64]


class PartialLabels(Labels):
    """Labels of which some are missing: their sign is 0."""

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
        """The sign of each label, 0 where it is missing."""
        there, signs = labelled(y), np.zeros(y.size)
        signs[there] = super().signs(y[there])
        return signs

    def known_sign(self, label: Any) -> float | None:
        """The sign of one label, 0 if it is missing, if it was seen before."""
        return 0.0 if is_missing(label) else super().known_sign(label)
