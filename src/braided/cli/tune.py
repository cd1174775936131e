"""``braided tune``: choose parameters, and say what they are worth elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import (
    LEARNING,
    Absent,
    Categorical,
    Chunks,
    Format,
    Generations,
    Ignore,
    LabelColumn,
    ManyClasses,
    Missing,
    Null,
    OnError,
    Overlap,
    Scale,
    Seed,
    StreamShape,
    Vanish,
    reading_options,
    shape_options,
)

if TYPE_CHECKING:
    from braided.evaluate.tune import Tuned

__all__ = ["tune"]

SHOWN = 10


def tune(
    context: typer.Context,
    data: Annotated[str, typer.Argument(metavar="DATA", help="A dataset's name, or a file.")],
    grid: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES",
            help="Values to try: aggressiveness=1e-4:1e4:log (a value per power of ten), "
            "budget=0.1:1:5 (five values, evenly spaced), variant=I,II. As often as you like.",
            rich_help_panel=LEARNING,
        ),
    ],
    learner: Annotated[
        str, typer.Option(help="See 'braided learners'.", rich_help_panel=LEARNING)
    ] = "olsf",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter that stays the same.",
            rich_help_panel=LEARNING,
        ),
    ] = None,
    many_classes: ManyClasses = None,
    method: Annotated[
        str,
        typer.Option(
            help="prefix: choose by the first rounds, report the rest. permutations: choose by "
            "shuffles under other seeds than those reported."
        ),
    ] = "prefix",
    prefix: Annotated[float, typer.Option(help="The share of the rounds that chooses.")] = 0.2,
    repeats: Annotated[int, typer.Option(min=1, help="permutations: shuffles of either kind.")] = 5,
    stream: StreamShape = "fixed",
    chunks: Chunks = None,
    missing: Missing = None,
    generations: Generations = None,
    overlap: Overlap = None,
    vanish: Vanish = None,
    scale: Scale = "none",
    absent: Absent = "unobserved",
    format: Format = None,
    label: LabelColumn = None,
    ignore: Ignore = None,
    categorical: Categorical = None,
    null: Null = None,
    on_error: OnError = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Choose the parameters with the fewest mistakes, never by the rounds that are reported."""
    from braided import registry
    from braided.cli import data as given_data
    from braided.cli import parsing, shapes
    from braided.cli.progress import progress_bar
    from braided.evaluate.tune import combinations
    from braided.evaluate.tune import tune as choose
    from braided.parameters import check_choice
    from braided.streams.offline_scaling import ABSENT, SCALINGS, scaled

    options = shape_options(context.params)
    reading = reading_options(context.params)
    make_stream = shapes.maker(stream, options)
    check_choice("--scale", scale, SCALINGS)
    check_choice("--absent", absent, ABSENT)
    values = parsing.grid(grid)
    fixed = parsing.settings(settings or ())
    for setting in combinations(values):
        registry.create(learner, many_classes, **{**fixed, **setting})
    dataset = given_data.load(data, reading)
    X = scaled(dataset.X, scale, absent=absent)
    with progress_bar(f"tune {learner}", len(combinations(values)), "settings") as progress:
        tuned = choose(
            learner,
            lambda s: make_stream(X, dataset.y, s),
            values,
            fixed=fixed,
            method=method,
            prefix=prefix,
            repeats=repeats,
            seed=seed,
            many_classes=many_classes,
            progress=progress,
        )
    if as_json:
        _write_json(tuned)
    else:
        _show(tuned, data, learner, _how(tuned, prefix, repeats))


def _how(tuned: Tuned, prefix: float, repeats: int) -> str:
    if tuned.method == "prefix":
        return f"chosen by the first {prefix:.0%} of the rounds, reported on the others"
    return f"chosen by {repeats} shuffles, reported on {repeats} others"


def _write_json(tuned: Tuned) -> None:
    judged = [{"params": s, "error_rate": e} for s, e in tuned.judged]
    facts: dict[str, Any] = {"method": tuned.method, "chosen": tuned.chosen}
    print(json.dumps({**facts, "error_rate": tuned.error_rate, "judged": judged}))


def _show(tuned: Tuned, data: str, learner: str, how: str) -> None:
    from rich.console import Console
    from rich.table import Table

    from braided.cli.parsing import as_text

    table = Table("parameters", title=f"{learner} on {data}: {how}")
    table.add_column("% wrong, choosing", justify="right")
    ordered = sorted(tuned.judged, key=lambda pair: pair[1])
    for setting, error in ordered[:SHOWN]:
        table.add_row(as_text(setting), f"{100 * error:.2f}")
    if len(ordered) > SHOWN:
        table.add_row(f"and {len(ordered) - SHOWN} more", "")
    console = Console()
    console.print(table)
    flags = " ".join(f"--set {as_text({n: v})}" for n, v in tuned.chosen.items())
    console.print(f"Chosen: {flags}", highlight=False)
    console.print(f"Mistakes on rounds that had no say: {100 * tuned.error_rate:.2f} %")
