"""``braided evaluate``: how many mistakes a learner makes on a stream."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["evaluate"]

REPEATS = 20
LEARNING = "What learns"
STREAMING = "What it learns from"
SCALING = "How its values are taken"


def evaluate(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA", help="A dataset's name, or an svmlight file (.gz and .bz2 too)."
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
            help="A parameter of the learner, as in --set budget=0.1; as often as you like. "
            "budget=1 is one feature, budget=1.0 all of them.",
            rich_help_panel=LEARNING,
        ),
    ] = None,
    stream: Annotated[
        str,
        typer.Option(
            metavar="SHAPE",
            help="given: as it is; or shuffled, and fixed: nothing is hidden, trapezoidal: "
            "features are added, capricious: rows lose features, evolvable: features are replaced.",
            rich_help_panel=STREAMING,
        ),
    ] = "given",
    chunks: Annotated[
        int | None,
        typer.Option(
            show_default="10",
            help="trapezoidal: in how many steps the features come.",
            rich_help_panel=STREAMING,
        ),
    ] = None,
    missing: Annotated[
        float | None,
        typer.Option(
            show_default="0.5",
            help="capricious: the largest share that a row loses.",
            rich_help_panel=STREAMING,
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            show_default="2",
            help="evolvable: generations of features, one after another.",
            rich_help_panel=STREAMING,
        ),
    ] = None,
    overlap: Annotated[
        str | None,
        typer.Option(
            metavar="SHARE|ROUNDS",
            show_default="0.05",
            help="evolvable: how long two generations are seen together; a float is a share of "
            "a generation's rounds, an int a number of rounds.",
            rich_help_panel=STREAMING,
        ),
    ] = None,
    vanish: Annotated[
        str | None,
        typer.Option(
            metavar="HOW",
            show_default="abrupt",
            help="evolvable: how the old features go, abrupt or gradual.",
            rich_help_panel=STREAMING,
        ),
    ] = None,
    scale: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="none, zscore (each feature), unit (each row) or zscore+unit. zscore looks at the "
            "whole set beforehand, which no real stream allows, and takes absent values as zero: "
            "it is for remaking the tables of papers.",
            rich_help_panel=SCALING,
        ),
    ] = "none",
    absent: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What a value is that the data leaves out: unobserved, or zero.",
            rich_help_panel=SCALING,
        ),
    ] = "unobserved",
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{REPEATS}, or 1 for the stream given",
            help="Runs, each with the next seed.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the first run.")] = 0,
    block: Annotated[
        int, typer.Option(min=1, help="Rows learned at a time; changes nothing but the speed.")
    ] = 1024,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Predict every row of a stream, then learn it, and count the mistakes."""
    from braided import registry
    from braided.cli import data as given_data
    from braided.cli import parsing, results, shapes
    from braided.cli.progress import progress_bar
    from braided.evaluate import repeated
    from braided.parameters import check_choice
    from braided.streams.scaling import ABSENT, SCALINGS, scaled

    chosen = parsing.settings(settings or ())
    options = {
        "chunks": chunks,
        "missing": missing,
        "generations": generations,
        "overlap": None if overlap is None else parsing.value(overlap),
        "vanish": vanish,
    }
    # What can be checked without the data is checked first: reading it may take long.
    model = registry.create(learner, **chosen)
    make_stream = shapes.maker(stream, {k: v for k, v in options.items() if v is not None})
    check_choice("--scale", scale, SCALINGS)
    check_choice("--absent", absent, ABSENT)
    times = repeats or (REPEATS if shapes.shuffles(stream) else 1)

    dataset = given_data.load(data)
    X = scaled(dataset.X, scale, absent=absent)
    first = make_stream(X, dataset.y, seed)
    parameters = model.get_params()
    seeded = "seed" in parameters and "seed" not in chosen
    if seeded:
        del parameters["seed"]
    with progress_bar(f"{data}, {learner}", times * len(first)) as progress:
        summary = repeated(
            lambda s: registry.create(learner, **chosen, **({"seed": s} if seeded else {})),
            lambda s: make_stream(X, dataset.y, s),
            repeats=times,
            seed=seed,
            block=block,
            progress=progress,
        )
    run = {
        "data": data,
        "learner": learner,
        "params": parameters,
        "stream": stream,
        "stream_parameters": dict(first.parameters),
        "scale": scale,
        "absent": "zero" if "zscore" in scale else absent,  # as it was in effect
        "block": block,
        "rounds": len(first),
    }
    if as_json:
        results.write_json(run, summary)
    else:
        results.show(run, summary)
