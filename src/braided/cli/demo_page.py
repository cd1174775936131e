"""The page that the demo ends with: one stream of each shape, seen closely."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.cli.html_pages import Remake
    from braided.datasets import Dataset
    from braided.report.outcomes import Outcomes

__all__ = ["write_demo"]

SHOWN: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {
    "trapezoidal": ("spambase", {"olsf-ii": {"budget": 0.2}, "ada-rda": {}, "oco": {}}),
    "capricious": ("spambase", {"olsf-ii": {"budget": 0.2}, "oco": {}, "glsc": {}}),
    "evolvable": ("magic", {"olsf-ii": {}, "oco": {}, "fesl": {}}),
}
"""For each shape of stream, a set and the learners to look at."""

BUDGETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
SWEPT = "trapezoidal"


def write_demo(
    html: Path,
    raw: Mapping[str, Dataset],
    sets: Mapping[str, Dataset],
    columns: Mapping[tuple[str, str], Outcomes],
    repeats: int,
    remake: Remake,
) -> None:
    """Write the demo's table, and a section for each shape.

    Parameters
    ----------
    html : Path
        Where the page goes.
    raw, sets : mapping
        The datasets by name as they are, which the default learner sees, and scaled.
    columns : mapping
        The outcomes of all learners, for each dataset and shape.
    repeats : int
        How often each learner is run for its curves.
    remake : Remake
        How to make the page again.
    """
    from braided import registry
    from braided.cli import html_pages as pages
    from braided.cli.options import OutputOptions
    from braided.evaluate import Contender, Plan
    from braided.report import Page, Section, outcomes_of, record
    from braided.report.error_by_budget import budget_sweep
    from braided.report.outcomes import streams_table

    sections = []
    for stream, (data, learners) in SHOWN.items():
        contenders = [Contender(name, parameters) for name, parameters in learners.items()]
        plan = Plan({data: (sets[data].X, sets[data].y)}, contenders, stream)
        unscaled = {data: (raw[data].X, raw[data].y)}
        default = Plan(unscaled, [Contender(registry.DEFAULT)], stream)
        recordings = [
            *record(default, data, repeats=repeats),
            *record(plan, data, repeats=repeats),
        ]
        section = Section(
            f"{data}, {stream}",
            plan.make_stream(data, 0),
            recordings,
            outcomes_of({recording.label: recording.summary for recording in recordings}),
            budget_sweep(plan, data, BUDGETS, repeats=repeats) if stream == SWEPT else (),
        )
        sections.append(section)
    table = streams_table(
        {f"{data}, {stream}": outcomes for (data, stream), outcomes in columns.items()}
    )
    title = "Braided: streams whose features come and go"
    page = Page(title, pages.HOW, sections, remake.command, remake.seed, table)
    pages.write(OutputOptions(html=html), page)
