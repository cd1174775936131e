"""Evaluation with more than two labels: class numbers instead of signs, metrics over all classes.

Classes are numbered in the order in which they are first seen. Instead of scores, the number of the
predicted class is kept, -1 if none was predicted. Metrics that need one score for each row (AUC,
log loss) are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.baselines import Whole, last_label
from braided.evaluate.label_signs import LabelSigns, classes_of
from braided.evaluate.metrics.by_name import curve
from braided.evaluate.metrics.confusion import ErrorSoFar, ratio, running
from braided.evaluate.result import Result
from braided.learner.learner import Learner
from braided.registry import MetricEntry
from braided.targets import ManyLabels, labelled, plain_values, sign_of_first

__all__ = ["ClassNumbers", "ManyClassesResult", "majority_class", "metrics_of_classes"]

Floats = NDArray[np.float64]

NO_CLASS = -1.0
"""The number that stands for no class: none was predicted."""


class ClassErrorSoFar(ErrorSoFar):
    """The error rate so far, from class numbers."""

    def add(self, signs: Floats, scores: Floats) -> None:
        """Count a block of class numbers and predicted class numbers."""
        labelled = ~np.isnan(signs)
        self._mistakes += int(np.count_nonzero(labelled & (signs != scores)))
        self._rounds += int(np.count_nonzero(labelled))


class ManyClassesResult(Result):
    """The result of one pass with more than two labels.

    ``signs`` are the class numbers of the rounds, ``scores`` the predicted class numbers,
    ``classes`` the labels by class number. Balanced accuracy is the mean over the classes that
    occurred, F1 the mean (macro) over the classes that occurred or were predicted. AUC and log loss
    are for two labels only. A metric that is a function gets the class numbers and the predicted
    class numbers.
    """

    @property
    def has_probabilities(self) -> bool:
        """No: predicted classes are kept, not scores."""
        return False

    def _has(self, metric: MetricEntry) -> bool:
        return metric.many_classes

    def _class_numbers(self, signs: Floats, scores: Floats) -> tuple[Whole, Whole]:
        predicted = np.where(scores >= 0, scores, len(self.classes))  # also where it is NaN
        return signs.astype(np.int64), predicted.astype(np.int64)

    def _refuse_meaningless(self, metric: MetricEntry) -> None:
        if not self._has(metric):
            raise InputError(f"{metric.name} is for two labels, and here there may be more")

    def _curve(self, metric: MetricEntry, window: int | None, at: Sequence[int] | None) -> Floats:
        return curve(metric, self.signs, self.scores, window, at, _metrics_after_each_round)

    @cached_property
    def _counts(self) -> Any:
        return metrics_of_classes(self.signs, self.scores)

    @property
    def _baseline_rules(self) -> dict[str, Callable[[Floats, Whole], Floats]]:
        return {
            "majority class": majority_class,
            "last label": lambda signs, known: last_label(signs + 1.0, known) - 1.0,
        }


class ClassNumbers(LabelSigns):
    """The labels of a stream as class numbers, and the class numbers that a model predicts."""

    asked = MappingProxyType({"by_class": True})
    orientation = 1.0
    errors_so_far = ClassErrorSoFar
    result = ManyClassesResult

    def matching_scores(self, model: Learner, scores: Floats) -> Floats:
        """Return the number of the class with the largest score; NaN if a score is NaN."""
        classes = plain_values(classes_of(model))
        if not classes:
            return np.full(len(scores), NO_CLASS)
        if scores.ndim == 1:  # one score for two classes, as of a decision function
            scores = np.column_stack((-scores, scores))[:, : len(classes)]
        numbers = np.array([self._labels.codes[value] for value in classes])
        best = scores.max(axis=1)
        predicted = np.where(np.isneginf(best), NO_CLASS, numbers[scores.argmax(axis=1)])
        return np.where(np.isnan(best), np.nan, predicted)

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, by class number."""
        return tuple(self._labels.values)

    def log_odds(self, model: Learner) -> bool:
        """Return False: predicted classes are kept, not scores."""
        return False


