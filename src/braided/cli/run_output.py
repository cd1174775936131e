"""The results of a run: one JSON object, or a small table for people."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from braided.cli.options.learner import told_apart
from braided.errors import warn
from braided.registry import METRICS

if TYPE_CHECKING:
    from braided.evaluate import Result, Summary

__all__ = ["Run", "left_out", "show", "writable", "write_json"]

COUNTS = ("mistakes", "features_seen", "features_kept")
FIGURES = ("mistakes", "error_rate", "features_seen", "features_kept", "seconds")
"""What is always reported of each repeat."""


@dataclass(frozen=True)
class Run:
    """What was run, as JSON shows it.

    Parameters
    ----------
    data, learner, stream : str
        Their names.
    params, stream_parameters : dict
        The parameters of learner and stream.
    many_classes : str or None
        How more than two labels are told apart.
    scale, absent : str
        How values were scaled, and what an absent one meant.
    block, every : int or None
        Rows learned at a time, and rounds between points of the curve, if they were chosen.
    holdout : float or None
        The share that was learned before the rounds that count.
    delay : int
        How many rounds late labels came.
    rounds : int
        How many rounds count.
    """

    data: str
    learner: str
    params: dict[str, Any]
    many_classes: str | None
    stream: str
    stream_parameters: dict[str, Any]
    scale: str
    absent: str
    block: int | None
    holdout: float | None
    delay: int
    every: int | None
    rounds: int


def write_json(run: Run, summary: Summary) -> None:
    """Print one object: what was run, then what came out.

    Parameters
    ----------
    run : Run
        What was run.
    summary : Summary
        What came out.
    """
    repeats = [
        {"seed": seed, **_of_repeat(result), **_curve(run, result)}
        for seed, result in summary.results.items()
    ]
    outcome = {
        "repeats": repeats,
        "baselines": {
            name: {
                "mistakes_mean": baseline.mean("mistakes"),
                "error_rate_mean": baseline.mean("error_rate"),
                "error_rate_std": baseline.std("error_rate"),
            }
            for name, baseline in summary.baselines().items()
        },
        "mistakes_mean": summary.mean("mistakes"),
        "mistakes_std": summary.std("mistakes"),
        "error_rate_mean": summary.mean("error_rate"),
    }
    print(json.dumps(writable({**vars(run), **outcome}), allow_nan=False))


def _of_repeat(result: Result) -> dict[str, Any]:
    figures = {name: getattr(result, name) for name in (*FIGURES, "unlabelled", "diverged")}
    return {**result.metric_values, **figures}


def _curve(run: Run, result: Result) -> dict[str, Any]:
    """A point for each snapshot, if they were asked for."""
    if run.every is None:
        return {}
    points: list[dict[str, Any]] = [asdict(point) for point in result.snapshots if point.round]
    rounds = [point["round"] for point in points]
    along = [entry.name for entry in METRICS if entry.of != "result"]
    chosen = [name for name in along if name in result.metric_values or name in FIGURES]
    window = run.every
    for name in chosen:
        so_far, recent = (result.curve(name, w, rounds).tolist() for w in (None, window))
        for point, value, last in zip(points, so_far, recent, strict=True):
            point.update({name: value, f"recent_{name}": last})
    return {"curve": points}


def writable(item: Any) -> Any:
    """Write infinity and NaN as texts: JSON has no numbers for them.

    Parameters
    ----------
    item : Any
        What goes into JSON.

    Returns
    -------
    Any
        The same, with those texts.
    """
    if isinstance(item, dict):
        return {name: writable(part) for name, part in item.items()}
    if isinstance(item, list):
        return [writable(part) for part in item]
    return str(item) if isinstance(item, float) and not math.isfinite(item) else item


def show(run: Run, summary: Summary) -> None:
    """Print a table of means over the repeats.

    Parameters
    ----------
    run : Run
        What was run.
    summary : Summary
        What came out.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from braided.cli.parsing import as_text

    times = len(summary.results)
    table = Table(show_header=False)
    after = "" if run.holdout is None else f" after {run.holdout:.0%} were learned"
    table.add_row("data", Text(f"{run.data}, {run.rounds} rounds{after}"))
    table.add_row("stream", _with(run.stream, as_text(run.stream_parameters)))
    table.add_row("learner", _with(run.learner, as_text(run.params)))
    if run.many_classes:
        table.add_row("many classes", told_apart(run.many_classes))
    if (run.scale, run.absent) != ("none", "unobserved"):
        table.add_row("scale", f"{run.scale}; absent values are {run.absent}")
    if run.delay:
        table.add_row("labels", f"{run.delay} rounds late")
    table.add_row("repeats", "1" if times == 1 else f"{times}: mean ± standard deviation")
    table.add_section()
    results = list(summary.results.values())
    for name in dict.fromkeys((*FIGURES, *results[0].metric_values)):
        places = 0 if times == 1 and name in COUNTS else METRICS.find(name).digits
        table.add_row(name.replace("_", " "), _shown(summary, name, places))
    if results[0].left_out:
        table.add_row("left out", left_out(results[0].left_out, run.many_classes))
    if any(result.unlabelled for result in results):
        table.add_row("rounds without a label", _shown(summary, "unlabelled", 0))
    diverged = sum(result.diverged for result in results)
    if diverged:
        runs = "yes" if times == 1 else f"{diverged} of {times} repeats"
        table.add_row("[bold red]diverged[/]", f"{runs}: scores that are no numbers")
    table.add_section()
    for name, baseline in summary.baselines().items():
        table.add_row(f"error rate of {name}", _shown(baseline, "error_rate", 4))
    Console().print(table)


def warn_diverged(learner: str, data: str) -> None:
    """Warn that a score was not a finite number.

    Parameters
    ----------
    learner : str
        The name of the learner.
    data : str
        The name of the data.
    """
    warn(
        f"{learner} diverged on {data}: a score was not a finite number; try smaller steps, or "
        "values of similar size (--learner scaled+...)"
    )


def left_out(names: Sequence[str], many_classes: str | None) -> str:
    """Say which metrics mean nothing here, and where they would.

    Parameters
    ----------
    names : sequence of str
        The metrics that were left out.
    many_classes : str or None
        How more than two labels are told apart.

    Returns
    -------
    str
        The words.
    """
    means = "for two labels" if many_classes else "for scores that mean probabilities"
    return f"{', '.join(names)}: {means}"


def _shown(summary: Summary, name: str, digits: int) -> str:
    mean = f"{summary.mean(name):.{digits}f}"
    return mean if len(summary.results) == 1 else f"{mean} ± {summary.std(name):.{digits}f}"


def _with(name: str, parameters: str) -> Any:
    from rich.text import Text

    return Text(f"{name}: {parameters}" if parameters else name)
