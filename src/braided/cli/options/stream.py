"""Options of what is learned from: the shape of a stream, and how its values are taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

__all__ = [
    "SCALING",
    "STREAMING",
    "Absent",
    "Chunks",
    "Delay",
    "Generations",
    "Missing",
    "Overlap",
    "Scale",
    "StreamShape",
    "Vanish",
    "shape_options",
]

STREAMING = "What is learned from"
SCALING = "How its values are taken"

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
Delay = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="ROUNDS",
        help="How late labels come: a row is learned after so many more were predicted.",
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

SHAPE_OPTIONS = ("chunks", "missing", "generations", "overlap", "vanish")


def shape_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the stream's shape among those that a command was given."""
    from braided.cli.parsing import value

    options = {name: given[name] for name in SHAPE_OPTIONS if given[name] is not None}
    if "overlap" in options:
        options["overlap"] = value(options["overlap"])
    return options
