"""Figures that can be asked for, by name: those of the scores, and those of the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from numpy.typing import ArrayLike

from braided.evaluate.metrics.functions import METRICS
from braided.parameters import check_choice

__all__ = [
    "DEFAULT_METRICS",
    "OF_SCORES",
    "OF_THE_MODEL",
    "Metric",
    "check_metrics",
    "name_of",
]

Metric: TypeAlias = str | Callable[[ArrayLike, ArrayLike], float]
"""A name out of ``DEFAULT_METRICS``, or a function of signs and scores."""

OF_SCORES = (*METRICS, "log_loss")
OF_THE_MODEL = (
    "features_seen",
    "features_kept",
    "features_observed",
    "sparsity",
    "memory_bytes",
    "seconds",
)
DEFAULT_METRICS = (*OF_SCORES, *OF_THE_MODEL)
"""Every figure by name; log loss is left out where scores mean no probabilities."""


def name_of(metric: Metric) -> str:
    """What a metric is called in tables and files."""
    return metric if isinstance(metric, str) else getattr(metric, "__name__", repr(metric))


def check_metrics(chosen: Sequence[Metric]) -> None:
    """Refuse what is neither the name of a metric nor a function."""
    for metric in chosen:
        if not callable(metric):
            check_choice("metric", metric, DEFAULT_METRICS)
