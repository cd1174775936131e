"""The pictures that commands write on request: a page, or a drawing of the errors."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from braided.errors import InputError

if TYPE_CHECKING:
    from braided.evaluate import Comparison, Plan, Summary
    from braided.report import Page, Recorder
    from braided.report.error_by_budget import BudgetErrors

__all__ = [
    "HOW",
    "Remake",
    "check",
    "draw_errors",
    "every",
    "recorder",
    "write",
    "write_compared",
    "write_evaluated",
]

RECORDED = 5
"""A comparison's curves are those of its first repeats: so many."""

SWEPT = 3
"""Repeats for each budget."""

HOW = (
    "Online learning: in every round the learner sees a row, predicts its label, is told the "
    "right one, and learns. Features may come and go; what is not observed is not zero."
)


class Remake(NamedTuple):
    """How to have a page again."""

    context: typer.Context
    seed: int

    @property
    def command(self) -> str:
        """The command as it was given."""
        return shlex.join(["braided", *(self.context.obj or ())])


def check(html: Path | None, budgets: str | None, plot: Path | None = None) -> None:
    """Refuse what can not be drawn before anything is run."""
    if budgets is not None and html is None:
        raise InputError("--budgets is drawn on the page: give --html FILE as well")
    if html is not None:
        from braided.report.page import check_page

        check_page(html)
        _budgets(budgets)
    if plot is not None:
        from braided.report.image_file import check_picture

        check_picture(plot)


def recorder(html: Path | None) -> Recorder | None:
    """What observes the runs, if there is a page to show them on."""
    if html is None:
        return None
    from braided.report import Recorder

    return Recorder()


def every(html: Path | None, chosen: int | None, rounds: int) -> int | None:
    """After how many rounds a run has a snapshot: as was chosen, or as a page needs it."""
    if html is None or chosen is not None:
        return chosen
    from braided.report.recording import every

    return every(rounds)


def write_evaluated(
    html: Path,
    plan: Plan,
    summary: Summary,
    observed: Recorder,
    budgets: str | None,
    remake: Remake,
    aside: bool,
) -> None:
    """The page of one learner on one stream."""
    from braided.report import Page, Section, outcomes_of

    (data,), (contender,) = plan.data, plan.contenders
    section = Section(
        f"{data}, {plan.stream}",
        plan.make_stream(data, remake.seed),
        [observed.recording(contender.label, summary)],
        outcomes_of({contender.label: summary}),
        _sweep(plan, data, budgets, len(summary.results), remake.seed),
        _of_classes(plan),
    )
    title = f"{contender.name} on {data}"
    write(html, Page(title, HOW, [section], remake.command, remake.seed), aside)


def write_compared(
    html: Path,
    plan: Plan,
    comparison: Comparison,
    budgets: str | None,
    remake: Remake,
    aside: bool,
) -> None:
    """The page of several learners, with a section for each set."""
    from braided.cli.progress import progress_bar
    from braided.report import Page, Section, compared, record
    from braided.report.outcomes import streams_table

    repeats = len(next(iter(comparison.runs.values())))
    shown = min(repeats, RECORDED)
    seed, sections = remake.seed, []
    curves = f"The curves are those of the first {shown} of {repeats} runs." * (shown < repeats)
    note = " ".join(filter(None, (_of_classes(plan), curves)))
    for data in plan.data:
        with progress_bar(f"curves, {data}", len(plan.contenders) * shown, "runs") as progress:
            recordings = record(plan, data, repeats=shown, seed=seed, progress=progress)
        section = Section(
            f"{data}, {plan.stream}",
            plan.make_stream(data, seed),
            recordings,
            compared(comparison, data),
            _sweep(plan, data, budgets, repeats, seed),
            note,
        )
        sections.append(section)
    table = streams_table({s.title: s.outcomes for s in sections}) if len(sections) > 1 else None
    learners = f"{len(plan.contenders)} learners" if len(plan.contenders) > 1 else "one learner"
    title = f"{learners} on {', '.join(plan.data)}"
    write(html, Page(title, HOW, sections, remake.command, remake.seed, table), aside)


def write(html: Path, page: Page, aside: bool = False) -> None:
    """Write a page, and say where it is."""
    from braided.report import write_page

    write_page(html, page)
    _say(f"report: {html.absolute()}", aside)


def draw_errors(
    path: Path, title: str, summaries: Mapping[str, Summary], *, aside: bool = False
) -> None:
    """The share of mistakes so far, the mean of all repeats, as a drawing."""
    import numpy as np

    from braided.report import draw_curves

    curves = {}
    for learner, summary in summaries.items():
        results = list(summary.results.values())
        mean = 100 * np.mean([result.error_curve() for result in results], axis=0)
        curves[learner] = (list(range(1, mean.size + 1)), mean.tolist())
    of = f", mean of {len(results)} runs" if len(results) > 1 else ""
    draw_curves(path, curves, title=title + of, across="round", up="mistakes so far in %")
    _say(f"drawing: {path.absolute()}", aside)


def _of_classes(plan: Plan) -> str:
    """How more than two labels are told apart, if they are."""
    from braided.cli.run_output import EACH

    return f"Many classes: {EACH[plan.many_classes]}." if plan.many_classes else ""


def _budgets(text: str | None) -> list[Any]:
    """Budgets as they were written: all numbers of features, or all shares."""
    from braided.cli.parsing import value
    from braided.kernels.budget import check_budget

    if text is None:
        return []
    budgets = [value(part) for part in text.split(",")]
    for budget in budgets:
        check_budget(budget)
    if len({isinstance(budget, float) for budget in budgets}) > 1:
        raise InputError(f"--budgets {text}: either all shares (0.1, 1.0) or all numbers (10, 100)")
    return budgets


def _sweep(
    plan: Plan, data: str, budgets: str | None, repeats: int, seed: int
) -> list[BudgetErrors]:
    from braided.cli.progress import progress_bar
    from braided.report.error_by_budget import budget_sweep, with_budget

    chosen, times = _budgets(budgets), min(repeats, SWEPT)
    runs = len(with_budget(plan)) * len(chosen) * times
    with progress_bar(f"budgets, {data}", runs, "runs") as progress:
        return budget_sweep(plan, data, chosen, repeats=times, seed=seed, progress=progress)


def _say(what: str, aside: bool) -> None:
    """On stdout, unless that is for a program to read."""
    print(what, file=sys.stderr if aside else sys.stdout)
