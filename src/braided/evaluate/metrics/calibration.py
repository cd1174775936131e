"""Reliability: how often what was said to be likely came true."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.metrics.confusion import ratio

__all__ = ["Reliability", "reliability"]

Floats = NDArray[np.float64]


class Reliability(NamedTuple):
    """Rounds in groups of like probability: the mean that was told, the share that came true."""

    told: Floats
    came: Floats
    rounds: NDArray[np.int64]

    @property
    def gap(self) -> float:
        """The mean distance between the two over all rounds: the expected calibration error."""
        return float(ratio((self.rounds * np.abs(self.told - self.came)).sum(), self.rounds.sum()))


def reliability(signs: Floats, probabilities: Floats, groups: int = 10) -> Reliability:
    """Group rounds by the probability of +1, in so many equal steps; empty groups are left out.

    >>> reliable = reliability(np.array([1.0, -1.0, -1.0, 1.0]), np.array([0.9, 0.2, 0.2, 0.2]))
    >>> reliable.told.round(3).tolist(), reliable.came.round(3).tolist(), round(reliable.gap, 3)
    ([0.2, 0.9], [0.333, 1.0], 0.125)
    """
    known = np.isfinite(probabilities) & ~np.isnan(signs)
    told, came = probabilities[known], signs[known] > 0
    group = np.minimum((told * groups).astype(np.int64), groups - 1)
    rounds = np.bincount(group, minlength=groups)
    some = rounds > 0
    sums = [np.bincount(group, of, minlength=groups) for of in (told, came)]
    mean_told, share = (total[some] / rounds[some] for total in sums)
    return Reliability(mean_told, share, rounds[some])
