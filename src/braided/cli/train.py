"""``braided train``: learn a stream, and keep the model."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options import LearnerOptions, ReadingOptions
from braided.cli.options.panels import DATA, OUTPUT
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.learner.learner import Learner
    from braided.model_files import Training

__all__ = ["train"]

DataInTurn = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Names of datasets, or paths of files, learned one after another.",
        rich_help_panel=DATA,
    ),
]


@dataclass(frozen=True)
class ModelOptions:
    """Where the model goes, and how often it is saved."""

    model: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Where to save the model, as in m.braided.", rich_help_panel=OUTPUT
        ),
    ]
    checkpoint: Annotated[
        str | None,
        typer.Option(
            metavar="every=ROWS",
            show_default="only at the end",
            help="Save model and position in the stream after every so many rows.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Continue from the model file, if there is one; give the same DATA again.",
            rich_help_panel=OUTPUT,
        ),
    ] = False

    def every(self) -> int | None:
        """Read after how many rows the model is saved.

        Returns
        -------
        int or None
            None: only at the end.

        Raises
        ------
        InputError
            If it is not ``every=ROWS``.
        """
        if self.checkpoint is None:
            return None
        word, _, number = self.checkpoint.partition("=")
        if word != "every" or not number.isdecimal() or int(number) < 1:
            raise InputError(
                f"--checkpoint {self.checkpoint!r} is not allowed: write every=ROWS, "
                "as in every=10000"
            )
        return int(number)


def train(
    data: DataInTurn,
    *,
    learner: LearnerOptions,
    reading: ReadingOptions,
    output: ModelOptions,
) -> None:
    """Learn every row of a stream once, in its order, and save the model."""
    from braided.model_files.safetensors import remove_leftovers
    from braided.rows.rows import BLOCK

    training = _training(learner, output)
    remove_leftovers(output.model)
    start = 0
    for each in data:
        for block in reading.open(each).blocks(BLOCK):
            training.learn(block, start=start)
            start += len(block)
    training.finish()
    learned = training.model
    print(
        f"{output.model}: {type(learned).__name__}, {learned.rounds} rows learned, "
        f"{learned.features_seen} features seen, {learned.features_kept} kept"
    )


def _training(learner: LearnerOptions, output: ModelOptions) -> Training:
    """A new training, or the one that the model file goes on with."""
    from braided.model_files import Training

    every, fresh = output.every(), learner.create()
    if os.path.exists(output.model) and output.resume:
        return _resumed(fresh if learner.chosen else None, output.model, every)
    if os.path.exists(output.model):
        _refuse_overwriting(output.model)
    return Training(fresh, output.model, every=every)


def _resumed(asked_for: Learner | None, path: str, every: int | None) -> Training:
    from braided.model_files import Training

    training = Training.resume(path, every=every)
    training.model.allow_any_labels()
    if asked_for is not None and repr(asked_for) != repr(training.model):
        raise InputError(
            f"{path} holds {training.model!r}, and the options say {asked_for!r}: "
            "a training goes on as it began"
        )
    return training


def _refuse_overwriting(path: str) -> None:
    """Refuse to overwrite a file that is no model."""
    from braided.model_files.safetensors import opened

    try:
        with opened(path) as file:
            if "braided" not in file.texts:
                raise InputError("it is no model file")
    except InputError as error:
        raise InputError(f"{path} is not overwritten: {error}") from None
