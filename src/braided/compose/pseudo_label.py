"""PseudoLabel: learns from rows without a label too, where the score is large enough.

Zhang et al., "Online Learning from Trapezoidal Data Streams", IEEE TKDE 28(10), 2016, section 6.5,
sketch it: the classifier trained from labelled examples predicts the labels of others, and a
learner is built from both. Online, for a row x without a label::

    y = sign(score(x)) and the row is learned        if |score(x)| >= confidence
    the row is skipped                               otherwise

With more than two labels y is the label with the largest score, which must be >= confidence.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compose.composite import Floats, Wrapper, WrapperEngine
from braided.errors import InputError
from braided.learner.learner import Learner
from braided.learner.single_row import SingleRow
from braided.parameters import check_positive
from braided.rows.rows import Rows
from braided.targets import Labels, Partial, partial

__all__ = ["PseudoLabel"]


class Counts(NamedTuple):
    """How many rows without a label were learned, and how many were not."""

    pseudo_labelled: NDArray[np.int64]
    skipped: NDArray[np.int64]


class PseudoLabelEngine(WrapperEngine):
    """Hands rows on with their labels; one without gets the label that the model predicts."""

    algorithm: PseudoLabel

    def code_of(self, y: Any) -> Any:
        return self.labels.code_of(y)

    def learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows; where the sign is NaN, by the model's own prediction."""
        missing, before = int(np.isnan(signs).sum()), self.inner.rounds
        scores = self.inner.learn_placed(rows, signs, weights, float(self.algorithm.confidence))
        self._count(missing, missing + self.inner.rounds - before - len(rows))
        return scores

    def score_placed(self, rows: Rows) -> Floats:
        """The scores of the engine inside."""
        return self.inner.score_placed(rows)

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers; with a sign of NaN by the model's own prediction."""
        if not np.isnan(sign):
            return self.inner.learn_row(row, sign)
        before = self.inner.rounds
        if not self.inner.learn_row(row, sign, float(self.algorithm.confidence)):
            return False
        self._count(1, self.inner.rounds - before)
        return True

    def score_row(self, row: SingleRow) -> Any:
        """The score of the engine inside."""
        return self.inner.score_row(row)

    @property
    def rows_skipped(self) -> int:
        """How many rows without a label were not learned."""
        return int(self.state.skipped[0])

    def _count(self, missing: int, learned: int) -> None:
        self.state.pseudo_labelled[0] += learned
        self.state.skipped[0] += missing - learned


class PseudoLabel(Wrapper):
    """Learn rows without a label (None or NaN) by the label that the model predicts.

    Parameters
    ----------
    learner : Learner
        The learner inside, for two labels or many. It is cloned: what it has learned by itself is
        not used.
    confidence : float, above 0, default 1.0
        How large the score of the predicted label must be for it to be learned: with two labels the
        magnitude of the score, with more the largest of the scores. With infinity no row without a
        label is learned.

    Notes
    -----
    The paper only sketches this, for two labels. With more, the label with the largest score is
    learned if that score is at least ``confidence``, whatever the others are. It is the same rule:
    with one score for two labels, that of the one is the negative of the other's. The score of a
    label in ``OneVsRest`` is that of its own learner; in ``OneVsOne`` it is the number of pairs
    that vote for it, and a fraction.

    The features of a row that is skipped count as seen; if values are scaled, statistics include
    all rows.

    References
    ----------
    Zhang et al., "Online Learning from Trapezoidal Data Streams", IEEE TKDE 28(10), 2016, section
    6.5.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = PseudoLabel(OLSF(variant="hard"), confidence=0.5)
    >>> rows = [{"cheap": 1}, {"lunch": 1}, {"cheap": 1, "now": 1}, {"today": 1}]
    >>> _ = model.partial_fit(rows, ["spam", "mail", None, None])
    >>> model.rounds, model.pseudo_labelled, model.skipped
    (3, 1, 1)
    """

    engine_class = PseudoLabelEngine

    def __init__(self, learner: Learner, *, confidence: float = 1.0) -> None:
        self.learner = learner
        self.confidence = confidence

    def check_parameters(self) -> None:
        """Refuse a learner that learns without labels already."""
        super().check_parameters()
        check_positive("confidence", self.confidence)
        if isinstance(self.learner.new_labels(), Partial):
            raise InputError(f"{self.learner} learns from rows without labels already")

    def new_state(self, capacity: int) -> Counts:
        """Nothing counted yet."""
        return Counts(np.zeros(1, np.int64), np.zeros(1, np.int64))

    def is_sound(self, state: Counts, capacity: int) -> bool:
        """Whether the counts are possible."""
        return all(0 <= count[0] <= 2**53 for count in state)

    def new_labels(self) -> Labels:
        """Those of the learner inside, of which some are missing."""
        return partial(self.learner.new_labels())

    @property
    def pseudo_labelled(self) -> int:
        """How many rows were learned with the label that the model predicted."""
        return 0 if self.engine is None else int(self.engine.state.pseudo_labelled[0])

    @property
    def skipped(self) -> int:
        """How many rows without a label were not learned."""
        return 0 if self.engine is None else int(self.engine.state.skipped[0])
