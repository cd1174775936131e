"""``braided train``: learn a stream, and keep the model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options import (
    LEARNING,
    Categorical,
    Format,
    Ignore,
    LabelColumn,
    ManyClasses,
    Null,
    OnError,
    reading_options,
)
from braided.errors import InputError
from braided.registry import DEFAULT, create

if TYPE_CHECKING:
    from braided.model_files import Training

__all__ = ["train"]


def train(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA",
            help="A dataset's name or a file; several are learned one after another.",
        ),
    ],
    model: Annotated[
        str, typer.Option(metavar="FILE", help="Where the model goes, as in m.braided.")
    ],
    learner: Annotated[
        str | None,
        typer.Option(
            help="See 'braided learners'.", show_default=DEFAULT, rich_help_panel=LEARNING
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter of the learner, as in --set budget=0.1; as often as you like.",
            rich_help_panel=LEARNING,
        ),
    ] = None,
    many_classes: ManyClasses = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="every=ROWS",
            show_default="only at the end",
            help="Keep model and position in the stream after every so many rows.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on where the file of the model stands, if there is one, with the same DATA.",
        ),
    ] = False,
    label: LabelColumn = None,
    ignore: Ignore = None,
    categorical: Categorical = None,
    null: Null = None,
    format: Format = None,
    on_error: OnError = None,
) -> None:
    """Learn every row of a stream once, in its order, and keep the model in a file."""
    from braided.cli import data as given_data
    from braided.model_files.atomic_write import remove_leftovers
    from braided.rows.rows import BLOCK

    reading = reading_options(context.params)
    training = _training(model, learner, many_classes, settings or (), _every(checkpoint), resume)
    remove_leftovers(model)
    start = 0
    for each in data:
        for block in given_data.blocks(each, BLOCK, reading):
            training.learn(block, start=start)
            start += len(block)
    training.finish()
    learned = training.model
    print(
        f"{model}: {type(learned).__name__}, {learned.rounds} rows learned, "
        f"{learned.features_seen} features seen, {learned.features_kept} kept"
    )


def _training(
    path: str,
    name: str | None,
    many_classes: str | None,
    settings: tuple[str, ...] | list[str],
    every: int | None,
    on: bool,
) -> Training:
    from braided.cli.parsing import settings as parsed
    from braided.model_files import Training
    from braided.model_files.safetensors import opened

    chosen = parsed(settings)
    fresh = create(name or DEFAULT, many_classes, **chosen)
    if not os.path.exists(path):
        return Training(fresh, path, every=every)
    if not on:
        try:
            with opened(path) as file:
                if "braided" not in file.texts:
                    raise InputError("it is no model file")
        except InputError as error:
            raise InputError(f"{path} is not overwritten: {error}") from None
        return Training(fresh, path, every=every)
    training = Training.resume(path, every=every)
    if (name or chosen or many_classes) and repr(fresh) != repr(training.model):
        raise InputError(
            f"{path} holds {training.model!r}, and the options say {fresh!r}: "
            "a training goes on as it began"
        )
    return training


def _every(checkpoint: str | None) -> int | None:
    if checkpoint is None:
        return None
    word, _, number = checkpoint.partition("=")
    if word != "every" or not number.isdecimal() or int(number) < 1:
        raise InputError(
            f"--checkpoint {checkpoint!r} is not allowed: write every=ROWS, as in every=10000"
        )
    return int(number)
