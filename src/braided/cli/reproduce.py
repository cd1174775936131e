"""``braided reproduce``: the papers' tables and figures, run again beside what was printed."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from braided.papers import Outcome
    from braided.papers.experiment import Experiment

__all__ = ["reproduce"]

PICTURES, PAGE = Path("reproduction"), Path("reproduction.md")


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help="What to run, as in ofs-table-2; none: list all."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Run everything.")] = False,
    repeats: Annotated[
        int | None, typer.Option(min=1, show_default="the paper's", help="Permutations.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer permutations.")] = False,
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes that share the runs; the figures stay the same.")
    ] = 1,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            show_default=f"{PAGE} with --all, else none",
            help="Write a page, with its pictures in a folder of the same name beside it.",
        ),
    ] = None,
) -> None:
    """Run tables and figures of the papers again, beside what was printed."""
    from braided import papers
    from braided.cli.progress import progress_bar
    from braided.errors import InputError
    from braided.papers.page import page
    from braided.papers.running import count_measurements

    if not names and not everything:
        _list(papers.experiments())
        return
    if names and everything:
        raise InputError("--all runs everything: leave the names out")
    if quick and repeats is not None:
        raise InputError("--quick and --repeats: choose one of them")
    chosen = [papers.find(name) for name in names] if names else papers.experiments()
    named = [] if markdown is None else ["--markdown", str(markdown)]
    if markdown is None and everything:
        markdown = PAGE
    folder = PICTURES if markdown is None else markdown.with_suffix("")
    _check_drawing(chosen, folder)
    outcomes = []
    for experiment in chosen:
        count = repeats or (experiment.quick if quick else experiment.repeats)
        with progress_bar(
            experiment.name, count_measurements(experiment, count), "runs"
        ) as progress:
            outcome = papers.run(experiment, repeats=count, jobs=jobs, progress=progress)
        outcomes.append(outcome)
        _show(outcome, folder)
    if markdown is not None:
        markdown.parent.mkdir(parents=True, exist_ok=True)
        what = ["--all"] if everything else [experiment.name for experiment in chosen]
        how = ["--quick"] if quick else [] if repeats is None else ["--repeats", str(repeats)]
        command = shlex.join(["braided", "reproduce", *what, *how, *named])
        markdown.write_text(page(outcomes, command, folder), encoding="utf-8")
        print(f"written to {markdown}")


def _list(experiments: list[Experiment]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table("name", "in the paper", "what it shows")
    for before, experiment in zip([None, *experiments], experiments, strict=False):
        if before is not None and before.paper != experiment.paper:
            table.add_section()
        table.add_row(*map(Text, (experiment.name, experiment.number, experiment.title)))
    console.print(table)


def _check_drawing(experiments: list[Experiment], folder: Path) -> None:
    """Say at once, not after minutes, that pictures can not be drawn."""
    from braided.papers.experiment import Figure
    from braided.report.image_file import check_picture

    if any(isinstance(experiment, Figure) for experiment in experiments):
        check_picture(folder / "figure.svg")


def _show(outcome: Outcome, folder: Path) -> None:
    from rich.console import Console

    from braided.papers import page
    from braided.papers.experiment import Table
    from braided.papers.verdict import readings

    console = Console(highlight=False)
    experiment = outcome.experiment
    if isinstance(experiment, Table) and outcome.values:
        console.print(_table(outcome))
    elif outcome.values:
        for path in page.draw(outcome, folder):
            print(f"drawn: {path}")
    lines = [f"{experiment.name}: {page.honest_line(outcome)}"]
    for claim, where, places in readings(outcome):
        lines.append(f"“{claim.text}”: in {len(where)} of {places}")
    lines += [line for line in (page.stand_ins_line(outcome), page.skipped_line(outcome)) if line]
    console.print("\n".join(lines), markup=False)


def _table(outcome: Outcome) -> object:
    from rich.table import Table as Shown
    from rich.text import Text

    from braided.papers import page
    from braided.papers.experiment import Table
    from braided.papers.verdict import cells

    table = outcome.experiment
    assert isinstance(table, Table)
    shown = Shown(
        title=f"{table.paper.cited}, {table.number}: {table.title}",
        caption=f"mean ± standard deviation of {outcome.repeats}; sd: how far ours is from the "
        "paper's, in its standard deviations",
    )
    for head in ("", "", "paper", "ours", "sd", ""):
        shown.add_column(head, justify="right" if head else "left")
    for cell in cells(outcome):
        shown.add_row(*map(Text, page.texts(cell, table.digits)))
    return shown
