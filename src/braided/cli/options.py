"""Options that several commands share: what a learner learns from, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = [
    "Absent",
    "Budgets",
    "Chunks",
    "Generations",
    "Html",
    "Missing",
    "Overlap",
    "Scale",
    "Seed",
    "StreamShape",
    "Vanish",
    "shape_options",
]

STREAMING = "What is learned from"
SCALING = "How its values are taken"
SHOWING = "What is drawn"

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
Seed = Annotated[int, typer.Option(min=0, help="Of the first run.")]


def shape_options(
    *,
    chunks: int | None,
    missing: float | None,
    generations: int | None,
    overlap: str | None,
    vanish: str | None,
) -> dict[str, Any]:
    """The options of the stream's shape that were given."""
    from braided.cli.parsing import value

    options = {
        "chunks": chunks,
        "missing": missing,
        "generations": generations,
        "overlap": None if overlap is None else value(overlap),
        "vanish": vanish,
    }
    return {name: option for name, option in options.items() if option is not None}
