"""Metrics: numbers that say how well a learner does, one file for each kind."""

from braided.evaluate.metrics.auc import auc
from braided.evaluate.metrics.confusion import (
    Counts,
    balanced_accuracy,
    error_rate,
    f1,
    kappa,
    mistakes,
)
from braided.evaluate.metrics.log_loss import log_loss

__all__ = [
    "Counts",
    "auc",
    "balanced_accuracy",
    "error_rate",
    "f1",
    "kappa",
    "log_loss",
    "mistakes",
]
