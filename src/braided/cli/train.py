"""``braided train``: learn a stream, and keep the model."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.on_spark import EngineOptions
from braided.cli.options import Html, LearnerOptions, OutputOptions, ReadingOptions
from braided.cli.options.panels import DATA, OUTPUT
from braided.cli.predictions import PredictionOutput, PredictionWriter
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.cli.ctrl_c import CtrlC
    from braided.cli.data import DataSource
    from braided.cli.learning import Learning
    from braided.learner.learner import Learner
    from braided.model_files import Training

__all__ = ["train"]

DataInTurn = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Names of datasets, or paths of files, learned one after another; - for standard "
        "input.",
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
    checkpoint_seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            show_default="never",
            help="Save model and position when the last checkpoint is so old, also while standard "
            "input is silent.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    go_on: Annotated[
        bool,
        typer.Option(
            "--continue",
            help="Learn on from the model file, in new DATA: with its learner, parameters and "
            "schema.",
            rich_help_panel=OUTPUT,
        ),
    ] = False
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on after a crash, in the same DATA, from the last checkpoint if there is one.",
            rich_help_panel=OUTPUT,
        ),
    ] = False
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite",
            help="Begin anew, and replace the model file if there is one.",
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

    def check(self) -> None:
        """Refuse a file that can not be written, before the first row is read."""
        chosen = [
            flag
            for flag, is_set in (
                ("--continue", self.go_on),
                ("--resume", self.resume),
                ("--overwrite", self.overwrite),
            )
            if is_set
        ]
        if len(chosen) > 1:
            raise InputError(f"{' and '.join(chosen)}: choose one of them")
        folder = os.path.dirname(os.path.realpath(self.model))
        if not os.path.isdir(folder):
            raise InputError(f"--model {self.model}: there is no folder {folder}")
        if not os.access(folder, os.W_OK):
            raise InputError(f"--model {self.model}: the folder {folder} can not be written")
        exists = os.path.exists(self.model)
        if self.go_on and not exists:
            raise InputError(
                f"{self.model} does not exist: leave out --continue to train the first model"
            )
        if exists and not chosen:
            raise InputError(
                f"{self.model} exists already: --continue learns on from it in new data, --resume "
                "goes on after a crash in the same data, --overwrite begins anew"
            )
        if exists:
            _refuse_other_files(self.model)


@dataclass(frozen=True)
class LiveOptions(PredictionOutput):
    """What is done with each row besides learning it."""

    shuffle: Annotated[
        int | None,
        typer.Option(
            metavar="SEED",
            min=0,
            show_default="own order",
            help="Shuffle the rows of each file or dataset by this seed; for data whose order is "
            "not that of time.",
            rich_help_panel=DATA,
        ),
    ] = None

    html: Html = None
    predictions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Predict each row before it is learned, and write the predictions to FILE; - for "
            "standard output.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="Field by which labels find their records: a record without a label is predicted "
            "and remembered, a later one with the same key and a label teaches it.",
            rich_help_panel=DATA,
        ),
    ] = None
    remember: Annotated[
        str | None,
        typer.Option(
            metavar="HOW MANY|HOW LONG",
            show_default="100000",
            help="With --key, how many records are remembered, as in 100000, or how long, as in "
            "90s, 30m, 12h or 7d.",
            rich_help_panel=DATA,
        ),
    ] = None


def train(
    context: typer.Context,
    data: DataInTurn,
    *,
    learner: LearnerOptions,
    reading: ReadingOptions,
    output: ModelOptions,
    live: LiveOptions,
    engine: EngineOptions,
) -> None:
    """Learn every row of a stream once, in its order, and save the model.

    DATA may be the journal of a service: its model is made again, byte for byte; with --learner
    another learner learns what happened. It may be a stream of a broker, as in redis://host/stream,
    learned until Ctrl-C; --continue goes on where that ended.

    A learner without probabilities is calibrated, so that 'braided predict' has them.
    """
    from braided.cli.errors import WARNINGS
    from braided.cli.learning import Learning
    from braided.cli.model_reading import reading_of
    from braided.cli.schema_output import coverage
    from braided.model_files.safetensors import remove_leftovers

    live.check()
    output.check()
    if engine.engine != "local":
        from braided.cli.on_spark import train_on_spark

        _refuse_on_spark(output, live)
        train_on_spark(data, learner, reading, output.model, engine)
        return
    if any("://" in each for each in data):
        from braided.cli.from_broker import train_from_broker

        train_from_broker(data, learner, reading, output, live)
        return
    page = OutputOptions(html=live.html)
    page.check()
    if live.key is not None and output.resume:
        raise InputError(
            "--key and --resume do not go together: --continue goes on, with the records that wait"
        )
    if _remakes(data, learner, output):
        _remake(data[0], output.model)
        return
    training = _training(learner, reading, output)
    remove_leftovers(output.model)
    options = reading_of(training.notes, reading)
    with ExitStack() as stack:
        writer = None
        if live.predictions is not None:
            writer = stack.enter_context(PredictionWriter.to(live, live.predictions))
        ctrl_c = stack.enter_context(_going_on(training, data))
        learning = Learning(training, live, writer, ctrl_c)
        for each in data:
            learning.learn(_opened(each, options, live, learning))
        learning.finish()
    learned = training.model
    # Predictions may go to standard output, which then holds nothing else.
    file = sys.stderr if live.predictions == "-" else sys.stdout
    print(
        f"{output.model}: {learned!r}, {learned.rounds} rows learned, "
        f"{learned.features_seen} features seen, {learned.features_kept} kept",
        file=file,
    )
    if (told := learning.tell_pending()) is not None:
        print(told, file=file)
    if learning.recorded is not None:
        from braided.cli.html_pages import write_model

        write_model(
            page,
            output.model,
            learned,
            context.obj,
            result=learning.recorded.result(),
            features=learning.recorded.features,
            schema=coverage(learned, learning.observed),
            warnings=WARNINGS,
        )


def _refuse_on_spark(output: ModelOptions, live: LiveOptions) -> None:
    """Refuse options of a training that goes row by row in this process."""
    local = {
        "--resume": output.resume,
        "--continue": output.go_on,
        "--html": live.html,
        "--checkpoint": output.checkpoint,
        "--checkpoint-seconds": output.checkpoint_seconds,
        "--predictions": live.predictions,
        "--key": live.key,
        "--shuffle": live.shuffle,
    }
    for flag, value in local.items():
        if value not in (None, False):
            raise InputError(f"{flag} does not go with --engine spark")


def _remakes(data: list[str], learner: LearnerOptions, output: ModelOptions) -> bool:
    """Whether the model of a service's journal is made again, and no other learner trained."""
    from braided.cli.data import is_journal

    if learner.chosen or output.go_on or output.resume:
        return False
    return len(data) == 1 and is_journal(data[0])


