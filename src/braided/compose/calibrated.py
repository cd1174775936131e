"""Calibrated: probabilities for a learner whose scores are no log odds.

``braided.learner.platt`` says how the probability of a score is learned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from braided.compose.composite import Floats, Wrapper, WrapperEngine
from braided.errors import InputError
from braided.learner import platt
from braided.learner.learner import Learner
from braided.learner.single_row import SingleRow
from braided.learner.state import grown
from braided.rows.rows import Rows
from braided.targets import GrowingLabels, sign_of_first

__all__ = ["Calibrated", "with_probabilities"]


class Scalings(NamedTuple):
    """The Platt scaling of each class, a line each; one line for two labels."""

    table: Floats


class CalibratedEngine(WrapperEngine):
    """Hands rows on as they are, and learns what the scores that they had before meant."""

    algorithm: Calibrated

    def learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows, and what their scores meant."""
        given = signs.copy()  # a learner may fill in labels that are missing
        scores = self.inner.learn_placed(rows, signs, weights, confidence)
        self._calibrate(given, scores, weights)
        return scores

    def score_placed(self, rows: Rows) -> Floats:
        """The scores of the engine inside."""
        return self.inner.score_placed(rows)

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers, and what its score meant."""
        score = self.inner.score_row(row)
        if not self.inner.learn_row(row, sign, confidence):
            return False
        self._calibrate(np.array([sign]), np.array([score]), np.ones(1))
        return True

    def score_row(self, row: SingleRow) -> Any:
        """The score of the engine inside."""
        return self.inner.score_row(row)

    def _calibrate(self, signs: Floats, scores: Floats, weights: Floats) -> None:
        known = ~np.isnan(signs)  # a label that was filled in does not count
        if not known.all():
            signs, scores, weights = signs[known], scores[known], weights[known]
        if isinstance(self.labels, GrowingLabels) and scores.ndim == 1:
            # A third label may come, and then there is a score for each: so from the beginning
            # each of the two has its own scaling.
            first = sign_of_first(next(iter(self.labels.codes), None))
            signs = np.where(signs == first, 0.0, 1.0)
            scores = np.column_stack((scores, -scores)) * first
        many = scores.ndim == 2
        if many:
            self.state = self._with_classes(scores.shape[1])
        platt.learn_scores(self.state.table, signs, _columns(scores), weights, many)

    def _with_classes(self, classes: int) -> Scalings:
        state: Scalings = grown(self.state, Scalings(platt.new_table(classes)))
        return state

    def log_odds(self, scores: Floats) -> Floats:
        """The log odds that scores have meant so far."""
        if isinstance(self.labels, GrowingLabels) and scores.ndim == 1:
            first = sign_of_first(next(iter(self.labels.codes), None))
            of_plus = 0 if first > 0 else 1  # the label of sign +1
            table = self._with_classes(2).table[of_plus : of_plus + 1]
            return platt.log_odds(table, _columns(scores)).reshape(scores.shape)
        state = self._with_classes(scores.shape[1]) if scores.ndim == 2 else self.state
        return platt.log_odds(state.table, _columns(scores)).reshape(scores.shape)

    def description(self) -> dict[str, Any]:
        """Whether a third label is allowed: then each of two labels has its scaling."""
        return {"any_labels": True} if isinstance(self.labels, GrowingLabels) else {}

    def make_room_as_in(self, length: Callable[[str], int]) -> None:
        """Make room for as many classes as the file has, at most those that it has labels for."""
        if self.algorithm.many_classes:
            most = max(2, len(self.labels))  # two labels that may become more have two scalings
            self.state = self._with_classes(min(length("table"), most))


class Calibrated(Wrapper):
    """Add probabilities to a learner whose scores are no log odds (online Platt scaling).

    The probability of a label is a sigmoid of the score, whose slope and offset are learned online
    from the score that each row had before it was learned. Scores, labels and weights are those of
    the learner inside, and do not change.

    Parameters
    ----------
    learner : Learner
        The learner inside; it must have no probabilities of its own. It is cloned: what it has
        learned by itself is not used.

    Notes
    -----
    With more than two labels there is a sigmoid for the score of each label; probabilities are
    scaled to a sum of 1. Labels are those of the largest score, so where one label is rare the
    label predicted may be another than the most probable one.

    Rows without a label that ``PseudoLabel`` fills in do not count. ``Calibrated`` is always the
    outermost: ``Calibrated(Scaled(OLSF()))``, ``Calibrated(OneVsRest(OLSF()))``.

    References
    ----------
    Platt, "Probabilistic Outputs for Support Vector Machines", 1999.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = Calibrated(OLSF())
    >>> for _ in range(20):
    ...     model.learn_one({"cheap": 1}, "spam")
    ...     model.learn_one({"lunch": 1}, "mail")
    >>> model.predict_proba_one({"lunch": 1})["mail"] > 0.8
    True
    """

    engine_class = CalibratedEngine
    scores_are_log_odds = False
    has_probabilities = True

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def check_parameters(self) -> None:
        """Refuse a learner that has probabilities already."""
        super().check_parameters()
        if self.learner.has_probabilities:
            raise InputError(f"{self.learner} has probabilities already: use it without Calibrated")

    def new_state(self, capacity: int) -> Scalings:
        return Scalings(platt.new_table(0 if self.many_classes else 1))

    def is_sound(self, state: Scalings, capacity: int) -> bool:
        return platt.are_sound(state.table)


def with_probabilities(learner: Learner) -> Learner:
    """Return a learner that has probabilities: the learner itself if it has, else Calibrated.

    Parameters
    ----------
    learner : Learner
        The learner.

    Returns
    -------
    Learner
        The learner, or a new ``Calibrated`` around it.

    Examples
    --------
    >>> from braided import OCO, OLSF
    >>> with_probabilities(OCO()), with_probabilities(OLSF())
    (OCO(), Calibrated(learner=OLSF()))
    """
    return learner if learner.has_probabilities else Calibrated(learner)


def _columns(scores: Floats) -> Floats:
    """The scores with a column for each score of a row."""
    return scores.reshape(len(scores), -1) if scores.size else scores.reshape(0, 1)
