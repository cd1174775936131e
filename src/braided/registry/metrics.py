"""The metrics: one entry for each."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

from braided.registry.table import Home, Table

__all__ = ["METRICS", "MetricEntry"]


@dataclass(frozen=True)
class MetricEntry:
    """A figure of how well a learner does.

    Parameters
    ----------
    name : str
        Its name, as in ``--metrics auc``.
    home : str or callable
        The function that computes it, from what ``of`` says.
    about : str
        What it is, in a few words.
    of : str, default "scores"
        What the function is given. ``"scores"``: the signs (-1 and +1) of the labels, and the
        scores. ``"log_odds"``: the signs, and log odds: scores that are none are calibrated
        online (``braided.Calibrated``). ``"counts"``: the confusion matrix, as
        ``braided.evaluate.metrics.Counts`` has it. ``"result"``: the ``Result``.
    curve : str or callable, optional
        A function ``(signs, scores, window) -> array`` that gives the figure after each round.
        Without it, ``home`` is called anew for each round that is asked for.
    many_classes : bool, default False
        Whether it means something for more than two labels. A function of scores is then given
        the numbers of the classes and of those predicted.
    digits : int, default 4
        How many decimals tables show.

    Examples
    --------
    >>> from braided.registry import METRICS
    >>> METRICS.find("kappa").about
    "Cohen's kappa: accuracy beyond chance"
    """

    name: str
    home: Home
    about: str
    of: str = "scores"
    curve: Home | None = None
    many_classes: bool = False
    digits: int = 4


def _count(name: str, about: str, digits: int = 4) -> MetricEntry:
    return MetricEntry(name, attrgetter(name), about, "counts", many_classes=True, digits=digits)


def _of_result(name: str, about: str, digits: int = 1) -> MetricEntry:
    return MetricEntry(name, attrgetter(name), about, "result", many_classes=True, digits=digits)


_AUC, _LOG_LOSS = "braided.evaluate.metrics.auc", "braided.evaluate.metrics.log_loss"

METRICS = Table(
    "metric",
    (
        _count("mistakes", "number of wrong predictions", 1),
        _count("error_rate", "share of wrong predictions"),
        _count("balanced_accuracy", "mean over labels of the share predicted right"),
        _count("f1", "harmonic mean of precision and recall; with many classes their mean"),
        MetricEntry(
            "auc",
            f"{_AUC}:auc_of_all_rounds",
            "area under the ROC curve",
            curve=f"{_AUC}:auc_after_each_round",
        ),
        _count("kappa", "Cohen's kappa: accuracy beyond chance"),
        MetricEntry(
            "log_loss",
            f"{_LOG_LOSS}:log_loss_of_odds",
            "mean negative log of the probability given to the label",
            of="log_odds",
            curve=f"{_LOG_LOSS}:log_loss_after_each_round",
        ),
        _of_result("features_seen", "number of features ever observed"),
        _of_result("features_kept", "number of features with a weight other than zero"),
        _of_result("features_observed", "mean number of features of a row"),
        _of_result("sparsity", "share of the features seen that have no weight", 4),
        _of_result("memory_bytes", "bytes held by the model", 0),
        _of_result("seconds", "time spent in the learner", 3),
    ),
)
"""All metrics.

Examples
--------
>>> from braided.registry import METRICS
>>> "auc" in METRICS
True
"""
