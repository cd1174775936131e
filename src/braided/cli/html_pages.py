"""The pictures that commands write on request: a page, or a drawing of the errors."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from braided.cli.options import OutputOptions
    from braided.evaluate import Comparison, Plan, Summary
    from braided.learner.learner import Learner
    from braided.report import Page, Recorder
    from braided.report.error_by_budget import BudgetErrors

__all__ = [
    "HOW",
    "Remake",
    "draw_errors",
    "every",
    "recorder",
    "write",
    "write_compared",
    "write_evaluated",
    "write_model",
]

RECORDED = 5
"""A comparison's curves are those of its first repeats: so many."""

SWEPT = 3
"""Repeats for each budget."""

HOW = (
    "Online learning: in every round the learner sees a row, predicts its label, is told the "
    "right one, and learns. Features may come and go; what is not observed is not zero."
)


@dataclass(frozen=True)
class Remake:
    """How to make a page again.

    Parameters
    ----------
    given : sequence of str
        The arguments of the command.
    seed : int, default 0
        The seed of its first run.
    """

    given: Sequence[str]
    seed: int = 0

    @property
    def command(self) -> str:
        """The command as it was given."""
        return shlex.join(["braided", *self.given])


def recorder(html: Path | None) -> Recorder | None:
    """Make what observes the runs, if there is a page to show them on.

    Parameters
    ----------
    html : Path or None
        Where the page goes.

    Returns
    -------
    Recorder or None
        None without a page.
    """
    if html is None:
        return None
    from braided.report import Recorder

    return Recorder()


def every(chosen: int | None, rounds: int) -> int:
    """Tell after how many rounds a run has a snapshot.

    Parameters
    ----------
    chosen : int or None
        What was asked for.
    rounds : int
        The rounds of a run.

    Returns
    -------
    int
        What was asked for, or what a page needs.
    """
    from braided.report.recording import every

    return chosen or every(rounds)


def write_evaluated(
    output: OutputOptions, plan: Plan, summary: Summary, observed: Recorder, remake: Remake
) -> None:
    """Write the page of one learner on one stream.

    Parameters
    ----------
    output : OutputOptions
        Where the page goes, and the budgets to draw.
    plan : Plan
        What was run.
    summary : Summary
        What came out.
    observed : Recorder
        What observed the runs.
    remake : Remake
        How to make the page again.
    """
    from braided.report import Page, Section, outcomes_of

    (data,), (contender,) = plan.data, plan.contenders
    section = Section(
        f"{data}, {plan.stream}",
        plan.make_stream(data, remake.seed),
        [observed.recording(contender.label, summary)],
        outcomes_of({contender.label: summary}),
        _sweep(plan, data, output, len(summary.results), remake.seed),
        _of_classes(plan),
    )
    title = f"{contender.name} on {data}"
    write(output, Page(title, HOW, [section], remake.command, remake.seed))


def write_compared(
    output: OutputOptions, plan: Plan, comparison: Comparison, remake: Remake
) -> None:
    """Write the page of several learners, with a section for each dataset.

    Parameters
    ----------
    output : OutputOptions
        Where the page goes, and the budgets to draw.
    plan : Plan
        What was run.
    comparison : Comparison
        What came out.
    remake : Remake
        How to make the page again.
    """
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
            _sweep(plan, data, output, repeats, seed),
            note,
        )
        sections.append(section)
    table = streams_table({s.title: s.outcomes for s in sections}) if len(sections) > 1 else None
    learners = f"{len(plan.contenders)} learners" if len(plan.contenders) > 1 else "one learner"
    title = f"{learners} on {', '.join(plan.data)}"
    write(output, Page(title, HOW, sections, remake.command, remake.seed, table))


def write_model(
    output: OutputOptions, title: str, model: Learner, given: Sequence[str], **about_it: Any
) -> None:
    """Write the page of one model.

    Parameters
    ----------
    output : OutputOptions
        Where the page goes.
    title : str
        Its title.
    model : Learner
        The model.
    given : sequence of str
        The arguments of the command that makes the page again.
    **about_it : Any
        What else is known about the model, as in ``braided.report.model_section``.
    """
    from braided.report import model_page

    command = Remake(given).command
    write(output, model_page(title, model, command=command, **about_it))


def write(output: OutputOptions, page: Page) -> None:
    """Write a page, and say where it is.

    Parameters
    ----------
    output : OutputOptions
        Where the page goes.
    page : Page
        The page.
    """
    from braided.report import write_page

    assert output.html is not None  # nobody makes a page that was not asked for
    write_page(output.html, page)
    _say(f"report: {output.html.absolute()}", output)


def draw_errors(
    output: OutputOptions, path: Path, title: str, summaries: Mapping[str, Summary]
) -> None:
    """Draw the share of mistakes so far, the mean of all repeats.

    Parameters
    ----------
    output : OutputOptions
        Whether a program reads stdout.
    path : Path
        Where the drawing goes.
    title : str
        Its title.
    summaries : mapping
        What came out, for each learner.
    """
    import numpy as np

    from braided.report import draw_curves

    curves = {}
    for learner, summary in summaries.items():
        results = list(summary.results.values())
        mean = 100 * np.mean([result.error_curve() for result in results], axis=0)
        curves[learner] = (list(range(1, mean.size + 1)), mean.tolist())
    of = f", mean of {len(results)} runs" if len(results) > 1 else ""
    draw_curves(path, curves, title=title + of, across="round", up="mistakes so far in %")
    _say(f"drawing: {path.absolute()}", output)


def _of_classes(plan: Plan) -> str:
    """How more than two labels are told apart, if they are."""
    from braided.cli.options.learner import told_apart

    how = plan.many_classes_in_use
    return f"Many classes: {told_apart(how)}." if how else ""


def _sweep(
    plan: Plan, data: str, output: OutputOptions, repeats: int, seed: int
) -> list[BudgetErrors]:
    from braided.cli.progress import progress_bar
    from braided.report.error_by_budget import budget_sweep, with_budget

    chosen, times = output.budget_values(), min(repeats, SWEPT)
    runs = len(with_budget(plan)) * len(chosen) * times
    with progress_bar(f"budgets, {data}", runs, "runs") as progress:
        return budget_sweep(plan, data, chosen, repeats=times, seed=seed, progress=progress)


def _say(what: str, output: OutputOptions) -> None:
    """On stdout, unless that is for a program to read."""
    print(what, file=sys.stderr if output.for_programs else sys.stdout)
