"""Figures of how well scores tell two labels apart.

Labels are the signs -1 and +1. ``mistakes`` is the one place that says what a mistake is; all
other counts follow it: a score of 0 or NaN decides for neither label, so it is wrong for both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.errors import InputError

__all__ = [
    "METRICS",
    "auc",
    "balanced_accuracy",
    "error_rate",
    "f1",
    "kappa",
    "log_loss",
    "mistakes",
]


def mistakes(labels: ArrayLike, scores: ArrayLike) -> int:
    """In how many rounds ``label * score > 0`` does not hold, for labels -1 and +1.

    A score of 0 has not decided, so it is a mistake; the papers count it so too. A score that is
    NaN is a mistake as well, which is why the test is not ``label * score <= 0``: NaN would pass.

    Examples
    --------
    >>> mistakes([1, 1, -1, -1], [0.5, 0.0, float("nan"), -2.0])
    2
    """
    signs, given = _checked(labels, scores)
    return int(np.count_nonzero(~(signs * given > 0)))


def error_rate(labels: ArrayLike, scores: ArrayLike) -> float:
    """The share of mistakes."""
    return _ratio(mistakes(labels, scores), np.size(scores))


def balanced_accuracy(labels: ArrayLike, scores: ArrayLike) -> float:
    """The mean over the two labels of the share that was right."""
    counts = _counts(labels, scores)
    right_positive = _ratio(counts.true_positive, counts.positive)
    right_negative = _ratio(counts.true_negative, counts.negative)
    return (right_positive + right_negative) / 2


def f1(labels: ArrayLike, scores: ArrayLike) -> float:
    """The harmonic mean of precision and recall of the positive label."""
    counts = _counts(labels, scores)
    return _ratio(2 * counts.true_positive, counts.positive + counts.called_positive)


def kappa(labels: ArrayLike, scores: ArrayLike) -> float:
    """Cohen's kappa: the accuracy beyond what chance would give, as a share of what is left."""
    counts = _counts(labels, scores)
    rounds = counts.positive + counts.negative
    if rounds == 0:
        return np.nan
    accuracy = (counts.true_positive + counts.true_negative) / rounds
    by_chance = (
        counts.positive * counts.called_positive + counts.negative * counts.called_negative
    ) / rounds**2
    return _ratio(accuracy - by_chance, 1 - by_chance)


def auc(labels: ArrayLike, scores: ArrayLike) -> float:
    """The share of pairs of a positive and a negative row whose scores are in the right order.

    Equal scores count half; a score that is NaN loses against everything.

    Examples
    --------
    >>> auc([1, -1, 1, -1], [0.9, 0.4, 0.4, 0.1])
    0.875
    """
    signs, given = _checked(labels, scores)
    positive, negative = given[signs > 0], given[signs < 0]
    positive = np.where(np.isnan(positive), -np.inf, positive)
    negative = np.sort(np.where(np.isnan(negative), np.inf, negative))
    # Sorted questions walk through the answers in order, which is easy on the cache.
    positive = np.sort(positive)
    below = np.searchsorted(negative, positive, side="left").sum()
    not_above = np.searchsorted(negative, positive, side="right").sum()
    return _ratio((int(below) + int(not_above)) / 2, positive.size * negative.size)


def log_loss(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """The mean of -log(probability given to the label), in nats; probabilities of +1."""
    signs, given = _checked(labels, probabilities)
    of_label = np.where(signs > 0, given, 1 - given)
    smallest = np.finfo(np.float64).tiny
    of_label = np.clip(np.where(np.isnan(of_label), 0.0, of_label), smallest, 1.0)
    return _ratio(float(-np.log(of_label).sum()), signs.size)


METRICS: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "mistakes": mistakes,
    "error_rate": error_rate,
    "balanced_accuracy": balanced_accuracy,
    "f1": f1,
    "auc": auc,
    "kappa": kappa,
}
"""What can be said of signed scores, by name."""


class _Counts(NamedTuple):
    positive: int
    negative: int
    called_positive: int
    called_negative: int
    true_positive: int
    true_negative: int


def _counts(labels: ArrayLike, scores: ArrayLike) -> _Counts:
    signs, given = _checked(labels, scores)
    positive, up, down = signs > 0, given > 0, given < 0
    return _Counts(
        *(
            int(np.count_nonzero(rounds))
            for rounds in (positive, ~positive, up, down, positive & up, ~positive & down)
        )
    )


def _checked(labels: ArrayLike, scores: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    signs: NDArray[Any] = np.asarray(labels)
    given: NDArray[Any] = np.asarray(scores)
    if signs.shape != given.shape:
        # NumPy would stretch one of the two to the other's shape and count nonsense.
        raise InputError(f"{signs.shape} labels for {given.shape} scores: expected one for each")
    if not (np.abs(signs) == 1).all():
        raise InputError("labels must be the signs -1 and +1")
    return signs, given


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else np.nan
