"""The results of a run: one JSON object, or a small table for people."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.evaluate import Summary

__all__ = ["show", "write_json"]

COUNTS = ("mistakes", "features_seen", "features_kept")
# What is reported of each repeat, and with how many digits people see it.
FIGURES = {"mistakes": 1, "error_rate": 4, "features_seen": 1, "features_kept": 1, "seconds": 3}


def write_json(run: dict[str, Any], summary: Summary) -> None:
    """One object on stdout: what was run, then what came out."""
    repeats = [
        {"seed": seed, **{name: getattr(result, name) for name in FIGURES}}
        for seed, result in summary.results.items()
    ]
    outcome = {
        "repeats": repeats,
        "mistakes_mean": summary.mean("mistakes"),
        "mistakes_std": summary.std("mistakes"),
        "error_rate_mean": summary.mean("error_rate"),
    }
    print(json.dumps(_writable({**run, **outcome}), allow_nan=False))


def _writable(item: Any) -> Any:
    """The same with infinity as a text: JSON has no number for it."""
    if isinstance(item, dict):
        return {name: _writable(part) for name, part in item.items()}
    if isinstance(item, list):
        return [_writable(part) for part in item]
    return str(item) if isinstance(item, float) and not math.isfinite(item) else item


def show(run: dict[str, Any], summary: Summary) -> None:
    """A table of means over the repeats."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from braided.cli.parsing import as_text

    times = len(summary.results)
    table = Table(show_header=False)
    after = "" if run["holdout"] is None else f" after {run['holdout']:.0%} were learned"
    table.add_row("data", Text(f"{run['data']}, {run['rounds']} rounds{after}"))
    table.add_row("stream", _with(run["stream"], as_text(run["stream_parameters"])))
    table.add_row("learner", _with(run["learner"], as_text(run["params"])))
    if (run["scale"], run["absent"]) != ("none", "unobserved"):
        table.add_row("scale", f"{run['scale']}; absent values are {run['absent']}")
    table.add_row("repeats", "1" if times == 1 else f"{times}: mean ± standard deviation")
    table.add_section()
    for name, digits in FIGURES.items():
        if times == 1:
            shown = f"{summary.mean(name):.{0 if name in COUNTS else digits}f}"
        else:
            shown = f"{summary.mean(name):.{digits}f} ± {summary.std(name):.{digits}f}"
        table.add_row(name.replace("_", " "), shown)
    Console().print(table)


def _with(name: str, parameters: str) -> Any:
    from rich.text import Text

    return Text(f"{name}: {parameters}" if parameters else name)
