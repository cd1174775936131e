"""The tables of everything that has a name: learners, formats, shapes, metrics, experts, charts.

Each table has one entry for each thing; help, errors, docs and generic tests are made from them.
To add a thing means its own file and one line here, or ``register`` from another package. Nothing
heavy is imported: entries say where things are, not what they are.
"""

from __future__ import annotations

import warnings
from typing import Any

from braided.errors import InputError
from braided.registry.charts import CHARTS, ChartEntry
from braided.registry.experts import EXPERTS, ExpertEntry
from braided.registry.formats import FORMATS, FormatEntry
from braided.registry.learners import (
    COMPOSITES,
    DEFAULT,
    LEARNERS,
    MANY_CLASSES,
    WRAPPERS,
    LearnerEntry,
    classes,
    completed,
    create,
    parameters,
)
from braided.registry.metrics import METRICS, MetricEntry
from braided.registry.shapes import SHAPES, ShapeEntry, ShapeOption
from braided.registry.table import Table, resolve

__all__ = [
    "CHARTS",
    "COMPOSITES",
    "DEFAULT",
    "EXPERTS",
    "FORMATS",
    "LEARNERS",
    "MANY_CLASSES",
    "METRICS",
    "SHAPES",
    "WRAPPERS",
    "ChartEntry",
    "ExpertEntry",
    "FormatEntry",
    "LearnerEntry",
    "MetricEntry",
    "ShapeEntry",
    "ShapeOption",
    "Table",
    "classes",
    "completed",
    "create",
    "load_plugins",
    "parameters",
    "register",
    "resolve",
    "table_of",
]

PLUGINS = "braided.plugins"
"""The entry point group in which packages name modules that register their things."""

_TABLES: dict[type[Any], Table[Any]] = {
    LearnerEntry: LEARNERS,
    FormatEntry: FORMATS,
    ShapeEntry: SHAPES,
    MetricEntry: METRICS,
    ExpertEntry: EXPERTS,
    ChartEntry: CHARTS,
}


def register(entry: Any) -> None:
    """Add a learner, format, stream shape, metric, expert of Braid or chart from another package.

    Parameters
    ----------
    entry : LearnerEntry, FormatEntry, ShapeEntry, MetricEntry, ExpertEntry or ChartEntry
        What is added; it goes into the table of its kind.

    Raises
    ------
    InputError
        If the name is taken.

    Examples
    --------
    >>> from braided.registry import METRICS, MetricEntry
    >>> def largest_score(signs, scores):
    ...     return abs(scores).max()
    >>> register(MetricEntry("largest_score", largest_score, "largest score in magnitude"))
    >>> "largest_score" in METRICS
    True
    >>> METRICS.remove("largest_score")
    """
    table_of(entry).register(entry)


def table_of(entry: Any) -> Table[Any]:
    """Return the table that an entry belongs to.

    Parameters
    ----------
    entry : LearnerEntry, FormatEntry, ShapeEntry, MetricEntry, ExpertEntry or ChartEntry
        The entry.

    Returns
    -------
    Table
        The table of its kind.

    Examples
    --------
    >>> from braided.registry import METRICS
    >>> table_of(METRICS.find("auc")) is METRICS
    True
    """
    for kind, table in _TABLES.items():
        if isinstance(entry, kind):
            return table
    kinds = ", ".join(kind.__name__ for kind in _TABLES)
    raise InputError(f"{entry!r} is no entry of a table: make one of {kinds}")


def load_plugins() -> None:
    """Import the modules that installed packages name under ``braided.plugins``.

    One that can not be imported is left out, with a warning.

    Examples
    --------
    >>> load_plugins()
    """
    from importlib.metadata import entry_points

    for plugin in entry_points(group=PLUGINS):
        try:
            plugin.load()
        except Exception as error:  # whatever a stranger's module may raise
            warnings.warn(f"plugin {plugin.name} is left out: {error!r}", stacklevel=2)
