"""Figures of how well scores tell two labels apart.

Labels are the signs -1 and +1. ``mistakes`` is the one place that says what a mistake is; all
other counts follow it: a score of 0 or NaN decides for neither label, so it is wrong for both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.errors import InputError
from braided.evaluate.metrics.confusion import Counts, mistaken, of_all_rounds, ratio
from braided.evaluate.metrics.log_loss import surprise
from braided.evaluate.metrics.ranking import auc_of_all_rounds

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
    return int(np.count_nonzero(mistaken(*_checked(labels, scores))))


def error_rate(labels: ArrayLike, scores: ArrayLike) -> float:
    """The share of mistakes."""
    return float(_counts(labels, scores).error_rate)


def balanced_accuracy(labels: ArrayLike, scores: ArrayLike) -> float:
    """The mean over the two labels of the share that was right."""
    return float(_counts(labels, scores).balanced_accuracy)


def f1(labels: ArrayLike, scores: ArrayLike) -> float:
    """The harmonic mean of precision and recall of the positive label."""
    return float(_counts(labels, scores).f1)


def kappa(labels: ArrayLike, scores: ArrayLike) -> float:
    """Cohen's kappa: the accuracy beyond what chance would give, as a share of what is left."""
    return float(_counts(labels, scores).kappa)


def auc(labels: ArrayLike, scores: ArrayLike) -> float:
    """The share of pairs of a positive and a negative row whose scores are in the right order.

    Equal scores count half; a score that is NaN loses against everything.

    Examples
    --------
    >>> auc([1, -1, 1, -1], [0.9, 0.4, 0.4, 0.1])
    0.875
    """
    return auc_of_all_rounds(*_checked(labels, scores))


def log_loss(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """The mean of -log(probability given to the label), in nats; probabilities of +1."""
    signs, given = _checked(labels, probabilities)
    return float(ratio(surprise(signs, given).sum(), signs.size))


METRICS: dict[str, Callable[[ArrayLike, ArrayLike], float]] = {
    "mistakes": mistakes,
    "error_rate": error_rate,
    "balanced_accuracy": balanced_accuracy,
    "f1": f1,
    "auc": auc,
    "kappa": kappa,
}
"""What can be said of signed scores, by name."""


def _counts(labels: ArrayLike, scores: ArrayLike) -> Counts:
    return of_all_rounds(*_checked(labels, scores))


def _checked(labels: ArrayLike, scores: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    signs: NDArray[Any] = np.asarray(labels, np.float64)
    given: NDArray[Any] = np.asarray(scores, np.float64)
    if signs.shape != given.shape:
        # NumPy would stretch one of the two to the other's shape and count nonsense.
        raise InputError(f"{signs.shape} labels for {given.shape} scores: expected one for each")
    if not (np.abs(signs) == 1).all():
        raise InputError("labels must be the signs -1 and +1")
    return signs, given
