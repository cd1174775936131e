"""``braided merge``: one model from models that learned different rows."""

from __future__ import annotations

from typing import Annotated

import typer

from braided.cli.options.panels import DATA, OUTPUT
from braided.errors import InputError

__all__ = ["merge"]

Models = Annotated[
    list[str],
    typer.Argument(
        metavar="MODEL...",
        help="Model files of one learner that learned different rows; parameters and the way to "
        "read data are those of the first.",
        rich_help_panel=DATA,
    ),
]
Output = Annotated[
    str,
    typer.Option(metavar="FILE", help="Where to save the merged model.", rich_help_panel=OUTPUT),
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        show_default="none: they began with nothing",
        help="Model file that all of them went on from; what it has learned then counts once.",
        rich_help_panel=DATA,
    ),
]


def merge(models: Models, *, output: Output, since: Since = None) -> None:
    """Make one model of several that learned different rows, and save it.

    Not as good as one model that learned all rows, but each file can be learned on another machine.
    """
    from braided.cli.model_reading import LAYOUT
    from braided.model_files.save_load import load, read, save

    if len(models) < 2:
        raise InputError("braided merge needs at least two model files")
    first, notes = read(models[0])
    others = [load(path) for path in models[1:]]
    base = None if since is None else load(since)
    merged = first.merge(*others, since=base)
    save(merged, output, {LAYOUT: notes[LAYOUT]} if LAYOUT in notes else {})
    print(
        f"{output}: {merged!r}, {merged.rounds} rows learned by {len(models)} models, "
        f"{merged.features_seen} features seen, {merged.features_kept} kept"
    )
