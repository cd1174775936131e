"""check_entry: the checks of whatever an entry of the registry is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from braided.checks.chart import chart_checks
from braided.checks.expert import expert_checks
from braided.checks.format import format_checks
from braided.checks.learner import learner_checks
from braided.checks.metric import metric_checks
from braided.checks.promises import Check, run_all
from braided.checks.shape import shape_checks
from braided.errors import InputError
from braided.registry import (
    ChartEntry,
    ExpertEntry,
    FormatEntry,
    LearnerEntry,
    MetricEntry,
    ShapeEntry,
    resolve,
)

__all__ = ["check_entry", "entry_checks"]


def _of_learner(entry: LearnerEntry) -> list[Check]:
    return learner_checks(resolve(entry.home)(**entry.preset))


_CHECKS: dict[type[Any], Callable[[Any], list[Check]]] = {
    LearnerEntry: _of_learner,
    FormatEntry: format_checks,
    ShapeEntry: shape_checks,
    MetricEntry: metric_checks,
    ExpertEntry: expert_checks,
    ChartEntry: chart_checks,
}


def check_entry(entry: Any, *, skip: Sequence[str] = ()) -> dict[str, str]:
    """Check all promises of a thing by its entry, up to the first that is broken.

    Parameters
    ----------
    entry : LearnerEntry, FormatEntry, ShapeEntry, MetricEntry, ExpertEntry or ChartEntry
        The entry. A learner is checked with its default parameters and those of the entry.
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
    >>> from braided import registry
    >>> from braided.checks import check_entry
    >>> check_entry(registry.METRICS.find("kappa"))["check_metric_is_a_number"]
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
    """
    for kind, checks_of in _CHECKS.items():
        if isinstance(entry, kind):
            return checks_of(entry)
    kinds = ", ".join(kind.__name__ for kind in _CHECKS)
    raise InputError(f"{entry!r} can not be checked: make one of {kinds}")
