"""Calibration: how often labels occurred, by the probability that was predicted for them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.metrics.confusion import ratio

__all__ = ["Reliability", "reliability"]

Floats = NDArray[np.float64]


class Reliability(NamedTuple):
    """Rounds in groups of similar predicted probability; groups without rounds are left out.

    Attributes
    ----------
    predicted : ndarray of float
        The mean predicted probability of each group.
    occurred : ndarray of float
        The share of positive labels of each group.
    rounds : ndarray of int
        The number of rounds of each group.
    """

    predicted: Floats
    occurred: Floats
    rounds: NDArray[np.int64]

    @property
    def calibration_error(self) -> float:
        """The expected calibration error: the mean over rounds of ``|predicted - occurred|``."""
        distance = np.abs(self.predicted - self.occurred)
        return float(ratio((self.rounds * distance).sum(), self.rounds.sum()))


def reliability(signs: Floats, probabilities: Floats, groups: int = 10) -> Reliability:
    """Compare predicted probabilities with the labels that occurred.

    Parameters
    ----------
    signs : ndarray of float
        The sign of each label, NaN without a label.
    probabilities : ndarray of float from 0 to 1
        The predicted probability of +1 in each round.
    groups : int, at least 1, default 10
        Into how many groups of equal width the probabilities are divided.

    Returns
    -------
    Reliability
        The groups.

    Examples
    --------
    >>> found = reliability(np.array([1.0, -1.0, -1.0, 1.0]), np.array([0.9, 0.2, 0.2, 0.2]))
    >>> found.predicted.round(3).tolist(), found.occurred.round(3).tolist()
    ([0.2, 0.9], [0.333, 1.0])
    >>> round(found.calibration_error, 3)
    0.125
    """
    known = np.isfinite(probabilities) & ~np.isnan(signs)
    predicted, occurred = probabilities[known], signs[known] > 0
    group = np.minimum((predicted * groups).astype(np.int64), groups - 1)
    rounds = np.bincount(group, minlength=groups)
    some = rounds > 0
    sums = [np.bincount(group, of, minlength=groups) for of in (predicted, occurred)]
    mean_predicted, share = (total[some] / rounds[some] for total in sums)
    return Reliability(mean_predicted, share, rounds[some])
