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
    from braided.papers.kept import KeptOutcomes

__all__ = ["reproduce"]

PICTURES, PAGE = Path("reproduction"), Path("reproduction.md")
WAYS, BOTH = ("written", "printed"), "both"


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
    only_kept: Annotated[
        bool,
        typer.Option(
            "--only-kept",
            help="Measure nothing: make the page of what is kept.",
            rich_help_panel=EVALUATION,
        ),
    ] = False
    way: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="WAY",
            help="written (what the paper says), printed (what its figures come from, where that "
            "is known to differ) or both.",
            rich_help_panel=EVALUATION,
        ),
    ] = "both"
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
        if self.way not in (*WAYS, BOTH):
            raise InputError(f"--as={self.way!r} is not allowed: written, printed or both")
        return [papers.find(name) for name in names] if names else papers.experiments()

    def ways(self, experiment: Experiment) -> dict[str, Experiment]:
        """Choose how to run one of them.

        Parameters
        ----------
        experiment : Experiment
            A table or figure.

        Returns
        -------
        dict
            The experiment by each way that was asked for; as written if there is no other.
        """
        ways = experiment.ways
        return {self.way: ways[self.way]} if self.way in ways else ways

    def run(self, experiment: Experiment, way: str, kept: KeptOutcomes | None) -> Outcome | None:
        """Run one of them, unless its outcome is kept.

        Parameters
        ----------
        experiment : Experiment
            A table or figure.
        way : str
            "written" or "printed".
        kept : KeptOutcomes or None
            Where outcomes are kept.

        Returns
        -------
        Outcome or None
            What came out; None if it is not kept and nothing is to be measured.
        """
        from braided import papers
        from braided.cli.progress import progress_bar
        from braided.papers.running import count_measurements

        if self.only_kept:
            return None if kept is None else kept.load(experiment, way)
        count = self.repeats or (experiment.quick if self.quick else experiment.repeats)
        found = None if kept is None else kept.load(experiment, way, repeats=count)
        if found is not None:
            return found
        title = f"{experiment.name}, as {way}"
        with progress_bar(title, count_measurements(experiment, count), "runs") as progress:
            outcome = papers.run(experiment, repeats=count, jobs=self.jobs, progress=progress)
        if kept is not None:
            kept.save(outcome, way)
        return outcome

    def flags(self) -> list[str]:
        """Write the options that change results as they would be given again.

        Returns
        -------
        list of str
            The flags.
        """
        ways = [] if self.way == BOTH else ["--as", self.way]
        if self.quick:
            return ["--quick", *ways]
        return [*([] if self.repeats is None else ["--repeats", str(self.repeats)]), *ways]


Markdown = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        show_default=f"{PAGE} with --all, else none",
        help="Write a page, with its pictures in a folder of the same name beside it.",
        rich_help_panel=OUTPUT,
    ),
]


Results = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        show_default="results, beside the pictures of a page",
        help="Keep what was measured here, and do not measure again what is here: a run that was "
        "interrupted goes on.",
        rich_help_panel=OUTPUT,
    ),
]


def reproduce(
    names: Names = None,
    *,
    options: ReproductionOptions,
    markdown: Markdown = None,
    results: Results = None,
) -> None:
    """Run tables and figures of the papers again, beside what was printed."""
    from braided import papers
    from braided.papers.kept import KeptOutcomes

    if not names and not options.everything:
        _list(papers.experiments())
        return
    chosen = options.experiments(names)
    path = PAGE if markdown is None and options.everything else markdown
    folder = PICTURES if path is None else path.with_suffix("")
    _check_drawing(chosen, folder)
    if path is not None and results is None:
        results = folder / "results"
    kept = None if results is None else KeptOutcomes(results)
    what = ["--all"] if options.everything else [experiment.name for experiment in chosen]
    named = [] if markdown is None else ["--markdown", str(markdown)]
    command = shlex.join(["braided", "reproduce", *what, *options.flags(), *named])
    for experiment in chosen:
        for way, one in options.ways(experiment).items():
            outcome = options.run(one, way, kept)
            if outcome is None:
                print(f"{experiment.name}, as {way}: not kept")
                continue
            _show(outcome, way, folder)
            if path is not None and kept is not None:
                _write(path, chosen, kept, command, folder)
    if path is not None:
        print(f"written to {path}")


def _write(
    path: Path, chosen: list[Experiment], kept: KeptOutcomes, command: str, folder: Path
) -> None:
    """Make the page of all that is kept; what is not yet run is left out."""
    from braided.papers.page import page

    found = [{way: kept.load(one, way) for way, one in each.ways.items()} for each in chosen]
    done = [{way: o for way, o in each.items() if o is not None} for each in found]
    path.parent.mkdir(parents=True, exist_ok=True)
    missing = [each.name for each, outcomes in zip(chosen, done, strict=True) if not outcomes]
    text = page([each for each in done if each], command, folder, missing)
    path.write_text(text, encoding="utf-8")


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


def _show(outcome: Outcome, way: str, folder: Path) -> None:
    from rich.console import Console

    from braided.papers import page
    from braided.papers.experiment import Table
    from braided.papers.verdict import readings

    console = Console(highlight=False)
    experiment = outcome.experiment
    if isinstance(experiment, Table) and outcome.found:
        console.print(_table(outcome, way))
    elif outcome.found:
        for path in page.draw(outcome, way, folder):
            print(f"drawn: {path}")
    lines = [f"{experiment.name}, as {way}: {page.honest_line(outcome)}"]
    for claim, where, places in readings(outcome):
        lines.append(f"“{claim.text}”: in {len(where)} of {places}")
    lines += [line for line in (page.stand_ins_line(outcome), page.skipped_line(outcome)) if line]
    console.print("\n".join(lines), markup=False)


def _table(outcome: Outcome, way: str) -> object:
    from rich.table import Table as Shown
    from rich.text import Text

    from braided.papers import page
    from braided.papers.experiment import Table
    from braided.papers.verdict import cells

    table = outcome.experiment
    assert isinstance(table, Table)
    shown = Shown(
        title=f"{table.paper.cited}, {table.number}, as {way}: {table.title}",
        caption=f"mean ± standard deviation of {outcome.repeats}; sd: how far ours is from the "
        "paper's, in its standard deviations",
    )
    for head in ("", "", "paper", "ours", ""):
        shown.add_column(head, justify="right" if head else "left")
    for cell in cells(outcome):
        shown.add_row(cell.column, cell.row, *map(Text, page.texts(cell, table.digits)))
    return shown
