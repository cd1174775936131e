"""The confusion matrix and the metrics that follow from it, over all rounds or after each.

Labels are the signs -1 and +1. ``mistakes`` defines what a mistake is, and all counts follow it: a
score of 0 or NaN predicts neither label, so it is a mistake for both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.compiled.jit import cached
from braided.errors import InputError

__all__ = [
    "Counts",
    "ErrorSoFar",
    "after_each_round",
    "balanced_accuracy",
    "checked",
    "error_rate",
    "f1",
    "kappa",
    "mistaken",
    "mistakes",
    "of_all_rounds",
    "ratio",
    "running",
]

Floats = NDArray[np.float64]


def mistakes(labels: ArrayLike, scores: ArrayLike) -> int:
    """Count the rounds in which ``label * score > 0`` does not hold.

    A score of 0 predicts no label, so it is a mistake, as in the papers. A score that is NaN is a
    mistake as well (``label * score <= 0`` would not count it).

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores; the sign is the prediction.

    Returns
    -------
    int
        The number of mistakes.

    Examples
    --------
    >>> mistakes([1, 1, -1, -1], [0.5, 0.0, float("nan"), -2.0])
    2
    """
    return int(np.count_nonzero(mistaken(*checked(labels, scores))))


def error_rate(labels: ArrayLike, scores: ArrayLike) -> float:
    """Compute the share of mistakes.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores; the sign is the prediction.

    Returns
    -------
    float
        The share of mistakes.

    Examples
    --------
    >>> error_rate([1, 1, -1, -1], [0.5, 2.0, 0.1, -2.0])
    0.25
    """
    return float(_counts(labels, scores).error_rate)


def balanced_accuracy(labels: ArrayLike, scores: ArrayLike) -> float:
    """Compute the mean over the two labels of the share predicted right.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores; the sign is the prediction.

    Returns
    -------
    float
        The balanced accuracy.

    Examples
    --------
    >>> balanced_accuracy([1, 1, -1, -1], [0.5, 2.0, 0.1, -2.0])
    0.75
    """
    return float(_counts(labels, scores).balanced_accuracy)


def f1(labels: ArrayLike, scores: ArrayLike) -> float:
    """Compute the harmonic mean of precision and recall of the positive label.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores; the sign is the prediction.

    Returns
    -------
    float
        The F1 score.

    Examples
    --------
    >>> f1([1, 1, -1, -1], [0.5, 2.0, 0.1, -2.0])
    0.8
    """
    return float(_counts(labels, scores).f1)


def kappa(labels: ArrayLike, scores: ArrayLike) -> float:
    """Compute Cohen's kappa: accuracy beyond chance, as a share of what is left.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores; the sign is the prediction.

    Returns
    -------
    float
        Cohen's kappa.

    Examples
    --------
    >>> kappa([1, 1, -1, -1], [0.5, 2.0, 0.1, -2.0])
    0.5
    """
    return float(_counts(labels, scores).kappa)


class Counts(NamedTuple):
    """The confusion matrix: numbers of rounds, or arrays with the numbers after each round.

    A round without a label is not counted.

    Attributes
    ----------
    positive, negative : int or ndarray
        Rounds with a positive and with a negative label.
    called_positive, called_negative : int or ndarray
        Rounds with a label that were predicted positive and negative.
    true_positive, true_negative : int or ndarray
        Rounds that were predicted right, by label.
    """

    positive: Any
    negative: Any
    called_positive: Any
    called_negative: Any
    true_positive: Any
    true_negative: Any

    @property
    def rounds(self) -> Any:
        """Rounds with a label."""
        return self.positive + self.negative

    @property
    def mistakes(self) -> Any:
        """Rounds whose score does not have the sign of the label."""
        return self.rounds - self.true_positive - self.true_negative

    @property
    def error_rate(self) -> Any:
        """The share of mistakes."""
        return ratio(self.mistakes, self.rounds)

    @property
    def balanced_accuracy(self) -> Any:
        """The mean over the two labels of the share predicted right."""
        right_positive = ratio(self.true_positive, self.positive)
        right_negative = ratio(self.true_negative, self.negative)
        return (right_positive + right_negative) / 2

    @property
    def f1(self) -> Any:
        """The harmonic mean of precision and recall of the positive label."""
        return ratio(2 * self.true_positive, self.positive + self.called_positive)

    @property
    def kappa(self) -> Any:
        """Cohen's kappa: accuracy beyond chance, as a share of what is left."""
        accuracy = ratio(self.true_positive + self.true_negative, self.rounds)
        by_chance = ratio(
            self.positive * self.called_positive + self.negative * self.called_negative,
            self.rounds * self.rounds,
        )
        return ratio(accuracy - by_chance, 1 - by_chance)


