"""``braided evaluate``: how many mistakes a learner makes on a stream."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import (
    Data,
    EvaluationOptions,
    LearnerOptions,
    OutputOptions,
    ReadingOptions,
    StreamOptions,
)
from braided.cli.options.panels import EVALUATION, OUTPUT
from braided.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.cli.data import DataSource
    from braided.evaluate import Plan, Summary
    from braided.learner.learner import Learner
    from braided.report import Recorder
    from braided.rows.rows import Rows

__all__ = ["evaluate"]


@dataclass(frozen=True)
class RunOptions(EvaluationOptions):
    """How a stream is run, and what is measured."""

    block: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="many",
            help="Number of rows learned at a time; changes nothing but the speed.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    every: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="ROUNDS",
            show_default="only at the end",
            help="With --json, number of rounds between two points of the curve.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    holdout: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            show_default="none",
            help="Share of the rounds to learn; the others are only predicted, and only they are "
            "counted.",
            rich_help_panel=EVALUATION,
        ),
    ] = None


@dataclass(frozen=True)
class RunOutput(OutputOptions):
    """What is printed, drawn and written of a run."""

    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default="none",
            help="Draw the error over the rounds into a .png, .svg or .pdf.",
            rich_help_panel=OUTPUT,
        ),
    ] = None

    def check(self) -> None:
        """Refuse what can not be written, before anything is run."""
        super().check()
        if self.plot is not None:
            from braided.report.image_file import check_picture

            check_picture(self.plot)


@dataclass(frozen=True)
class _Rounds:
    """What all runs learn from: a file that is read once, or rows from which each has a stream."""

    options: StreamOptions
    seed: int
    first: Any
    held: tuple[Rows, NDArray[Any]] | None = None

    def stream(self, seed: int) -> Any:
        """The stream of the run with this seed."""
        if self.held is None or seed == self.seed:
            return self.first
        return self.options.make(*self.held, seed)


def evaluate(
    context: typer.Context,
    data: Data,
    *,
    learner: LearnerOptions,
    stream: StreamOptions,
    reading: ReadingOptions,
    evaluation: RunOptions,
    output: RunOutput,
) -> None:
    """Predict every row of a stream, then learn it, and count the mistakes."""
    from braided.cli import html_pages as pages
    from braided.cli import run_output as results

    # What can be checked without the data is checked first: reading it may take long.
    _check(evaluation, output)
    stream.check()
    first = learner.create(evaluation.seed, evaluation.delay)
    parameters = _parameters(first, learner)
    rounds = _rounds(reading.open(data, keep_unlabelled=True), stream, evaluation, output)
    recorder = pages.recorder(output.html)
    summary = _summary(data, learner, first, rounds, evaluation, recorder)
    if any(result.diverged for result in summary.results.values()):
        results.warn_diverged(learner.name, data)
    run = results.Run(
        data=data,
        learner=learner.name,
        params=parameters,
        many_classes=_many_classes(learner, summary),
        stream=stream.stream,
        stream_parameters=dict(rounds.first.parameters),
        scale=stream.scale,
        absent=stream.absent_in_effect,
        block=evaluation.block,
        holdout=evaluation.holdout,
        delay=evaluation.delay,
        every=evaluation.every,
        rounds=next(iter(summary.results.values())).rounds,
    )
    (results.write_json if output.as_json else results.show)(run, summary)
    if output.plot is not None:
        pages.draw_errors(output, output.plot, f"{data}, {stream.stream}", {learner.name: summary})
    if recorder is not None and rounds.held is not None:
        plan = _plan(data, rounds.held, learner, stream, evaluation)
        remake = pages.Remake(context.obj, evaluation.seed)
        pages.write_evaluated(output, plan, summary, recorder, remake)


def _check(evaluation: RunOptions, output: RunOutput) -> None:
    """Refuse options that do not go together, and those that can not be."""
    if evaluation.holdout is not None and (evaluation.delay or evaluation.every is not None):
        raise InputError("--holdout freezes the model: it goes with neither --delay nor --every")
    if evaluation.holdout is not None and output.budgets is not None:
        raise InputError("--budgets runs all rounds prequentially: it does not go with --holdout")
    evaluation.metric_names()
    output.check()


def _parameters(model: Learner, options: LearnerOptions) -> dict[str, Any]:
    """The parameters of the learner and of what wraps it; a seed only if it was set."""
    parameters = model.get_params(deep=False)
    while "learner" in parameters:
        inside = parameters.pop("learner")
        parameters |= inside.get_params(deep=False)
    if "seed" not in options.parameters():
        parameters.pop("seed", None)  # each repeat has its own
    return parameters


def _many_classes(options: LearnerOptions, summary: Summary) -> str | None:
    """How more than two labels were told apart, if there were any."""
    from braided.evaluate.many_classes import ManyClassesResult

    found = isinstance(next(iter(summary.results.values())), ManyClassesResult)
    return options.many_classes or ("rest" if found else None)


def _rounds(
    source: DataSource, stream: StreamOptions, evaluation: RunOptions, output: RunOutput
) -> _Rounds:
    from braided.cli.data import FileStream

    seed, once = evaluation.seed, evaluation.times(stream.shuffles) == 1
    needs_all = evaluation.holdout is not None or output.html is not None
    if source.reader is not None and stream.as_given and once and not needs_all:
        return _Rounds(stream, seed, FileStream(source))  # need not be held as a whole
    dataset = source.load(shuffled=stream.shuffles)
    held = (stream.scaled(dataset.X), dataset.y)
    return _Rounds(stream, seed, stream.make(*held, seed), held)


def _summary(
    data: str,
    learner: LearnerOptions,
    first: Learner,
    rounds: _Rounds,
    evaluation: RunOptions,
    recorder: Recorder | None,
) -> Summary:
    """Run all repeats; the first one uses the learner that was made for it already."""
    from braided.cli import html_pages as pages
    from braided.cli.progress import progress_bar
    from braided.evaluate import repeated

    times = evaluation.times(rounds.options.shuffles)
    total = None if rounds.held is None else times * len(rounds.first)
    every = evaluation.every
    if recorder is not None:
        every = pages.every(every, len(rounds.first))
    with progress_bar(f"{data}, {learner.name}", total) as progress:
        return repeated(
            lambda s: first if s == evaluation.seed else learner.create(s, evaluation.delay),
            rounds.stream,
            repeats=times,
            seed=evaluation.seed,
            metrics=evaluation.metric_names(),
            every=every,
            delay=evaluation.delay,
            block=evaluation.block,
            progress=progress,
            holdout_share=evaluation.holdout,
            observe=recorder,
        )


def _plan(
    data: str,
    held: tuple[Rows, NDArray[Any]],
    learner: LearnerOptions,
    stream: StreamOptions,
    evaluation: RunOptions,
) -> Plan:
    """The same run as a comparison with one contender: that is what a page is made from."""
    from braided.evaluate import Contender, Plan

    return Plan(
        {data: held},
        [Contender(learner.name, learner.parameters())],
        stream.stream,
        stream.options,
        evaluation.delay,
        many_classes=learner.many_classes,
    )