def _remake(journal: str, path: str) -> None:
    from braided.live.journal_lines import remade

    model = remade(journal)
    model.save(path)
    learned = model.learner
    print(
        f"{path}: {learned!r}, the model of {journal} after entry {model.sequence}: "
        f"{learned.rounds} rows learned, {learned.features_seen} features seen, "
        f"{learned.features_kept} kept, {len(model.pending)} records wait for their label"
    )


def _opened(
    data: str, options: ReadingOptions, live: LiveOptions, learning: Learning
) -> DataSource:
    if live.shuffle is not None and data == "-":
        raise InputError("--shuffle needs all rows: it is not for standard input")
    source = options.open(
        data,
        keep_unlabelled=learning.keeps_unlabelled,
        schema=learning.schema,
        on_silence=learning.on_silence,
    )
    return replace(source, shuffle=live.shuffle)


def _training(learner: LearnerOptions, reading: ReadingOptions, output: ModelOptions) -> Training:
    """A new training, or the one that the model file goes on with."""
    from braided.cli.model_reading import layout_note, with_declarations
    from braided.compose.calibrated import with_probabilities
    from braided.model_files import Training

    saving: dict[str, Any] = {"every": output.every(), "seconds": output.checkpoint_seconds}
    exists = os.path.exists(output.model)
    fresh = with_probabilities(learner.create())
    if output.go_on or (output.resume and exists):
        begin = Training.go_on if output.go_on else Training.resume
        training = begin(output.model, **saving)
        training.model.allow_any_labels()
        _refuse_other_learner(fresh if learner.chosen else None, training, output.model)
        with_declarations(training.model.schema, reading)
        training.notes |= layout_note(reading)
        return training
    fresh.schema = reading.schema()
    training = Training(fresh, output.model, **saving)
    training.notes |= layout_note(reading)
    return training


def _refuse_other_learner(asked_for: Learner | None, training: Training, path: str) -> None:
    from braided.compose.calibrated import with_probabilities

    model = training.model
    if asked_for is not None and repr(asked_for) != repr(with_probabilities(model)):
        raise InputError(
            f"{path} holds {model!r}, and the options say {asked_for!r}: "
            "a training goes on as it began"
        )


def _refuse_other_files(path: str) -> None:
    """Refuse to touch a file that is no model."""
    from braided.model_files.safetensors import opened

    try:
        with opened(path) as file:
            if "braided" not in file.texts:
                raise InputError("it is no model file")
    except InputError as error:
        raise InputError(f"{path} is not overwritten: {error}") from None


@contextmanager
def _going_on(training: Training, data: list[str]) -> Iterator[CtrlC]:
    """Save a checkpoint when the user stops the training, and say how it goes on."""
    from braided.cli.ctrl_c import CtrlC

    try:
        with CtrlC() as ctrl_c:
            yield ctrl_c
    except KeyboardInterrupt:
        training.save()
        flag = "--continue" if "-" in data else "--resume"
        dropped = ("--continue", "--resume", "--overwrite")
        arguments = [shlex.quote(each) for each in sys.argv[1:] if each not in dropped]
        print(
            f"stopped after {training.position.rows} rows; to go on:\n"
            f"braided {' '.join(arguments)} {flag}",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