class ErrorSoFar:
    """The error rate so far, block by block."""

    def __init__(self) -> None:
        self._mistakes = self._rounds = 0

    def add(self, signs: Floats, scores: Floats) -> None:
        """Count a block."""
        self._mistakes += int(np.count_nonzero(mistaken(signs, scores)))
        self._rounds += int(np.count_nonzero(~np.isnan(signs)))

    def go_on_from(self, before: ErrorSoFar) -> None:
        """Count on from another count."""
        self._mistakes, self._rounds = before._mistakes, before._rounds

    @property
    def error_rate(self) -> float:
        """The share of mistakes; NaN before there was a label."""
        return float(ratio(self._mistakes, self._rounds))


def of_all_rounds(signs: Floats, scores: Floats) -> Counts:
    """The counts of all rounds."""
    return Counts(*_counted(signs.ravel(), scores.ravel()))


def after_each_round(signs: Floats, scores: Floats, window: int | None = None) -> Counts:
    """The counts after each round: of all rounds so far, or of the last ``window``.

    >>> after_each_round(np.array([1.0, -1.0, 1.0]), np.array([2.0, 0.0, -1.0])).mistakes
    array([0, 1, 2])
    """
    return Counts(*(running(rounds, window) for rounds in _kinds(signs, scores)))


def running(amounts: NDArray[Any], window: int | None = None) -> NDArray[Any]:
    """The sum after each round: of all rounds so far, or of the last ``window``."""
    total: NDArray[Any] = np.cumsum(amounts)
    if window is None or window >= total.size:
        return total
    total[window:] -= total[:-window].copy()
    return total


def mistaken(signs: Floats, scores: Floats) -> NDArray[np.bool_]:
    """In which rounds ``sign * score > 0`` does not hold, though there is a label."""
    wrong: NDArray[np.bool_] = ~(signs * scores > 0)
    return wrong & ~np.isnan(signs)


def ratio(part: Any, whole: Any) -> Any:
    """Part / whole; NaN where the whole is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.true_divide(part, whole)


def checked(labels: ArrayLike, scores: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels and scores as arrays; refuse labels other than -1 and +1, and different lengths."""
    signs: NDArray[Any] = np.asarray(labels, np.float64)
    given: NDArray[Any] = np.asarray(scores, np.float64)
    if signs.shape != given.shape:
        # NumPy would broadcast one to the shape of the other.
        raise InputError(f"{signs.shape} labels for {given.shape} scores: expected one for each")
    if not (np.abs(signs) == 1).all():
        raise InputError("labels must be the signs -1 and +1")
    return signs, given


def _counts(labels: ArrayLike, scores: ArrayLike) -> Counts:
    return of_all_rounds(*checked(labels, scores))


@cached
def _counted(signs: Floats, scores: Floats) -> tuple[int, int, int, int, int, int]:
    """Count the kinds of rounds of ``_kinds``, in one pass."""
    positive, negative, called_up, called_down, right_up, right_down = 0, 0, 0, 0, 0, 0
    for t in range(signs.size):
        is_positive, is_negative = signs[t] > 0, signs[t] < 0
        up, down, labelled = scores[t] > 0, scores[t] < 0, is_positive | is_negative
        positive += is_positive
        negative += is_negative
        called_up += labelled & up
        called_down += labelled & down
        right_up += is_positive & up
        right_down += is_negative & down
    return positive, negative, called_up, called_down, right_up, right_down


def _kinds(signs: Floats, scores: Floats) -> tuple[NDArray[np.bool_], ...]:
    """For each field of Counts, the rounds that it counts."""
    positive, negative, up, down = signs > 0, signs < 0, scores > 0, scores < 0
    labelled = positive | negative
    return positive, negative, labelled & up, labelled & down, positive & up, negative & down
