"""Metrics by their names in the registry, or as functions: which were chosen, and their curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.errors import InputError
from braided.evaluate.metrics.confusion import Counts, after_each_round
from braided.registry import METRICS, MetricEntry, resolve

__all__ = ["Metric", "as_entry", "chosen_entries", "curve"]

Floats = NDArray[np.float64]

Metric: TypeAlias = str | Callable[[ArrayLike, ArrayLike], float]
"""The name of a metric, or a function of signs and scores."""

CountEachRound = Callable[[Floats, Floats, int | None], Counts]


def as_entry(metric: Metric) -> MetricEntry:
    """Return the entry of a metric; a function gets an entry with its own name."""
    if isinstance(metric, str):
        return METRICS.find(metric)
    if not callable(metric):
        raise InputError(f"{metric!r} is no metric: give a name or a function of signs and scores")
    name = getattr(metric, "__name__", repr(metric))
    return MetricEntry(name, metric, "a function of signs and scores", many_classes=True)


def chosen_entries(metrics: Sequence[Metric] | None) -> tuple[MetricEntry, ...]:
    """Return the entries of the chosen metrics; None stands for all metrics of the registry."""
    return tuple(METRICS if metrics is None else map(as_entry, metrics))


def curve(
    metric: MetricEntry,
    signs: Floats,
    scores: Floats,
    window: int | None = None,
    at: Sequence[int] | None = None,
    count: CountEachRound = after_each_round,
) -> Floats:
    """Compute a metric after each round.

    Parameters
    ----------
    metric : MetricEntry
        The metric.
    signs : ndarray
        The sign of each round's label, NaN without a label.
    scores : ndarray
        The score of each round.
    window : int, optional
        How many of the last rounds count; all rounds so far if left out.
    at : sequence of int, optional
        After how many rounds; after each if left out.
    count : callable, default after_each_round
        The function that makes the confusion matrix after each round.

    Returns
    -------
    ndarray
        The values of the metric.

    Examples
    --------
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
