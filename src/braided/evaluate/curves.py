"""Metrics along the way: after each round, of all rounds so far or of the last few."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.errors import InputError
from braided.evaluate.metrics.confusion import Counts, after_each_round
from braided.registry import METRICS, MetricEntry, resolve

__all__ = ["curve"]

Floats = NDArray[np.float64]
CountEachRound = Callable[[Floats, Floats, int | None], Counts]


def curve(
    metric: MetricEntry,
    signs: Floats,
    scores: Floats,
    window: int | None = None,
    at: Sequence[int] | None = None,
    count: CountEachRound = after_each_round,
) -> Floats:
    """A metric after each round, or after these numbers of rounds.

    >>> error_rate = METRICS.find("error_rate")
    >>> curve(error_rate, np.array([1.0, -1.0, np.nan, 1.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    array([0.        , 0.5       , 0.5       , 0.33333333])
    """
    if metric.of == "result":
        known = ", ".join(entry.name for entry in METRICS if entry.of != "result")
        raise InputError(f"{metric.name} has no curve: choose one of {known}, or a function")
    if metric.of == "counts":
        values = np.asarray(resolve(metric.home)(count(signs, scores, window)), np.float64)
    elif metric.curve is not None:
        values = resolve(metric.curve)(signs, scores, window)
    elif at is None:
        raise InputError(f"the curve of {metric.name} needs at: after how many rounds")
    else:
        return _called_each_time(resolve(metric.home), signs, scores, at, window)
    return values if at is None else values[np.asarray(at, np.intp) - 1]


def _called_each_time(
    metric: Callable[[ArrayLike, ArrayLike], float],
    signs: Floats,
    scores: Floats,
    at: Sequence[int],
    window: int | None,
) -> Floats:
    """A function of the rounds with a label, called for each point of the curve."""
    known = ~np.isnan(signs)
    values = []
    for last in at:
        span = slice(0 if window is None else max(0, last - window), last)
        rounds = known[span]
        values.append(metric(signs[span][rounds], scores[span][rounds]))
    return np.array(values, np.float64)
