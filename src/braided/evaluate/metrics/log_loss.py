"""Log loss: the mean of -log(probability given to the label), in nats."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.compiled.jit import cached
from braided.evaluate.metrics.confusion import checked, ratio, running

__all__ = ["log_loss", "log_loss_after_each_round", "log_loss_of_odds"]

Floats = NDArray[np.float64]

SMALLEST_PROBABILITY = float(np.finfo(np.float64).tiny)
"""A smaller probability of a label counts as this one."""

LARGEST_LOSS = -math.log(SMALLEST_PROBABILITY)

FACTORS_AT_ONCE = 512
"""How many factors from 1 to 2 are multiplied before one logarithm is taken of their product."""


def log_loss(labels: ArrayLike, probabilities: ArrayLike) -> float:
    """Compute the mean of -log(probability given to the label), in nats.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    probabilities : array-like of float from 0 to 1
        The predicted probability of +1. NaN counts as the smallest probability of the label.

    Returns
    -------
    float
        The log loss.

    Examples
    --------
    >>> round(log_loss([1, -1], [0.5, 0.25]), 3)
    0.49
    """
    signs, given = checked(labels, probabilities)
    return float(ratio(_losses(signs, given).sum(), signs.size))


def log_loss_after_each_round(signs: Floats, log_odds: Floats, window: int | None = None) -> Floats:
    """The log loss after each round: of all rounds so far, or of the last ``window``.

    A round whose sign is NaN has no label and does not count.
    """
    from scipy.special import log_expit

    labelled = ~np.isnan(signs)
    losses = -log_expit(signs * log_odds)
    lost = np.where(labelled, np.where(losses <= LARGEST_LOSS, losses, LARGEST_LOSS), 0.0)
    return np.asarray(ratio(running(lost, window), running(labelled, window)))


def _losses(signs: Floats, probabilities: Floats) -> Floats:
    """The loss of each round."""
    of_label = np.where(signs > 0, probabilities, 1 - probabilities)
    least = SMALLEST_PROBABILITY
    losses: Floats = -np.log(np.where(of_label > least, of_label, least))
    return losses


@cached
def log_loss_of_odds(signs: Floats, log_odds: Floats) -> float:
    """The mean of log(1 + exp(-sign log_odds)) over rounds; NaN has the largest loss.

    >>> log_loss_of_odds(np.array([1.0, -1.0]), np.array([0.0, 0.0])) == math.log(2.0)
    True
    """
    total, product = 0.0, 1.0
    for t in range(signs.size):
        margin = signs[t] * log_odds[t]
        if margin >= -LARGEST_LOSS:  # log(1 + e^-m) = max(0, -m) + log(1 + e^-|m|)
            total -= min(margin, 0.0)
            product *= 1.0 + math.exp(-abs(margin))
        else:  # or NaN
            total += LARGEST_LOSS
        if t % FACTORS_AT_ONCE == 0:
            total += math.log(product)
            product = 1.0
    return (total + math.log(product)) / signs.size if signs.size else math.nan
