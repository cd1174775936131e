"""Probabilities of learners whose scores are log odds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from braided.labels import plain_values
from braided.one_by_one import OneByOne

__all__ = ["Probabilities"]


def _means_probabilities(model: Probabilities) -> bool:
    return model.scores_are_log_odds


class Probabilities(OneByOne):
    """``predict_proba`` and ``predict_proba_one``, of learners that have ``scores_are_log_odds``.

    Others do not have these methods, so that scikit-learn's tools see that they must not ask.
    """

    def decision_function(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """The score of each row: positive on the side of ``classes_[1]``."""
        raise NotImplementedError

    @available_if(_means_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """The probability of each label, a column for each of ``classes_``."""
        return self._labels.chances(self.decision_function(X, feature_names=feature_names))

    @available_if(_means_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba_one(self, x: Mapping[Hashable, Any]) -> dict[Any, float]:
        """The probability of each label known so far; empty before anything was learned.

        Examples
        --------
        >>> from braided import OCO
        >>> model = OCO()
        >>> for _ in range(20):
        ...     model.learn_one({"cheap": 1}, "spam")
        ...     model.learn_one({"lunch": 1}, "mail")
        >>> chances = model.predict_proba_one({"lunch": 1})
        >>> chances["mail"] > 0.9
        True
        """
        if self._state is None:
            return {}
        scores = self._labels.turned(np.array([self._score_one_inward(x)]))
        chances = self._labels.chances(scores)[0].tolist()
        return dict(zip(plain_values(self._labels.classes), chances, strict=True))
