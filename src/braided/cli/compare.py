"""``braided compare``: several learners on several sets, with what is significant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import (
    LEARNING,
    Absent,
    Budgets,
    Categorical,
    Chunks,
    Delay,
    Format,
    Generations,
    Html,
    Ignore,
    LabelColumn,
    ManyClasses,
    Metrics,
    Missing,
    Null,
    OnError,
    Overlap,
    Scale,
    Seed,
    StreamShape,
    Vanish,
    metric_names,
    reading_options,
    shape_options,
)

if TYPE_CHECKING:
    from rich.table import Table

    from braided.evaluate import Comparison

__all__ = ["compare"]

REPEATS = 20


def compare(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(metavar="DATA...", help="Datasets' names, or files."),
    ],
    learners: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            help="Names from 'braided learners'; parameters follow after colons, "
            "as in olsf-i:budget=0.1:radius=30.",
            rich_help_panel=LEARNING,
        ),
    ] = "olsf-i,olsf-ii",
    braid: Annotated[
        bool,
        typer.Option(
            help="Add braid, which needs no tuning, if it is not among them.",
            rich_help_panel=LEARNING,
        ),
    ] = True,
    many_classes: ManyClasses = None,
    stream: StreamShape = "fixed",
    chunks: Chunks = None,
    missing: Missing = None,
    generations: Generations = None,
    overlap: Overlap = None,
    vanish: Vanish = None,
    delay: Delay = 0,
    scale: Scale = "none",
    absent: Absent = "unobserved",
    format: Format = None,
    label: LabelColumn = None,
    ignore: Ignore = None,
    categorical: Categorical = None,
    null: Null = None,
    on_error: OnError = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs, each with the next seed.")] = REPEATS,
    seed: Seed = 0,
    metrics: Metrics = None,
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes that share the runs; the figures stay the same.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print one line of CSV for each run.")
    ] = False,
    html: Html = None,
    budgets: Budgets = None,
) -> None:
    """Compare learners: mean and spread, paired t-tests, wins and losses, ranks."""
    from braided import evaluate, registry
    from braided.cli import data as given_data
    from braided.cli import pages, shapes
    from braided.cli.progress import progress_bar
    from braided.cli.results import writable
    from braided.errors import InputError
    from braided.parameters import check_choice
    from braided.streams.scaling import ABSENT, SCALINGS, scaled

    if as_json and as_csv:
        raise InputError("--json and --csv: choose one of them")
    pages.check(html, budgets)
    options = shape_options(context.params)
    reading = reading_options(context.params)
    make_stream = shapes.maker(stream, options)
    chosen = metric_names(metrics)
    check_choice("--scale", scale, SCALINGS)
    check_choice("--absent", absent, ABSENT)
    contenders = [_contender(text) for text in learners.split(",")]
    if braid and all(contender.name != registry.DEFAULT for contender in contenders):
        contenders.append(_contender(registry.DEFAULT))
    for contender in contenders:
        registry.create(contender.name, many_classes, **contender.parameters)
    if not shapes.shuffles(stream):
        repeats = 1
    sets = {}
    for name in data:
        dataset = given_data.load(name, reading)
        sets[name] = (scaled(dataset.X, scale, absent=absent), dataset.y)
        make_stream(*sets[name], seed)  # an option that does not fit this set is told at once
    plan = evaluate.Plan(sets, contenders, stream, options, delay, chosen, many_classes)
    with progress_bar("compare", len(sets) * len(contenders) * repeats, "runs") as progress:
        comparison = evaluate.compare(
            plan, repeats=repeats, seed=seed, jobs=jobs, progress=progress
        )
    if as_json:
        run = {
            "stream": stream,
            "stream_parameters": options,
            "scale": scale,
            "seed": seed,
            "delay": delay,
            "many_classes": many_classes,
        }
        print(json.dumps(writable({**run, **_as_json(comparison)}), allow_nan=False))
    elif as_csv:
        _write_csv(comparison, seed, chosen)
    else:
        _show(comparison, repeats, chosen, many_classes)
    if html is not None:
        aside = as_json or as_csv
        pages.write_compared(html, plan, comparison, budgets, pages.Remake(context, seed), aside)


def _contender(text: str) -> Any:
    from braided.cli.parsing import settings
    from braided.evaluate import Contender

    name, *parameters = text.strip().split(":")
    return Contender(name, settings(parameters))


def _as_json(comparison: Comparison) -> dict[str, Any]:
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
    return {"cells": cells, "average_ranks": comparison.average_ranks()}


def _write_csv(comparison: Comparison, seed: int, metrics: tuple[str, ...]) -> None:
    import csv
    import sys

    from braided.evaluate.compare import Figures

    writer = csv.writer(sys.stdout, lineterminator="\n")
    usual = [name for name in Figures._fields if name != "metrics"]
    more = [name for name in metrics if name not in usual]
    writer.writerow(["data", "learner", "seed", *usual, *more])
    for (data, learner), runs in comparison.runs.items():
        for number, run in enumerate(runs):
            values = [getattr(run, name) for name in usual]
            values += [run.metrics.get(name, "") for name in more]
            writer.writerow([data, learner, seed + number, *values])


def _show(
    comparison: Comparison, repeats: int, metrics: tuple[str, ...], many_classes: str | None
) -> None:
    from rich.console import Console

    from braided.cli.results import EACH, left_out

    console = Console()
    console.print(_table(comparison, repeats))
    without = comparison.left_out(metrics)
    for metric in metrics:
        if metric not in ("mistakes", "error_rate", *without):
            console.print(_metric_table(comparison, metric, repeats))
    if many_classes is not None:
        console.print(f"many classes: {EACH[many_classes]}", highlight=False)
    if without:
        console.print(f"left out: {left_out(without, many_classes)}", highlight=False)
    for data, learner in comparison.diverged:
        console.print(
            f"{learner} diverged on {data}: a score was not a finite number", highlight=False
        )
    first, *others = comparison.learners
    for other in others:
        wins, ties, losses = comparison.wins_ties_losses(first, other)
        console.print(
            f"{first} against {other}: {wins} won, {ties} tied, {losses} lost", highlight=False
        )


def _table(comparison: Comparison, repeats: int) -> Table:
    from rich.table import Table
    from rich.text import Text

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
    from rich.table import Table
    from rich.text import Text

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
