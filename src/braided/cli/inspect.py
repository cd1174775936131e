"""``braided inspect``: what a model file holds."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli import schema_output
from braided.cli.options import AsJson, Html, ModelFile, OutputOptions
from braided.cli.options.panels import OUTPUT

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["inspect"]


Top = Annotated[
    int,
    typer.Option(min=0, help="Number of features to show for each label.", rich_help_panel=OUTPUT),
]


def inspect(
    context: typer.Context,
    model: ModelFile,
    *,
    top: Top = 20,
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Show a model's learner, counts, the fields of its data, and the largest weights."""
    from braided.model_files.save_load import read

    output = OutputOptions(as_json, html)
    output.check()
    loaded, notes = read(model)
    facts = _facts(model, loaded, notes)
    fields = schema_output.coverage(loaded, schema_output.observed_note(notes))
    _print(facts, loaded, fields, top, as_json)
    if html is not None:
        from braided.cli.html_pages import write_model

        write_model(output, model, loaded, context.obj, facts=_of_file(facts), schema=fields)


def _print(
    facts: dict[str, Any], loaded: Learner, fields: list[Any], top: int, as_json: bool
) -> None:
    """Print what the file holds."""
    if loaded.weights_by_class:
        by_learner: dict[Any, Any] = loaded.weights()
        classes = [(key, _sides(weights, top)) for key, weights in by_learner.items()]
        shown: list[Any] = [{"label": key, "weights": sides} for key, sides in classes]
    else:
        classes, shown = [], _sides(loaded.weights(), top)
    if as_json:
        schema = schema_output.as_json(fields)
        print(json.dumps({**facts, "schema": schema, "weights": shown}, default=str))
        return
    _show(facts)
    schema_output.show(fields)
    if classes:
        _show_classes(classes)
    elif any(shown):
        _show_sides(facts["labels"], shown)


def _sides(weights: Mapping[Any, float], top: int) -> list[list[tuple[Any, float]]]:
    """The largest weights below zero, and those above it."""
    items = list(weights.items())
    return [[w for w in items if w[1] < 0][:top], [w for w in items if w[1] > 0][:top]]


def _facts(path: str, model: Learner, notes: dict[str, str]) -> dict[str, Any]:
    position = notes.get("position")
    return {
        "file": path,
        "file_bytes": os.path.getsize(path),
        "learner": type(model).__name__,
        "params": {name: _writable(value) for name, value in _parameters(model).items()},
        "labels": model.classes_.tolist() if model.__sklearn_is_fitted__() else [],
        "rounds": model.rounds,
        "features_seen": model.features_seen,
        "features_kept": model.features_kept,
        "memory_bytes": model.memory_bytes,
        "stream_rows": None if position is None else json.loads(position)[0],
    }


def _parameters(model: Learner) -> dict[str, Any]:
    """Those of a learner inside as ``learner__name``; the learner itself by its name."""
    return {
        name: type(value).__name__ if hasattr(value, "get_params") else value
        for name, value in model.get_params().items()
    }


def _writable(value: Any) -> Any:
    return str(value) if value in (float("inf"), float("-inf")) else value


def _show(facts: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from braided.cli.parsing import as_text

    console = Console()
    table = Table(show_header=False)
    of_file = _of_file(facts)
    rows = {
        "file": of_file.pop("file"),
        "learner": f"{facts['learner']}: {as_text(facts['params'])}",
        "labels": ", ".join(map(str, facts["labels"])) or "none yet",
        "rounds": str(facts["rounds"]),
        "features seen": str(facts["features_seen"]),
        "features kept": str(facts["features_kept"]),
        "memory": f"{facts['memory_bytes']} bytes",
        **of_file,
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console.print(table)


def _of_file(facts: dict[str, Any]) -> dict[str, str]:
    """What is known of the file, as texts: its name and size, and the position in its stream."""
    texts = {"file": f"{facts['file']}, {facts['file_bytes']} bytes"}
    if facts["stream_rows"] is not None:
        texts["position"] = f"after row {facts['stream_rows']} of its stream"
    return texts


def _show_sides(labels: list[Any], sides: list[list[tuple[Any, float]]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    features = Table()
    for label in (labels[0], labels[-1]):
        features.add_column(Text(f"speaks for {label}"))
        features.add_column("weight", justify="right")
    for pair in zip_longest(*sides, fillvalue=None):
        cells = [(Text(str(w[0])), f"{w[1]:.4g}") if w else ("", "") for w in pair]
        features.add_row(*cells[0], *cells[1])
    Console().print(features)


def _show_classes(classes: list[tuple[Any, list[list[tuple[Any, float]]]]]) -> None:
    """A line for each learner inside: that of a label, or that of two, which speaks for one."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    features = Table("label", "speaks for it", "speaks against it", show_lines=True)
    for key, (against, for_it) in classes:
        label = f"{key[1]}, not {key[0]}" if isinstance(key, tuple) else str(key)
        cells = [", ".join(f"{n} {w:.3g}" for n, w in side) for side in (for_it, against)]
        features.add_row(Text(label), *map(Text, cells))
    Console().print(features)
