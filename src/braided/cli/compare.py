"""``braided compare``: several learners on several sets, with what is significant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

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
    Unlabelled,
    Vanish,
    metric_names,
    reading_options,
    shape_options,
)

if TYPE_CHECKING:
    from braided.evaluate import Contender

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
    unlabelled: Unlabelled = False,
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
    from braided.cli import comparison_output as compared
    from braided.cli import data as given_data
    from braided.cli import html_pages as pages
    from braided.cli import shapes
    from braided.cli.progress import progress_bar
    from braided.errors import InputError
    from braided.parameters import check_choice
    from braided.streams.offline_scaling import ABSENT, SCALINGS, scaled

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
        compared.write_json(run, comparison)
    elif as_csv:
        compared.write_csv(comparison, seed, chosen)
    else:
        compared.show(comparison, repeats, chosen, many_classes)
    if html is not None:
        aside = as_json or as_csv
        pages.write_compared(html, plan, comparison, budgets, pages.Remake(context, seed), aside)


def _contender(text: str) -> Contender:
    from braided.cli.parsing import settings
    from braided.evaluate import Contender

    name, *parameters = text.strip().split(":")
    return Contender(name, settings(parameters))
