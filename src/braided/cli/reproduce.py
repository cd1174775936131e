"""``braided reproduce``: the papers' tables and figures, run again beside what was printed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from braided.cli.options import Jobs
from braided.cli.options.panels import DATA, EVALUATION, OUTPUT
from braided.errors import InputError

if TYPE_CHECKING:
    from braided.papers import Outcome
    from braided.papers.experiment import Experiment

__all__ = ["reproduce"]

PICTURES, PAGE = Path("reproduction"), Path("reproduction.md")


Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME",
        help="Tables and figures to run, as in ofs-table-2; none: list all.",
        rich_help_panel=DATA,
    ),
]


@dataclass(frozen=True)
class ReproductionOptions:
    """How often experiments are run."""

    everything: Annotated[
        bool, typer.Option("--all", help="Run everything.", rich_help_panel=EVALUATION)
    ] = False
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default="the paper's",
            help="Number of permutations.",
            rich_help_panel=EVALUATION,
        ),
    ] = None
    quick: Annotated[
        bool, typer.Option("--quick", help="Run fewer permutations.", rich_help_panel=EVALUATION)
    ] = False
    jobs: Jobs = 1

    def experiments(self, names: list[str] | None) -> list[Experiment]:
        """Find what to run.

        Parameters
        ----------
        names : list of str or None
            The names that were given.

        Returns
        -------
        list of Experiment
            All of them with ``--all``.

        Raises
        ------
        InputError
            If options do not go together, or there is no such table or figure.
        """
        from braided import papers

        if names and self.everything:
            raise InputError("--all runs everything: leave the names out")
        if self.quick and self.repeats is not None:
            raise InputError("--quick and --repeats: choose one of them")
        return [papers.find(name) for name in names] if names else papers.experiments()

    def run(self, experiment: Experiment) -> Outcome:
        """Run one of them.

        Parameters
        ----------
        experiment : Experiment
            A table or figure.

        Returns
        -------
        Outcome
            What came out.
        """
        from braided import papers
        from braided.cli.progress import progress_bar
        from braided.papers.running import count_measurements

        count = self.repeats or (experiment.quick if self.quick else experiment.repeats)
        with progress_bar(
            experiment.name, count_measurements(experiment, count), "runs"
        ) as progress:
            return papers.run(experiment, repeats=count, jobs=self.jobs, progress=progress)

    def flags(self) -> list[str]:
        """Write the options that change results as they would be given again.

        Returns
        -------
        list of str
            The flags.
        """
        if self.quick:
            return ["--quick"]
        return [] if self.repeats is None else ["--repeats", str(self.repeats)]


Markdown = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        show_default=f"{PAGE} with --all, else none",
        help="Write a page, with its pictures in a folder of the same name beside it.",
        rich_help_panel=OUTPUT,
    ),
]


def reproduce(
    names: Names = None, *, options: ReproductionOptions, markdown: Markdown = None
) -> None:
    """Run tables and figures of the papers again, beside what was printed."""
    from braided import papers
    from braided.papers.page import page

    if not names and not options.everything:
        _list(papers.experiments())
        return
    chosen = options.experiments(names)
    path = PAGE if markdown is None and options.everything else markdown
    folder = PICTURES if path is None else path.with_suffix("")
    _check_drawing(chosen, folder)
    outcomes = []
    for experiment in chosen:
        outcomes.append(options.run(experiment))
        _show(outcomes[-1], folder)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        what = ["--all"] if options.everything else [experiment.name for experiment in chosen]
        named = [] if markdown is None else ["--markdown", str(markdown)]
        command = shlex.join(["braided", "reproduce", *what, *options.flags(), *named])
        path.write_text(page(outcomes, command, folder), encoding="utf-8")
        print(f"written to {path}")


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
