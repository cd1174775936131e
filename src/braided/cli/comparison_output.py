"""What came out of a comparison: one JSON object, lines of CSV, or tables for people."""

from __future__ import annotations

import csv
import json
import sys
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from braided.cli.options.learner import told_apart
from braided.cli.run_output import left_out, writable
from braided.evaluate import Comparison, Plan
from braided.evaluate.compare import RunMetrics

__all__ = ["show", "write_csv", "write_json"]


def write_json(comparison: Comparison, plan: Plan, *, scale: str, seed: int) -> None:
    """Print one object: what was run, then what came out.

    Parameters
    ----------
    comparison : Comparison
        What came out.
    plan : Plan
        What was run.
    scale : str
        How values were scaled.
    seed : int
        The seed of the first run.
    """
    run: dict[str, Any] = {
        "stream": plan.stream,
        "stream_parameters": plan.options,
        "scale": scale,
        "seed": seed,
        "delay": plan.delay,
        "many_classes": plan.many_classes_in_use,
    }
    cells = [
        {
            "data": data,
            "learner": learner,
            "error_rate_mean": float(comparison.errors(data, learner).mean()),
            "error_rate_std": _spread(comparison, data, learner),
            "p_against_best": comparison.p_value(data, learner, comparison.best(data)),
            "runs": [run._asdict() for run in runs],
        }
        for (data, learner), runs in comparison.runs.items()
    ]
    outcome = {"cells": cells, "average_ranks": comparison.average_ranks()}
    print(json.dumps(writable({**run, **outcome}), allow_nan=False))


def write_csv(comparison: Comparison, plan: Plan, *, seed: int) -> None:
    """Print a line for each run, after a header.

    Parameters
    ----------
    comparison : Comparison
        What came out.
    plan : Plan
        What was run.
    seed : int
        The seed of the first run.
    """
    writer = csv.writer(sys.stdout, lineterminator="\n")
    usual = [name for name in RunMetrics._fields if name != "metrics"]
    more = [name for name in plan.metrics if name not in usual]
    writer.writerow(["data", "learner", "seed", *usual, *more])
    for (data, learner), runs in comparison.runs.items():
        for number, run in enumerate(runs):
            values = [getattr(run, name) for name in usual]
            values += [run.metrics.get(name, "") for name in more]
            writer.writerow([data, learner, seed + number, *values])


def show(comparison: Comparison, plan: Plan) -> None:
    """Print a table, one for each other metric, and who won how often.

    Parameters
    ----------
    comparison : Comparison
        What came out.
    plan : Plan
        What was run.
    """
    console = Console()
    repeats = len(next(iter(comparison.runs.values())))
    console.print(_table(comparison, repeats))
    without = comparison.left_out(plan.metrics)
    for metric in plan.metrics:
        if metric not in ("mistakes", "error_rate", *without):
            console.print(_metric_table(comparison, metric, repeats))
    if plan.many_classes_in_use is not None:
        console.print(f"many classes: {told_apart(plan.many_classes_in_use)}", highlight=False)
    if without:
        console.print(f"left out: {left_out(without, plan.many_classes_in_use)}", highlight=False)
    first, *others = comparison.learners
    for other in others:
        wins, ties, losses = comparison.wins_ties_losses(first, other)
        console.print(
            f"{first} against {other}: {wins} won, {ties} tied, {losses} lost", highlight=False
        )


def _table(comparison: Comparison, repeats: int) -> Table:
    table = Table(
        title=f"Mistakes in % of the rounds, mean ± standard deviation of {repeats}",
        caption="bold: the fewest; °: not significantly more (paired t-test, p >= 0.05)",
    )
    table.add_column("learner")
    for data in comparison.data:
        table.add_column(Text(data), justify="right")
    table.add_column("rank", justify="right")
    ranks = comparison.average_ranks()
    for learner in comparison.learners:
        cells = [_cell(comparison, data, learner) for data in comparison.data]
        table.add_row(Text(learner), *cells, f"{ranks[learner]:.1f}")
    return table


def _metric_table(comparison: Comparison, metric: str, repeats: int) -> Table:
    title = f"{metric.replace('_', ' ')}, mean ± standard deviation of {repeats}"
    table = Table("learner", title=title)
    for data in comparison.data:
        table.add_column(Text(data), justify="right")
    for learner in comparison.learners:
        cells = []
        for data in comparison.data:
            values = comparison.values(metric, data, learner)
            spread = values.std(ddof=1) if values.size > 1 else 0.0
            cells.append(f"{values.mean():.4g} ± {spread:.2g}")
        table.add_row(Text(learner), *cells)
    return table


def _cell(comparison: Comparison, data: str, learner: str) -> str:
    mean = 100 * comparison.errors(data, learner).mean()
    shown = f"{mean:.2f} ± {100 * _spread(comparison, data, learner):.2f}"
    best = comparison.best(data)
    if learner == best:
        return f"[bold]{shown}[/]"
    level = comparison.p_value(data, learner, best) >= 0.05
    return f"{shown}°" if level else shown


def _spread(comparison: Comparison, data: str, learner: str) -> float:
    errors = comparison.errors(data, learner)
    return float(errors.std(ddof=1)) if errors.size > 1 else 0.0
