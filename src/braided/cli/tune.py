"""``braided tune``: choose parameters, and say what they are worth elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from braided.cli.options import (
    AsJson,
    Data,
    LearnerOptions,
    ReadingOptions,
    Seed,
    StreamOptions,
)
from braided.cli.options.learner import create_from_flags
from braided.cli.options.panels import EVALUATION, LEARNER

if TYPE_CHECKING:
    from braided.cli.parsing import Value
    from braided.evaluate.tune import Tuned

__all__ = ["tune"]

SHOWN = 10
SHUFFLED = StreamOptions(stream="fixed")
OLSF = LearnerOptions(learner="olsf")

Grid = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=VALUES",
        help="Values to try, of one parameter (repeatable): variant=I,II, budget=0.1:1:5 (five "
        "values, evenly spaced) or aggressiveness=1e-4:1e4:log (a value per power of ten).",
        rich_help_panel=LEARNER,
    ),
]


@dataclass(frozen=True)
class ChoiceOptions:
    """How parameters are chosen."""

    method: Annotated[
        str | None,
        typer.Option(
            metavar="METHOD",
            show_default="prefix, or folds with --folds",
            help="prefix: choose by the first rounds, report the error on the others. "
            "permutations: choose by shuffles with other seeds than those reported. "
            "folds: choose by k-fold cross-validation, report the error on other shuffles.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    prefix: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="Share of the rounds that chooses, from 0 to 1; for prefix.",
            rich_help_panel=EVALUATION,
        ),
    ] = 0.2
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            help="Number of shuffles that choose (permutations), and of those reported "
            "(permutations and folds).",
            rich_help_panel=EVALUATION,
        ),
    ] = 5
    folds: Annotated[
        int | None,
        typer.Option(
            min=2,
            show_default="5",
            help="Number of folds of a cross-validation; for folds.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    seed: Seed = 0


def tune(
    data: Data,
    *,
    grid: Grid,
    learner: LearnerOptions = OLSF,
    stream: StreamOptions = SHUFFLED,
    reading: ReadingOptions,
    choice: ChoiceOptions,
    as_json: AsJson = False,
) -> None:
    """Choose the parameters with the fewest mistakes, never by the rounds that are reported."""
    from braided.cli.parsing import grid as parsed
    from braided.cli.progress import progress_bar
    from braided.evaluate.tune import tune as choose

    stream.check()
    values = parsed(grid)
    count = _checked(learner, values)
    dataset = reading.open(data).load()
    X = stream.scaled(dataset.X)
    with progress_bar(f"tune {learner.name}", count, "settings") as progress:
        tuned = choose(
            learner.name,
            lambda s: stream.make(X, dataset.y, s),
            values,
            fixed=learner.parameters(),
            method=choice.method,
            prefix=choice.prefix,
            repeats=choice.repeats,
            folds=choice.folds,
            seed=choice.seed,
            many_classes=learner.many_classes,
            progress=progress,
        )
    if as_json:
        _write_json(tuned)
    else:
        _show(tuned, data, learner.name, choice)


def _checked(learner: LearnerOptions, grid: dict[str, list[Value]]) -> int:
    """How many settings there are; each is made once, to refuse it before anything is read."""
    from braided.evaluate.tune import combinations

    fixed, settings = learner.parameters(), combinations(grid)
    flags = {**dict.fromkeys(fixed, "--set"), **dict.fromkeys(grid, "--grid")}
    for setting in settings:
        create_from_flags(learner.name, learner.many_classes, {**fixed, **setting}, flags)
    return len(settings)


def _write_json(tuned: Tuned) -> None:
    judged = [{"params": s, "error_rate": e} for s, e in tuned.judged]
    facts: dict[str, Any] = {"method": tuned.method, "chosen": tuned.chosen}
    print(json.dumps({**facts, "error_rate": tuned.error_rate, "judged": judged}))


def _show(tuned: Tuned, data: str, learner: str, choice: ChoiceOptions) -> None:
    from rich.console import Console
    from rich.table import Table

    from braided.cli.parsing import as_text

    table = Table("parameters", title=f"{learner} on {data}: {_how(tuned.method, choice)}")
    table.add_column("% wrong, choosing", justify="right")
    ordered = sorted(tuned.judged, key=lambda pair: pair[1])
    for setting, error in ordered[:SHOWN]:
        table.add_row(as_text(setting), f"{100 * error:.2f}")
    if len(ordered) > SHOWN:
        table.add_row(f"and {len(ordered) - SHOWN} more", "")
    console = Console()
    console.print(table)
    flags = " ".join(f"--set {as_text({n: v})}" for n, v in tuned.chosen.items())
    console.print(f"Chosen: {flags}", highlight=False)
    console.print(f"Mistakes on rounds that had no say: {100 * tuned.error_rate:.2f} %")


def _how(method: str, choice: ChoiceOptions) -> str:
    from braided.evaluate.tune import FOLDS

    if method == "prefix":
        return f"chosen by the first {choice.prefix:.0%} of the rounds, reported on the others"
    if method == "folds":
        folds = choice.folds or FOLDS
        return f"chosen by {folds}-fold cross-validation, reported on {choice.repeats} shuffles"
    return f"chosen by {choice.repeats} shuffles, reported on {choice.repeats} others"
