"""Metrics of scores along the way: after each round, of all so far or of the last few."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.evaluate.metrics.confusion import after_each_round, ratio, running
from braided.evaluate.metrics.log_loss import surprise
from braided.evaluate.metrics.ranking import auc_after_each_round

__all__ = ["curve", "curve_of_function"]

Floats = NDArray[np.float64]


def curve(metric: str, signs: Floats, scores: Floats, window: int | None = None) -> Floats:
    """A metric after each round; for log loss, scores are the probabilities of +1.

    >>> curve("error_rate", np.array([1.0, -1.0, np.nan, 1.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    array([0.        , 0.5       , 0.5       , 0.33333333])
    """
    if metric == "auc":
        return auc_after_each_round(signs, scores, window)
    counts = after_each_round(signs, scores, window)
    if metric == "log_loss":
        lost = np.where(np.isnan(signs), 0.0, surprise(signs, scores))
        return np.asarray(ratio(running(lost, window), counts.rounds))
    return np.asarray(getattr(counts, metric), np.float64)


def curve_of_function(
    metric: Callable[[ArrayLike, ArrayLike], float],
    signs: Floats,
    scores: Floats,
    at: Sequence[int],
    window: int | None = None,
) -> Floats:
    """A function of the rounds with a label, after each of these numbers of rounds."""
    known = ~np.isnan(signs)
    values = []
    for last in at:
        span = slice(0 if window is None else max(0, last - window), last)
        rounds = known[span]
        values.append(metric(signs[span][rounds], scores[span][rounds]))
    return np.array(values, np.float64)
