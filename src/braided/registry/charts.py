"""The charts of a report: one entry for each, in the order in which a page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from braided.registry.table import Home, Table

__all__ = ["CHARTS", "ChartEntry"]


@dataclass(frozen=True)
class ChartEntry:
    """A chart of a report.

    Parameters
    ----------
    name : str
        Its name.
    home : str or callable
        The function that draws it, from what ``of`` says; it returns a ``braided.report.Chart``, a
        ``braided.report.TableChart``, or None if there is nothing to draw.
    about : str
        What it shows, in a few words.
    of : str, default "recordings"
        What the function is given: ``"recordings"``, all learners of a section that were evaluated;
        ``"recording"``, one learner after another; ``"stream"``; ``"appearances"``, when each
        feature was observed; ``"sweep"``, the error by budget; ``"schema"``, the fields. Where a
        section has no such thing, the function is not called.

    Examples
    --------
    >>> from braided.registry import CHARTS
    >>> CHARTS.find("roc").about
    'ROC curve and AUC'
    """

    name: str
    home: Home
    about: str
    of: str = "recordings"


_HERE = "braided.report"

CHARTS = Table(
    "chart",
    (
        ChartEntry("fields", f"{_HERE}.schema:schema_chart", "coverage of each field", "schema"),
        ChartEntry("observed", f"{_HERE}.observed:observed_chart", "features over time", "stream"),
        ChartEntry(
            "appearances",
            f"{_HERE}.appearances:appearances_chart",
            "features that appear and stop",
            "appearances",
        ),
        ChartEntry("errors", f"{_HERE}.curves:error_chart", "error rate so far"),
        ChartEntry("recent errors", f"{_HERE}.curves:window_chart", "error rate of recent rounds"),
        ChartEntry("labels", f"{_HERE}.label_balance:balance_chart", "label balance over time"),
        ChartEntry("features", f"{_HERE}.curves:features_chart", "features seen and kept"),
        ChartEntry("memory", f"{_HERE}.curves:memory_chart", "bytes held by models"),
        ChartEntry("budgets", f"{_HERE}.error_by_budget:budget_chart", "error by budget", "sweep"),
        ChartEntry("roc", f"{_HERE}.roc:roc_chart", "ROC curve and AUC"),
        ChartEntry("reliability", f"{_HERE}.calibration:reliability_chart", "calibration"),
        ChartEntry(
            "confusion", f"{_HERE}.confusion:confusion_chart", "confusion matrix", "recording"
        ),
        ChartEntry(
            "classes", f"{_HERE}.confusion:classes_chart", "recall and F1 by label", "recording"
        ),
        ChartEntry("mixing", f"{_HERE}.models:mixing_chart", "GLSC's mixing", "recording"),
        ChartEntry("experts", f"{_HERE}.models:experts_chart", "Braid's experts", "recording"),
        ChartEntry("graph", f"{_HERE}.models:edges_chart", "GLSC's graph", "recording"),
        ChartEntry("weights", f"{_HERE}.models:weights_chart", "strongest weights", "recording"),
        ChartEntry(
            "weights by class",
            f"{_HERE}.class_weights:class_weights_chart",
            "strongest weights of each class",
            "recording",
        ),
    ),
)
"""All charts of a report.

Examples
--------
>>> from braided.registry import CHARTS
>>> CHARTS.names()[:2]
['fields', 'observed']
"""
