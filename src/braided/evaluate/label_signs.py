"""Which side a label and a score are on, while a model is still learning which labels there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.metrics.confusion import ErrorSoFar
from braided.evaluate.result import Result
from braided.learner.learner import Learner
from braided.targets import Labels, labelled

__all__ = ["Sides", "sides_of"]

Floats = NDArray[np.float64]


class Sides:
    """The labels of a stream as signs, and a model's scores to match.

    Which label is the positive one may turn round when the second label turns up, and a model may
    hear of that label later than its evaluation does. So signs and scores are kept inward, as
    the first label settled them, until the stream is over: ``outward`` then turns both.
    """

    tally: type[ErrorSoFar] = ErrorSoFar
    result: type[Result] = Result

    def __init__(self, model: Learner) -> None:
        self._labels = Labels()
        self._labels.declare(classes_of(model))

    def signs(self, y: NDArray[Any], first: int) -> tuple[Floats, NDArray[np.bool_]]:
        """The sign of each label, NaN where there is none; and where there is one.

        A third label is refused by the number of its round; ``first`` is that of the first.
        """
        known = labelled(y)
        if known.all():
            self._labels.check(y, numbers=range(first, first + y.size))
            return self._labels.signs(y), known
        rounds = np.flatnonzero(known)
        self._labels.check(y[rounds], numbers=first + rounds)
        signs = np.full(y.size, np.nan)
        signs[rounds] = self._labels.signs(y[rounds])
        return signs, known

    def inward(self, model: Learner, scores: Floats) -> Floats:
        """Scores of the model, as it is now, on the sides of these signs."""
        classes = classes_of(model)
        sign = self._labels.code_of(classes[1]) if len(classes) == 2 else 1.0
        return scores if sign == 1.0 else -scores

    def log_odds(self, model: Learner) -> bool:
        """Whether what is kept of the model's scores means probabilities."""
        return getattr(model, "scores_are_log_odds", False)

    @property
    def outward(self) -> float:
        """The factor that makes the larger of two labels the positive one."""
        return self._labels.orientation


def sides_of(model: Learner) -> Sides:
    """How the labels of this model are told apart: by two sides, or by many classes."""
    if not getattr(model, "many_classes", False):
        return Sides(model)
    from braided.evaluate.many_classes import ManySides  # loads what few need

    return ManySides(model)


def classes_of(model: Learner) -> Sequence[Any]:
    """The labels that a model knows: none if it is fresh.

    To ask a fresh model for ``classes_`` would load scikit-learn, for the error that it raises.
    """
    return list(model.classes_) if model.__sklearn_is_fitted__() else []
