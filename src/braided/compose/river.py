"""ForRiver: a learner as river's own tools expect it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from importlib import import_module
from typing import Any

from braided.compose.calibrated import with_probabilities
from braided.errors import InputError
from braided.learner.estimator import clone
from braided.learner.learner import Learner

__all__ = ["ForRiver"]


def _classifier() -> Any:
    try:
        return import_module("river.base").Classifier
    except ImportError:  # ForRiver says so when it is used
        return object


Classifier = _classifier()


class ForRiver(Classifier):  # type: ignore[misc, valid-type]
    """Make a classifier of river from a learner, for river's pipelines and evaluation.

    A learner without probabilities is put into ``Calibrated``, so that metrics of probabilities can
    be computed; its labels stay the same.

    Parameters
    ----------
    learner : Learner
        The learner inside. It is cloned: what it has learned by itself is not used.

    Raises
    ------
    InputError
        If river is not installed.

    Examples
    --------
    >>> from braided import OLSF
    >>> from river import datasets, evaluate, metrics, preprocessing  # doctest: +SKIP
    >>> model = preprocessing.StandardScaler() | ForRiver(OLSF())  # doctest: +SKIP
    >>> evaluate.progressive_val_score(  # doctest: +SKIP
    ...     datasets.Phishing(), model, metrics.Accuracy()
    ... )
    Accuracy: 87.43%
    >>> evaluate.progressive_val_score(  # doctest: +SKIP
    ...     datasets.Phishing(), model, metrics.ROCAUC()
    ... )
    ROCAUC: 93.80%
    """

    def __init__(self, learner: Learner) -> None:
        if Classifier is object:
            raise InputError("ForRiver needs the package river: pip install river")
        if not isinstance(learner, Learner):
            raise InputError(f"ForRiver is made of a learner, not of {learner!r}")
        self.learner = learner
        self._model: Learner = with_probabilities(clone(learner))

    @property
    def _raw_memory_usage(self) -> int:
        # river would follow references into compiled code, and from there into everything loaded.
        return self._model.memory_bytes

    @property
    def _multiclass(self) -> bool:
        return self.learner.many_classes

    @classmethod
    def _unit_test_params(cls) -> Iterator[dict[str, Any]]:
        """The arguments with which river's checks make one."""
        from braided.registry import create

        yield {"learner": create("olsf")}

    def learn_one(self, x: Mapping[Hashable, Any], y: Any) -> None:
        """Learn one row and its label.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.
        y : hashable
            The label.
        """
        self._model.learn_one(x, y)

    def predict_one(self, x: Mapping[Hashable, Any]) -> Any:
        """Predict the label of one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        hashable
            The predicted label; None before anything was learned.
        """
        return self._model.predict_one(x)

    def predict_proba_one(self, x: Mapping[Hashable, Any]) -> dict[Any, float]:
        """Predict the probability of each label for one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The probability of each label known so far. As river expects of a classifier of two
            labels, they are False and True until another label is seen.
        """
        chances: dict[Any, float] = self._model.predict_proba_one(x)
        if self._multiclass or len(chances) == 2 or not chances.keys() <= {False, True}:
            return chances
        return {label: chances.get(label, 0.0 if chances else 0.5) for label in (False, True)}

    @property
    def model(self) -> Learner:
        """The learner with what it has learned, in ``Calibrated`` if it had no probabilities."""
        return self._model
