"""Probabilities of learners whose scores are log odds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.learner.one_by_one import OneByOne
from braided.targets import plain_values

__all__ = ["Probabilities"]


class _WhereScoresAreLogOdds:
    """A method that no other learner has."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.__wrapped__ = method
        self.__doc__ = method.__doc__

    def __get__(self, model: Any, owner: type | None = None) -> Callable[..., Any]:
        method = self.__wrapped__
        if model is None:
            return method
        if not model.scores_are_log_odds:
            raise AttributeError(
                f"{type(model).__name__} has no {method.__name__}: its scores are no log odds"
            )
        return MethodType(method, model)


class Probabilities(OneByOne):
    """``predict_proba`` and ``predict_proba_one``, of learners that have ``scores_are_log_odds``.

    Others do not have these methods, so that scikit-learn's tools see that they must not ask.
    """

    def decision_function(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """The score of each row: positive on the side of ``classes_[1]``."""
        raise NotImplementedError

    @_WhereScoresAreLogOdds
    def predict_proba(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """The probability of each label, a column for each of ``classes_``."""
        scores = self.decision_function(X, feature_names=feature_names)
        return self._labels.chances(scores)

    @_WhereScoresAreLogOdds
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
        >>> chances["mail"] > 0.7
        True
        """
        if self._state is None:
            return {}
        scores = self._labels.turned(np.array([self._score_one_inward(x)]))
        chances = self._labels.chances(scores)[0].tolist()
        return dict(zip(plain_values(self._labels.classes), chances, strict=True))
