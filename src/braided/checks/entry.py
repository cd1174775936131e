"""check_entry: the checks of whatever an entry of the registry is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from braided.checks.chart import CHART_CHECKS
from braided.checks.expert import expert_checks
from braided.checks.format import FORMAT_CHECKS
from braided.checks.learner import learner_checks
from braided.checks.metric import METRIC_CHECKS
from braided.checks.promises import Check, checks_of, run_all
from braided.checks.shape import SHAPE_CHECKS
from braided.registry import ExpertEntry, LearnerEntry, resolve, table_of

__all__ = ["check_entry", "entry_checks"]

_CHECKS: dict[str, Sequence[Callable[[Any], None]]] = {
    "metric": METRIC_CHECKS,
    "format": FORMAT_CHECKS,
    "stream shape": SHAPE_CHECKS,
    "chart": CHART_CHECKS,
}


def check_entry(entry: Any, *, skip: Sequence[str] = ()) -> dict[str, str]:
    """Check all promises of a thing by its entry, up to the first that is broken.

    Parameters
    ----------
    entry : LearnerEntry, FormatEntry, ShapeEntry, MetricEntry, ExpertEntry or ChartEntry
        The entry. A learner is checked with its default parameters and those of the entry. A format
        needs an example. An expert must be registered, before Braid is first used.
    skip : sequence of str, default ()
        Names of checks to leave out.

    Returns
    -------
    dict
        By the name of each check "held", or "left out" and why.

    Raises
    ------
    BrokenPromiseError
        An AssertionError that says which promise is broken, and on what.

    Examples
    --------
    >>> from braided.checks import check_entry
    >>> from braided.registry import METRICS
    >>> check_entry(METRICS.find("kappa"))["check_metric_is_a_number"]
    'held'
    """
    return run_all(entry_checks(entry), skip)


def entry_checks(entry: Any) -> list[Check]:
    """List the checks of a thing by its entry, for pytest to run each as a test of its own.

    Parameters
    ----------
    entry : LearnerEntry, FormatEntry, ShapeEntry, MetricEntry, ExpertEntry or ChartEntry
        The entry.

    Returns
    -------
    list of Check
        Pairs of name and function.

    Examples
    --------
    >>> from braided.checks import entry_checks
    >>> from braided.registry import METRICS
    >>> [name for name, run in entry_checks(METRICS.find("kappa"))][:2]
    ['check_metric_is_a_number', 'check_metric_does_without_a_label']
    """
    kind = table_of(entry).kind
    if isinstance(entry, LearnerEntry):
        return learner_checks(resolve(entry.home)(**entry.preset))
    if isinstance(entry, ExpertEntry):
        return expert_checks(entry)
    return checks_of(_CHECKS[kind], f"{kind} {entry.name}", entry)
