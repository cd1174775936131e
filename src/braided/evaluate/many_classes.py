"""Evaluation with more than two labels: what came out, counted class by class.

In place of signs there are the numbers of classes, in order of first sight; in place of scores, the
numbers of those predicted, or -1 where none was. All that needs one score a row (AUC, log
loss) is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.baselines import Whole, last_label
from braided.evaluate.curves import curve
from braided.evaluate.label_signs import Sides, classes_of
from braided.evaluate.metrics.confusion import ErrorSoFar, ratio, running
from braided.evaluate.result import Result
from braided.learner.learner import Learner
from braided.registry import MetricEntry
from braided.targets import plain_values
from braided.targets.many_labels import ManyLabels

__all__ = ["ManyResult", "ManySides"]

Floats = NDArray[np.float64]

NONE = -1.0
"""No class was predicted."""


class ClassErrorSoFar(ErrorSoFar):
    """The error rate so far."""

    def add(self, signs: Floats, scores: Floats) -> None:
        """Count a block."""
        labelled = ~np.isnan(signs)
        self._mistakes += int(np.count_nonzero(labelled & (signs != scores)))
        self._rounds += int(np.count_nonzero(labelled))


class ManyResult(Result):
    """What came out of one pass: ``signs`` are classes of rounds, ``scores`` those predicted.

    Balanced accuracy is the mean over classes that occurred, ``f1`` the mean (macro) over those
    that occurred or were predicted. AUC and log loss are for two labels. A function is given the
    classes of the rounds and those predicted, as numbers.
    """

    def _has(self, metric: MetricEntry) -> bool:
        return metric.many_classes

    def _refuse_meaningless(self, metric: MetricEntry) -> None:
        if not self._has(metric):
            raise InputError(f"{metric.name} is for two labels, and here there may be more")

    def _curve(self, metric: MetricEntry, window: int | None, at: Sequence[int] | None) -> Floats:
        return curve(metric, self.signs, self.scores, window, at, _after_each_round)

    @cached_property
    def _counts(self) -> Any:
        return counted(self.signs, self.scores, np.count_nonzero)

    @property
    def _baseline_rules(self) -> dict[str, Callable[[Floats, Whole], Floats]]:
        return {
            "majority class": most_frequent,
            "last label": lambda signs, known: last_label(signs + 1.0, known) - 1.0,
        }


class ManySides(Sides):
    """The labels of a stream as numbers, and the classes that a model predicts."""

    outward = 1.0
    tally = ClassErrorSoFar
    result = ManyResult

    def __init__(self, model: Learner) -> None:
        self._labels = ManyLabels()
        self._labels.declare(classes_of(model))

    def inward(self, model: Learner, scores: Floats) -> Floats:
        """The class with the largest score in each row; NaN if a score is no number."""
        classes = plain_values(classes_of(model))
        if not classes:
            return np.full(len(scores), NONE)
        numbers = np.array([self._labels.codes[value] for value in classes])
        best = scores.max(axis=1)
        predicted = np.where(np.isneginf(best), NONE, numbers[scores.argmax(axis=1)])
        return np.where(np.isnan(best), np.nan, predicted)

    def log_odds(self, model: Learner) -> bool:
        """No: classes are kept, not their scores."""
        return False


def counted(classes: Floats, predicted: Floats, total: Callable[[NDArray[np.bool_]], Any]) -> Any:
    """All metrics that follow from counts; ``total`` says how rounds are counted.

    >>> counts = counted(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 1.0, 1.0]), np.count_nonzero)
    >>> int(counts.mistakes)
    2
    """
    labelled = ~np.isnan(classes)
    rounds, right = total(labelled), total(classes == predicted)
    recalls = f1s = by_chance = 0.0
    occurred = named = 0
    for number in range(int(np.nanmax(classes, initial=-1.0)) + 1):
        own, called = classes == number, labelled & (predicted == number)
        n_own, n_called, n_right = total(own), total(called), total(own & called)
        recalls = recalls + np.nan_to_num(ratio(n_right, n_own))
        f1s = f1s + np.nan_to_num(ratio(2 * n_right, n_own + n_called))
        by_chance = by_chance + ratio(n_own, rounds) * ratio(n_called, rounds)
        occurred, named = occurred + (n_own > 0), named + (n_own + n_called > 0)
    return SimpleNamespace(
        mistakes=rounds - right,
        error_rate=ratio(rounds - right, rounds),
        balanced_accuracy=ratio(recalls, occurred),
        f1=ratio(f1s, named),
        kappa=ratio(ratio(right, rounds) - by_chance, 1 - by_chance),
    )


def _after_each_round(classes: Floats, predicted: Floats, window: int | None) -> Any:
    return counted(classes, predicted, lambda marks: running(marks, window))


def most_frequent(classes: Floats, known: Whole) -> Floats:
    """The class that was most frequent so far; none while two are.

    >>> most_frequent(np.array([0.0, 1.0, 1.0, 2.0]), np.arange(4))
    array([-1.,  0., -1.,  1.])
    """
    most = np.zeros(classes.size + 1)
    chosen = np.full(classes.size + 1, NONE)
    for number in range(int(np.nanmax(classes, initial=-1.0)) + 1):
        count = np.concatenate(([0.0], np.cumsum(classes == number)))
        chosen = np.where(count > most, number, np.where(count == most, NONE, chosen))
        most = np.maximum(most, count)
    return chosen[known]
