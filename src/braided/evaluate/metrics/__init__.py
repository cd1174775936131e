"""Metrics: figures of how well a learner does, one file for each kind."""

from braided.evaluate.metrics.functions import (
    METRICS,
    auc,
    balanced_accuracy,
    error_rate,
    f1,
    kappa,
    log_loss,
    mistakes,
)

__all__ = [
    "METRICS",
    "auc",
    "balanced_accuracy",
    "error_rate",
    "f1",
    "kappa",
    "log_loss",
    "mistakes",
]
