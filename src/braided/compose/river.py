"""ForRiver: a learner as river's own tools expect it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from importlib import import_module
from typing import Any

from braided.errors import InputError
from braided.learner.estimator import clone
from braided.learner.learner import Learner

__all__ = ["ForRiver"]


def _classifier() -> Any:
    try:
        return import_module("river.base").Classifier
    except ImportError:  # which is said when somebody needs it
        return object


Classifier = _classifier()


class ForRiver(Classifier):  # type: ignore[misc, valid-type]
    """A classifier of river around a learner: river asks for the class, not for the methods.

    Parameters
    ----------
    learner
        the learner inside; what it has learned by itself is left alone.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = ForRiver(OLSF())  # doctest: +SKIP
    >>> river.evaluate.progressive_val_score(  # doctest: +SKIP
    ...     river.datasets.Phishing(), StandardScaler() | model, river.metrics.Accuracy()
    ... )
    """

    def __init__(self, learner: Learner) -> None:
        if Classifier is object:
            raise InputError("ForRiver needs the package river: pip install river")
        if not isinstance(learner, Learner):
            raise InputError(f"ForRiver is made of a learner, not of {learner!r}")
        self.learner = learner
        self._model: Learner = clone(learner)

    @property
    def _multiclass(self) -> bool:
        return self.learner.many_classes

    def learn_one(self, x: Mapping[Hashable, Any], y: Any) -> None:
        """Learn one row and its label."""
        self._model.learn_one(x, y)

    def predict_one(self, x: Mapping[Hashable, Any]) -> Any:
        """The predicted label, or None before anything was learned."""
        return self._model.predict_one(x)

    @property
    def model(self) -> Learner:
        """What was learned."""
        return self._model
