"""``braided inspect``: what a model file holds."""

from __future__ import annotations

import json
import os
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from braided.learner import Learner

__all__ = ["inspect"]


def inspect(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A file of 'braided train'.")],
    top: Annotated[
        int, typer.Option(min=0, help="How many features are shown for each label.")
    ] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show a model's learner, parameters, size, counts, and the largest weights for each label."""
    from braided.files.model import read

    loaded, notes = read(model)
    facts = _facts(model, loaded, notes)
    weights = list(loaded.weights().items())
    sides = [[w for w in weights if w[1] < 0][:top], [w for w in weights if w[1] > 0][:top]]
    if as_json:
        print(json.dumps({**facts, "weights": sides}, default=str))
    else:
        _show(facts, loaded, sides)


def _facts(path: str, model: Learner, notes: dict[str, str]) -> dict[str, Any]:
    position = notes.get("position")
    return {
        "file": path,
        "file_bytes": os.path.getsize(path),
        "learner": type(model).__name__,
        "params": {name: _writable(value) for name, value in model.get_params().items()},
        "labels": model.classes_.tolist() if model.__sklearn_is_fitted__() else [],
        "rounds": model.rounds,
        "features_seen": model.features_seen,
        "features_kept": model.features_kept,
        "memory_bytes": model.memory_bytes,
        "stream_rows": None if position is None else json.loads(position)[0],
    }


def _writable(value: Any) -> Any:
    return str(value) if value in (float("inf"), float("-inf")) else value


def _show(facts: dict[str, Any], model: Learner, sides: list[list[tuple[Any, float]]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from braided.cli.parsing import as_text

    console = Console()
    table = Table(show_header=False)
    rows = {
        "file": f"{facts['file']}, {facts['file_bytes']} bytes",
        "learner": f"{facts['learner']}: {as_text(model.get_params())}",
        "labels": ", ".join(map(str, facts["labels"])) or "none yet",
        "rounds": str(facts["rounds"]),
        "features seen": str(facts["features_seen"]),
        "features kept": str(facts["features_kept"]),
        "memory": f"{facts['memory_bytes']} bytes",
    }
    if facts["stream_rows"] is not None:
        rows["position"] = f"after row {facts['stream_rows']} of its stream"
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console.print(table)
    if any(sides):
        labels = facts["labels"]
        features = Table()
        for label in (labels[0], labels[-1]):
            features.add_column(Text(f"speaks for {label}"))
            features.add_column("weight", justify="right")
        for pair in zip_longest(*sides, fillvalue=None):
            cells = [(Text(str(w[0])), f"{w[1]:.4g}") if w else ("", "") for w in pair]
            features.add_row(*cells[0], *cells[1])
        console.print(features)