class GrowingSigns(LabelSigns):
    """The labels of a stream as signs, for a model that learns a third label when it appears."""

    def third_row(self, y: NDArray[Any]) -> int | None:
        """Return the first row with a third label."""
        known = np.flatnonzero(labelled(y))
        row = self._labels.third_row(y[known])
        return None if row is None else int(known[row])

    def widened(self) -> ClassNumbers:
        """Return the class numbers of these labels, in the same order."""
        return ClassNumbers(ManyLabels.of(self._labels.values))

    def recoded(self, signs: Floats, scores: Floats) -> tuple[Floats, Floats]:
        """Return class numbers and predicted class numbers; a score of 0 predicts no class."""
        first = sign_of_first(next(iter(self._labels.codes), None))
        numbers = np.where(np.isnan(signs), np.nan, np.where(signs == first, 0.0, 1.0))
        towards = scores * first
        predicted = np.select([towards > 0.0, towards < 0.0, towards == 0.0], [0.0, 1.0, NO_CLASS])
        return numbers, np.where(np.isnan(scores), np.nan, predicted)


def metrics_of_classes(
    classes: Floats,
    predicted: Floats,
    total: Callable[[NDArray[np.bool_]], Any] = np.count_nonzero,
) -> Any:
    """Compute all metrics that follow from the confusion matrix.

    Parameters
    ----------
    classes : ndarray
        The class number of each round, NaN without a label.
    predicted : ndarray
        The predicted class numbers, -1 for none.
    total : callable, default numpy.count_nonzero
        How marked rounds are counted: all of them, or after each round.

    Returns
    -------
    namespace
        The metrics by name.

    Examples
    --------
    >>> metrics = metrics_of_classes(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 1.0, 1.0]))
    >>> int(metrics.mistakes)
    2
    """
    labelled = ~np.isnan(classes)
    rounds, right = total(labelled), total(classes == predicted)
    recalls = f1s = by_chance = 0.0
    occurred = predicted_or_occurred = 0
    for number in range(int(np.nanmax(classes, initial=-1.0)) + 1):
        own, called = classes == number, labelled & (predicted == number)
        n_own, n_called, n_right = total(own), total(called), total(own & called)
        recalls = recalls + np.nan_to_num(ratio(n_right, n_own))
        f1s = f1s + np.nan_to_num(ratio(2 * n_right, n_own + n_called))
        by_chance = by_chance + ratio(n_own, rounds) * ratio(n_called, rounds)
        occurred = occurred + (n_own > 0)
        predicted_or_occurred = predicted_or_occurred + (n_own + n_called > 0)
    return SimpleNamespace(
        mistakes=rounds - right,
        error_rate=ratio(rounds - right, rounds),
        balanced_accuracy=ratio(recalls, occurred),
        f1=ratio(f1s, predicted_or_occurred),
        kappa=ratio(ratio(right, rounds) - by_chance, 1 - by_chance),
    )


def _metrics_after_each_round(classes: Floats, predicted: Floats, window: int | None) -> Any:
    return metrics_of_classes(classes, predicted, lambda marks: running(marks, window))


def majority_class(classes: Floats, known: Whole) -> Floats:
    """Predict the class that was most frequent so far; no class on a tie.

    ``known`` is the number of rounds, from the first, whose labels each prediction may use.

    >>> majority_class(np.array([0.0, 1.0, 1.0, 2.0]), np.arange(4))
    array([-1.,  0., -1.,  1.])
    """
    most = np.zeros(classes.size + 1)
    chosen = np.full(classes.size + 1, NO_CLASS)
    for number in range(int(np.nanmax(classes, initial=-1.0)) + 1):
        count = np.concatenate(([0.0], np.cumsum(classes == number)))
        chosen = np.where(count > most, number, np.where(count == most, NO_CLASS, chosen))
        most = np.maximum(most, count)
    return chosen[known]
