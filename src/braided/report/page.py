"""The page: one HTML file with everything in it, which asks the network for nothing."""

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
from braided.report.optional_imports import needed
from braided.report.outcomes import Outcomes, Table, results_table
from braided.report.recording import Recording
from braided.streams.stream import Stream

__all__ = ["Page", "Section", "check_page", "write_page"]


@dataclass(frozen=True)
class Section:
    """One stream, and the learners that learned it."""

    title: str
    stream: Stream
    recordings: Sequence[Recording]
    outcomes: Outcomes
    sweep: Sequence[BudgetErrors] = ()
    note: str = ""

    @property
    def table(self) -> Table:
        """Mistakes, features, memory and time."""
        return results_table(self.outcomes, self.recordings)

    @property
    def diverged(self) -> dict[str, str]:
        """The learners some of whose scores were no numbers, and in how many runs."""
        return {
            name: f"{outcome.diverged} of {len(outcome.errors)} runs"
            for name, outcome in self.outcomes.items()
            if outcome.diverged
        }

    @property
    def charts(self) -> list[Chart]:
        """All that there is to draw."""
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
    """What is to be told, and how to have it again."""

    title: str
    about: str
    sections: Sequence[Section]
    command: str
    seed: int
    table: Table | None = None
    """All streams beside each other, if there are several."""


def check_page(path: str | Path) -> None:
    """Refuse a page that can not be written, before anything is computed for it."""
    for module in ("jinja2", "plotly"):
        needed(module, f"writing {path}")
    if Path(path).is_dir() or not Path(path).absolute().parent.is_dir():
        raise InputError(f"can not write {path}: it must be a file in a folder that exists")


def write_page(path: str | Path, page: Page) -> None:
    """Write the page; it replaces a file of that name."""
    check_page(path)
    jinja2 = needed("jinja2", f"writing {path}")
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
        plotly=needed("plotly.offline", f"writing {path}").get_plotlyjs(),
    )
    Path(path).write_text(text, encoding="utf-8")


def _for_script(item: Any) -> Any:
    """JSON that can stand within a script: nothing in it ends the script or begins a comment."""
    from markupsafe import Markup

    text = json.dumps(item, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))
