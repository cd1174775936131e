"""``braided compare``: several learners on several datasets, with what is significant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import (
    EvaluationOptions,
    Jobs,
    ManyClasses,
    OutputOptions,
    ReadingOptions,
    SeveralData,
    StreamOptions,
)
from braided.cli.options.expand import HelpFrom
from braided.cli.options.learner import create_from_flags, learner_names
from braided.cli.options.panels import LEARNER, OUTPUT
from braided.errors import InputError
from braided.registry import DEFAULT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from braided.evaluate import Contender
    from braided.rows.rows import Rows

__all__ = ["compare"]

SHUFFLED = StreamOptions(stream="fixed")


def _learners() -> str:
    return (
        f"Learners to compare: {learner_names()}. Parameters follow after colons, as in "
        "olsf-i:budget=0.1:radius=30."
    )


@dataclass(frozen=True)
class ContenderOptions:
    """Which learners are compared."""

    learners: Annotated[
        str,
        typer.Option(metavar="A,B,...", rich_help_panel=LEARNER),
        HelpFrom(_learners),
    ] = "olsf-i,olsf-ii"
    braid: Annotated[
        bool,
        typer.Option(
            help="Add braid, which needs no tuning, if it is not among them.",
            rich_help_panel=LEARNER,
        ),
    ] = True
    many_classes: ManyClasses = None

    def contenders(self) -> list[Contender]:
        """Read the learners and their parameters, and make each once to see that it can be.

        Returns
        -------
        list of Contender
            The learners, in order.

        Raises
        ------
        InputError
            If there is no such learner, or a parameter is not allowed.
        """
        contenders = [self._contender(text.strip()) for text in self.learners.split(",")]
        if self.braid and all(contender.name != DEFAULT for contender in contenders):
            contenders.append(self._contender(DEFAULT))
        return contenders

    def _contender(self, text: str) -> Contender:
        from braided.cli.parsing import settings
        from braided.evaluate import Contender

        name, *given = text.split(":")
        parameters = settings(given, f"--learners {text}:")
        flags = dict.fromkeys(parameters, f"--learners {text}:")
        create_from_flags(name, self.many_classes, parameters, flags)
        return Contender(name, parameters)


@dataclass(frozen=True)
class ComparisonOutput(OutputOptions):
    """What is printed and written of a comparison."""

    as_csv: Annotated[
        bool,
        typer.Option("--csv", help="Print one line of CSV for each run.", rich_help_panel=OUTPUT),
    ] = False

    @property
    def for_programs(self) -> bool:
        """Whether a program reads stdout."""
        return self.as_json or self.as_csv

    def check(self) -> None:
        """Refuse what can not be printed or written, before anything is run."""
        if self.as_json and self.as_csv:
            raise InputError("--json and --csv: choose one of them")
        super().check()


def compare(
    context: typer.Context,
    data: SeveralData,
    *,
    learner: ContenderOptions,
    stream: StreamOptions = SHUFFLED,
    reading: ReadingOptions,
    evaluation: EvaluationOptions,
    jobs: Jobs = 1,
    output: ComparisonOutput,
) -> None:
    """Compare learners: mean and spread, paired t-tests, wins and losses, ranks."""
    from braided import evaluate
    from braided.cli import comparison_output as compared
    from braided.cli.html_pages import Remake, write_compared
    from braided.cli.progress import progress_bar
    from braided.cli.run_output import warn_diverged

    output.check()
    stream.check()
    contenders = learner.contenders()
    metrics = evaluation.metric_names()
    plan = evaluate.Plan(
        _sets(data, reading, stream, evaluation.seed),
        contenders,
        stream.stream,
        stream.options,
        evaluation.delay,
        metrics,
        learner.many_classes,
    )
    repeats = evaluation.times(True) if stream.shuffles else 1
    with progress_bar("compare", len(data) * len(contenders) * repeats, "runs") as progress:
        comparison = evaluate.compare(
            plan, repeats=repeats, seed=evaluation.seed, jobs=jobs, progress=progress
        )
    for name, label in comparison.diverged:
        warn_diverged(label, name)
    if output.as_json:
        compared.write_json(comparison, plan, scale=stream.scale, seed=evaluation.seed)
    elif output.as_csv:
        compared.write_csv(comparison, plan, seed=evaluation.seed)
    else:
        compared.show(comparison, plan)
    if output.html is not None:
        write_compared(output, plan, comparison, Remake(context.obj, evaluation.seed))


def _sets(
    data: list[str], reading: ReadingOptions, stream: StreamOptions, seed: int
) -> dict[str, tuple[Rows, NDArray[Any]]]:
    """The rows and labels of all datasets, scaled."""
    sets = {}
    for name in data:
        dataset = reading.open(name, keep_unlabelled=True).load()
        sets[name] = (stream.scaled(dataset.X), dataset.y)
        stream.make(*sets[name], seed)  # an option that does not fit this set is told at once
    return sets
