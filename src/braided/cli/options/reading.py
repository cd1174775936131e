"""Options of how a file is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

__all__ = [
    "READING",
    "Categorical",
    "Format",
    "Ignore",
    "LabelColumn",
    "Null",
    "OnError",
    "Unlabelled",
    "reading_options",
    "with_joined_values",
]

READING = "How a file is read"

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

Unlabelled = Annotated[
    bool,
    typer.Option(
        "--unlabelled",
        help="Rows may come without a label: they are predicted, but not learned or counted.",
        rich_help_panel=READING,
    ),
]

READING_OPTIONS = ("format", "label", "ignore", "categorical", "null", "on_error")


def reading_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of how a file is read, as ``braided.streams.read`` has them."""
    what, _, quarantine = (given["on_error"] or "").partition(" ")
    options = {name: given[name] for name in READING_OPTIONS}
    options |= {"on_error": what, "quarantine": quarantine}
    chosen = {name: option for name, option in options.items() if option}
    return {**chosen, "labelled": False} if given.get("unlabelled") else chosen


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
