"""Which metrics were chosen: by the names of the registry, or as functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from numpy.typing import ArrayLike

from braided.errors import InputError
from braided.registry import METRICS, MetricEntry

__all__ = ["Metric", "as_entry", "chosen_entries"]

Metric: TypeAlias = str | Callable[[ArrayLike, ArrayLike], float]
"""The name of a metric, or a function of signs and scores."""


def as_entry(metric: Metric) -> MetricEntry:
    """The entry of a metric; a function becomes one under its own name."""
    if isinstance(metric, str):
        return METRICS.find(metric)
    if not callable(metric):
        raise InputError(f"{metric!r} is no metric: give a name or a function of signs and scores")
    name = getattr(metric, "__name__", repr(metric))
    return MetricEntry(name, metric, "a function of signs and scores", many_classes=True)


def chosen_entries(metrics: Sequence[Metric] | None) -> tuple[MetricEntry, ...]:
    """The entries of the metrics that were chosen; all of the registry if None."""
    return tuple(METRICS if metrics is None else map(as_entry, metrics))
