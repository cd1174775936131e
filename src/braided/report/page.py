"""The page: one HTML file that includes everything it needs, and loads nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import braided
from braided.errors import InputError
from braided.registry import CHARTS, resolve
from braided.report.chart import Chart
from braided.report.error_by_budget import BudgetErrors
from braided.report.optional_imports import import_optional
from braided.report.outcomes import Outcomes, Table, results_table
from braided.report.recording import Recording
from braided.streams.stream import Stream

__all__ = ["Page", "Section", "check_page", "write_page"]


@dataclass(frozen=True)
class Section:
    """The part of a page about one stream.

    Parameters
    ----------
    title : str
        Its title.
    stream : Stream
        The stream.
    recordings : sequence of Recording
        The learners that were evaluated on it.
    outcomes : mapping
        The outcome of each learner and baseline, from ``outcomes_of`` or ``compared``.
    sweep : sequence of BudgetErrors, default ()
        The errors for several budgets.
    note : str, default ""
        A remark below the title.
    """

    title: str
    stream: Stream
    recordings: Sequence[Recording]
    outcomes: Outcomes
    sweep: Sequence[BudgetErrors] = ()
    note: str = ""

    @property
    def table(self) -> Table:
        """The table of mistakes, features, memory and time."""
        return results_table(self.outcomes, self.recordings)

    @property
    def diverged(self) -> dict[str, str]:
        """The learners with scores that were not finite numbers, and in how many runs."""
        return {
            name: f"{outcome.diverged} of {len(outcome.errors)} runs"
            for name, outcome in self.outcomes.items()
            if outcome.diverged
        }

    @property
    def charts(self) -> list[Chart]:
        """All charts of the registry that have something to show."""
        charts: list[Chart | None] = []
        for entry in CHARTS:
            draw = resolve(entry.home)
            if entry.of == "recording":
                charts += [draw(recording) for recording in self.recordings]
            else:
                charts.append(draw(getattr(self, entry.of)))
        return [chart for chart in charts if chart is not None]


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
    seed : int
        The first seed.
    table : Table, optional
        The error rates of all streams, if there are several.
    """

    title: str
    about: str
    sections: Sequence[Section]
    command: str
    seed: int
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
        plotly=import_optional("plotly.offline", f"writing {path}").get_plotlyjs(),
    )
    Path(path).write_text(text, encoding="utf-8")


def _for_script(item: Any) -> Any:
    """JSON that is safe inside a script element: it can not end it, or begin a comment."""
    from markupsafe import Markup

    text = json.dumps(item, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
