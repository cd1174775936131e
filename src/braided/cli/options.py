"""Options that several commands share: what a learner learns from, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from braided.parameters import check_choice
from braided.registry import MANY_CLASSES

__all__ = [
    "Absent",
    "Budgets",
    "Categorical",
    "Chunks",
    "Delay",
    "Format",
    "Generations",
    "Html",
    "Ignore",
    "LabelColumn",
    "ManyClasses",
    "Metrics",
    "Missing",
    "Null",
    "OnError",
    "Overlap",
    "Scale",
    "Seed",
    "StreamShape",
    "Vanish",
    "metric_names",
    "reading_options",
    "shape_options",
    "with_joined_values",
]

LEARNING = "What learns"
STREAMING = "What is learned from"
SCALING = "How its values are taken"
SHOWING = "What is drawn"
READING = "How a file is read"

StreamShape = Annotated[
    str,
    typer.Option(
        metavar="SHAPE",
        help="given: as it is; or shuffled, and fixed: nothing is hidden, trapezoidal: "
        "features are added, capricious: rows lose features, evolvable: features are replaced.",
        rich_help_panel=STREAMING,
    ),
]
Chunks = Annotated[
    int | None,
    typer.Option(
        show_default="10",
        help="trapezoidal: in how many steps the features come.",
        rich_help_panel=STREAMING,
    ),
]
Missing = Annotated[
    float | None,
    typer.Option(
        show_default="0.5",
        help="capricious: the largest share that a row loses.",
        rich_help_panel=STREAMING,
    ),
]
Generations = Annotated[
    int | None,
    typer.Option(
        show_default="2",
        help="evolvable: generations of features, one after another.",
        rich_help_panel=STREAMING,
    ),
]
Overlap = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE|ROUNDS",
        show_default="0.05",
        help="evolvable: how long two generations are seen together; a float is a share of "
        "a generation's rounds, an int a number of rounds.",
        rich_help_panel=STREAMING,
    ),
]
Vanish = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        show_default="abrupt",
        help="evolvable: how the old features go, abrupt or gradual.",
        rich_help_panel=STREAMING,
    ),
]
Scale = Annotated[
    str,
    typer.Option(
        metavar="HOW",
        help="none, zscore (each feature), unit (each row) or zscore+unit. zscore looks at the "
        "whole set beforehand, which no real stream allows, and takes absent values as zero: "
        "it is for remaking the tables of papers.",
        rich_help_panel=SCALING,
    ),
]
Absent = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="What a value is that the data leaves out: unobserved, or zero.",
        rich_help_panel=SCALING,
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        show_default="none",
        help="Also write a page with pictures of the stream, the errors and the models. "
        "It is one file, and works offline.",
        rich_help_panel=SHOWING,
    ),
]
Budgets = Annotated[
    str | None,
    typer.Option(
        metavar="B,B,...",
        show_default="none",
        help="With --html: also draw error by budget, as in 0.05,0.1,0.5,1.0 (shares of the "
        "features seen) or 10,100,1000 (numbers of features). Runs every learner that has "
        "a budget anew for each.",
        rich_help_panel=SHOWING,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        metavar="FORMAT",
        show_default="by the file's name",
        help="svmlight, csv, tsv, jsonl, parquet, arrow or vw.",
        rich_help_panel=READING,
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option(
        "--label",
        metavar="COLUMN",
        show_default="label",
        help="The column of labels.",
        rich_help_panel=READING,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="A column that is no feature; as often as you like.",
        rich_help_panel=READING,
    ),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="A column of texts, though they look like numbers; as often as you like.",
        rich_help_panel=READING,
    ),
]
Null = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="csv, tsv: a text that means unobserved, as an empty field does.",
        rich_help_panel=READING,
    ),
]
OnError = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT",
        show_default="fail",
        help="What is done about lines that can not be read: fail, skip, or quarantine FILE, which "
        "writes them and the reasons there.",
        rich_help_panel=READING,
    ),
]


def _allowed(many_classes: str | None) -> str | None:
    if many_classes is not None:
        check_choice("--many-classes", many_classes, tuple(MANY_CLASSES))
    return many_classes


ManyClasses = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        show_default="two labels",
        help="For more than two labels: rest (a learner for each label, against the rest) or one "
        "(a learner for each pair of labels).",
        callback=_allowed,
        rich_help_panel=LEARNING,
    ),
]
READING_OPTIONS = ("format", "label", "ignore", "categorical", "null", "on_error")
SHAPE_OPTIONS = ("chunks", "missing", "generations", "overlap", "vanish")

Seed = Annotated[int, typer.Option(min=0, help="Of the first run.")]

Delay = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="ROUNDS",
        help="How late labels come: a row is learned after so many more were predicted.",
        rich_help_panel=STREAMING,
    ),
]
Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        show_default="none",
        help="More figures: balanced_accuracy, f1, auc, kappa, log_loss (where there are "
        "probabilities), features_observed, sparsity, memory_bytes; or all.",
    ),
]


def metric_names(chosen: str | None) -> tuple[str, ...]:
    """The metrics that were asked for, each once."""
    from braided.evaluate.result import DEFAULT_METRICS, check_metrics

    if chosen is None:
        return ()
    if chosen.strip() == "all":
        return DEFAULT_METRICS
    names = tuple(dict.fromkeys(name.strip().replace("-", "_") for name in chosen.split(",")))
    check_metrics(names)
    return names


def shape_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the stream's shape among those that a command was given."""
    from braided.cli.parsing import value

    options = {name: given[name] for name in SHAPE_OPTIONS if given[name] is not None}
    if "overlap" in options:
        options["overlap"] = value(options["overlap"])
    return options


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of how a file is read, as ``braided.streams.read`` has them."""
    what, _, quarantine = (given["on_error"] or "").partition(" ")
    options = {name: given[name] for name in READING_OPTIONS}
    options |= {"on_error": what, "quarantine": quarantine}
    return {name: option for name, option in options.items() if option}


def with_joined_values(arguments: Sequence[str]) -> list[str]:
    """The same arguments with ``quarantine FILE`` as one value: options take one each.

    Examples
    --------
    >>> with_joined_values(["a.csv", "--on-error", "quarantine", "bad.jsonl", "--json"])
    ['a.csv', '--on-error', 'quarantine bad.jsonl', '--json']
    """
    joined: list[str] = []
    for argument in arguments:
        if joined[-2:] == ["--on-error", "quarantine"]:
            joined[-1] += f" {argument}"
        else:
            joined.append(argument)
    return joined
