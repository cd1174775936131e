"""``braided evaluate``: how many mistakes a learner makes on a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from braided.cli.options import (
    LEARNING,
    SHOWING,
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
from braided.registry import DEFAULT

__all__ = ["evaluate"]

REPEATS = 20


def evaluate(
    context: typer.Context,
    data: Annotated[
        str,
        typer.Argument(metavar="DATA", help="A dataset's name, a file, or - for standard input."),
    ],
    learner: Annotated[
        str, typer.Option(help="See 'braided learners'.", rich_help_panel=LEARNING)
    ] = DEFAULT,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter of the learner, as in --set budget=0.1; as often as you like. "
            "budget=1 is one feature, budget=1.0 all of them.",
            rich_help_panel=LEARNING,
        ),
    ] = None,
    many_classes: ManyClasses = None,
    stream: StreamShape = "given",
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
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{REPEATS}, or 1 for the stream given",
            help="Runs, each with the next seed.",
        ),
    ] = None,
    seed: Seed = 0,
    block: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="many",
            help="Rows learned at a time; changes nothing but the speed.",
        ),
    ] = None,
    metrics: Metrics = None,
    every: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="ROUNDS",
            show_default="only in the end",
            help="With --json: after how many rounds the curve has a point each.",
        ),
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            show_default="none",
            help="Learn this share of the rounds, then only predict the others: mistakes are those "
            "of the frozen model.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    html: Html = None,
    budgets: Budgets = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default="none",
            help="Also draw the error over the rounds into a .png, .svg or .pdf.",
            rich_help_panel=SHOWING,
        ),
    ] = None,
) -> None:
    """Predict every row of a stream, then learn it, and count the mistakes."""
    from braided import registry
    from braided.cli import data as given_data
    from braided.cli import html_pages as pages
    from braided.cli import parsing, shapes
    from braided.cli import run_output as results
    from braided.cli.progress import progress_bar
    from braided.errors import InputError
    from braided.evaluate import Contender, Plan, repeated
    from braided.parameters import check_choice
    from braided.streams.offline_scaling import ABSENT, SCALINGS, scaled

    if holdout is not None and (delay or every is not None):
        raise InputError("--holdout freezes the model: it goes with neither --delay nor --every")
    if holdout is not None and budgets is not None:
        raise InputError("--budgets runs all rounds prequentially: it does not go with --holdout")
    chosen = parsing.settings(settings or ())
    figures = metric_names(metrics)
    options = shape_options(context.params)
    # What can be checked without the data is checked first: reading it may take long.
    registry.create(learner, many_classes, **chosen)
    reading = reading_options(context.params)
    make_stream = shapes.maker(stream, options)
    check_choice("--scale", scale, SCALINGS)
    check_choice("--absent", absent, ABSENT)
    pages.check(html, budgets, plot)
    times = repeats or (REPEATS if shapes.shuffles(stream) else 1)

    as_it_comes = stream == "given" and (times, scale, absent) == (1, "none", "unobserved")
    if (
        as_it_comes
        and html is None
        and holdout is None
        and given_data.reader(data, reading) is not None
    ):
        X = y = rounds = None  # a file that is read once need not be held as a whole
        first: Any = given_data.Streamed(data, reading)
    else:
        dataset = given_data.load(data, reading)
        X, y = scaled(dataset.X, scale, absent=absent), dataset.y
        first = make_stream(X, y, seed)
        rounds = times * len(first)
    parameters = registry.create(
        learner, **registry.completed(learner, chosen, seed=seed, delay=delay)
    ).get_params()
    if "seed" not in chosen:
        parameters.pop("seed", None)  # each repeat has its own
    recorder = pages.recorder(html)
    with progress_bar(f"{data}, {learner}", rounds) as progress:
        summary = repeated(
            lambda s: registry.create(
                learner,
                many_classes,
                **registry.completed(learner, chosen, seed=s, delay=delay),
            ),
            lambda s: first if X is None or y is None else make_stream(X, y, s),
            repeats=times,
            seed=seed,
            metrics=figures,
            every=every if html is None else pages.every(html, every, len(first)),
            delay=delay,
            block=block,
            progress=progress,
            holdout_share=holdout,
            observe=recorder,
        )
    tested = next(iter(summary.results.values())).rounds
    run = {
        "data": data,
        "learner": learner,
        "params": parameters,
        "many_classes": many_classes,
        "stream": stream,
        "stream_parameters": dict(first.parameters),
        "scale": scale,
        "absent": "zero" if "zscore" in scale else absent,  # as it was in effect
        "block": block,
        "holdout": holdout,
        "delay": delay,
        "every": every,
        "rounds": tested,
    }
    if as_json:
        results.write_json(run, summary)
    else:
        results.show(run, summary)
    if plot is not None:
        pages.draw_errors(plot, f"{data}, {stream}", {learner: summary}, aside=as_json)
    if html is not None and recorder is not None and X is not None and y is not None:
        contenders = [Contender(learner, chosen)]
        plan = Plan({data: (X, y)}, contenders, stream, options, delay, many_classes=many_classes)
        pages.write_evaluated(
            html, plan, summary, recorder, budgets, pages.Remake(context, seed), as_json
        )
