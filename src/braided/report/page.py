"""The page: one HTML file that includes everything it needs, and loads nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import braided
from braided.errors import InputError
from braided.registry import CHARTS, resolve
from braided.report.appearances import Appearances
from braided.report.chart import DARK, Chart
from braided.report.error_by_budget import BudgetErrors
from braided.report.optional_imports import import_optional
from braided.report.outcomes import Outcomes, results_table
from braided.report.recording import Recording
from braided.report.schema import FieldCoverage
from braided.report.table import Cell, Table, TableChart
from braided.streams.stream import Stream

__all__ = ["Page", "Section", "check_page", "write_page"]


@dataclass(frozen=True)
class Section:
    """The part of a page about one stream, or one model.

    Parameters
    ----------
    title : str
        Its title.
    stream : Stream, optional
        The stream.
    recordings : sequence of Recording, default ()
        The learners that were evaluated on it; or models, without results.
    outcomes : mapping, default {}
        The outcome of each learner and baseline, from ``outcomes_of`` or ``compared``.
    sweep : sequence of BudgetErrors, default ()
        The errors for several budgets.
    note : str, default ""
        A remark below the title.
    facts : mapping, default {}
        Facts by name, shown as a table.
    schema : sequence of FieldCoverage, default ()
        The fields of the data, and how often each is observed.
    warnings : sequence of str, default ()
        Warnings, shown above everything else.
    features : Appearances, optional
        When each feature was observed; taken from the stream if left out.

    Examples
    --------
    >>> from braided import OLSF
    >>> from braided.report import Section
    >>> Section("Today", facts={"rows": "1000"}, warnings=["10 rows have no amount."]).title
    'Today'
    """

    title: str
    stream: Stream | None = None
    recordings: Sequence[Recording] = ()
    outcomes: Outcomes = field(default_factory=dict)
    sweep: Sequence[BudgetErrors] = ()
    note: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    schema: Sequence[FieldCoverage] = ()
    warnings: Sequence[str] = ()
    features: Appearances | None = None

    @property
    def tables(self) -> list[Table]:
        """The table of facts, and that of mistakes, features, memory and time."""
        facts = Table(["", ""], [(name, [Cell(text)]) for name, text in self.facts.items()])
        results = results_table(self.outcomes, self.recordings)
        return [table for table in (facts, results) if table.lines]

    @property
    def appearances(self) -> Appearances | None:
        """When each feature was observed; None if it is not known."""
        if self.features is None and self.stream is not None:
            return Appearances.of(self.stream)
        return self.features

    @property
    def evaluated(self) -> list[Recording]:
        """The recordings that have results."""
        return [recording for recording in self.recordings if recording.summary.results]

    @property
    def diverged(self) -> dict[str, str]:
        """The learners with scores that were not finite numbers, and in how many runs."""
        return {
            name: f"{outcome.diverged} of {len(outcome.errors)} runs"
            for name, outcome in self.outcomes.items()
            if outcome.diverged
        }

    @property
    def charts(self) -> list[Chart | TableChart]:
        """All charts of the registry that have something to show."""
        charts: list[Chart | TableChart | None] = []
        for entry in CHARTS:
            draw = resolve(entry.home)
            charts += [draw(item) for item in self.drawn_from(entry.of)]
        return [chart for chart in charts if chart is not None]

    def drawn_from(self, of: str) -> Sequence[Any]:
        """Return what the charts of one kind are drawn from, one after another.

        Parameters
        ----------
        of : str
            The kind, as in ``ChartEntry.of``.

        Returns
        -------
        sequence
            What each chart is drawn from; empty if this section has no such thing.
        """
        if of == "recording":
            return self.recordings
        if of == "recordings":
            return [self.evaluated] if self.evaluated else []
        item = getattr(self, of)
        return [] if item is None else [item]


@dataclass(frozen=True)
class Page:
    """A report.

    Parameters
    ----------
    title : str
        Its title.
    about : str
        One line below the title.
    sections : sequence of Section
        Its parts, one for each stream.
    command : str
        The command that makes it again.
    seed : int, optional
        The first seed; None if nothing is random.
    table : Table, optional
        The error rates of all streams, if there are several.

    Examples
    --------
    >>> from braided.report import Page, Section
    >>> page = Page("German credit", "One day.", [Section("Today")], command="python this.py")
    >>> page.title, len(page.sections)
    ('German credit', 1)
    """

    title: str
    about: str
    sections: Sequence[Section]
    command: str
    seed: int | None = None
    table: Table | None = None


def check_page(path: str | Path) -> None:
    """Refuse a page that can not be written, before anything is computed."""
    for module in ("jinja2", "plotly"):
        import_optional(module, f"writing {path}")
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        raise InputError(f"can not write {path}: it must be a file in a folder that exists")


def write_page(path: str | Path, page: Page) -> None:
    """Write a page to an HTML file.

    Parameters
    ----------
    path : str or path
        The file; one that exists is replaced.
    page : Page
        The page.

    Raises
    ------
    InputError
        If the file can not be written, or jinja2 or plotly is not installed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from braided import datasets
    >>> from braided.evaluate import Contender, Plan
    >>> from braided.report import outcomes_of, record
    >>> german = datasets.load("german")
    >>> plan = Plan({"german": (german.X, german.y)}, [Contender("olsf")])
    >>> recordings = record(plan, "german", repeats=1)
    >>> outcomes = outcomes_of({each.label: each.summary for each in recordings})
    >>> section = Section("german", plan.make_stream("german", 0), recordings, outcomes)
    >>> page = Page("German credit", "OLSF on raw values.", [section], "braided evaluate german", 0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "page.html"
    ...     write_page(path, page)
    ...     "Mistakes so far" in path.read_text()
    True
    """
    check_page(path)
    jinja2 = import_optional("jinja2", f"writing {path}")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("braided.report", "template"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["for_script"] = _for_script
    text = environment.get_template("page.html").render(
        page=page,
        version=braided.__version__,
        date=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"),
        dark=DARK,
        plotly=import_optional("plotly.offline", f"writing {path}").get_plotlyjs(),
    )
    Path(path).write_text(text, encoding="utf-8")


def _for_script(item: Any) -> Any:
    """JSON that is safe inside a script element: it can not end it, or begin a comment."""
    from markupsafe import Markup

    text = json.dumps(item, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
