"""Outcomes as a Markdown page, with its pictures in a folder beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from braided.papers import sets
from braided.papers.experiment import Figure, Table
from braided.papers.running import Outcome
from braided.papers.verdict import RULE, Cell, cells, curves, readings, verdict

__all__ = ["draw", "honest_line", "page", "skipped_line", "stand_ins_line", "texts"]

ACROSS = 3
"""Pictures beside each other."""


def page(outcomes: Sequence[Outcome], command: str, folder: Path) -> str:
    """The whole page; it refers to the pictures that ``draw`` put into the folder beside it."""
    title = "# Reproduction of the papers' tables and figures"
    lines = [title, "", f"Made by `{command}`.", "", RULE]
    lines += ["", "| experiment | what | outcome |", "|---|---|---|"]
    for outcome in outcomes:
        word, counts = verdict(outcome)
        experiment = outcome.experiment
        link = f"[{experiment.name}](#{experiment.name})"
        lines.append(f"| {link} | {experiment.title} | **{word}**: {counts} |")
    cited = ""
    for outcome in outcomes:
        if outcome.experiment.paper.cited != cited:
            cited = outcome.experiment.paper.cited
            lines += ["", f"## {cited}"]
        lines += ["", *_section(outcome, folder)]
    return "\n".join(lines) + "\n"


def _section(outcome: Outcome, folder: Path) -> Iterator[str]:
    experiment = outcome.experiment
    yield f"### {experiment.name}"
    yield ""
    yield f"**{experiment.number}: {experiment.title}.** {honest_line(outcome)}"
    yield ""
    seeds = "1 permutation" if outcome.repeats == 1 else f"{outcome.repeats} permutations"
    yield f"{experiment.protocol} This run: {seeds}, {outcome.seconds:.0f} s."
    for claim, where, places in readings(outcome):
        yield f"- “{claim.text}”: holds in {len(where)} of {places}{_named(where, places)}."
    for line in (stand_ins_line(outcome), skipped_line(outcome)):
        if line:
            yield ""
            yield line
    yield ""
    if isinstance(experiment, Table):
        yield from _table(outcome)
    elif isinstance(experiment, Figure):
        yield from _pictures(outcome, folder)


def honest_line(outcome: Outcome) -> str:
    """In one line whether it came out, and why not if that is known."""
    word, counts = verdict(outcome)
    return f"{word.capitalize()}: {counts}. {outcome.experiment.remark}".rstrip()


def skipped_line(outcome: Outcome) -> str:
    """The sets that are not here, and how to get them."""
    if not outcome.skipped:
        return ""
    return "Skipped: " + "; ".join(f"{data} ({sets.where(data)})" for data in outcome.skipped) + "."


def stand_ins_line(outcome: Outcome) -> str:
    """The sets that stand in for the paper's."""
    if not outcome.stand_ins:
        return ""
    named = (f"{data} ({differs})" for data, differs in outcome.stand_ins.items())
    return "Stand-ins: " + "; ".join(named) + "."


def _named(where: Sequence[str], places: int) -> str:
    return f" ({', '.join(where)})" if 0 < len(where) < places else ""


def _table(outcome: Outcome) -> Iterator[str]:
    table = outcome.experiment
    assert isinstance(table, Table)
    yield "| | | paper | ours | sd | |"
    yield "|---|---|---:|---:|---:|---|"
    for cell in cells(outcome):
        yield f"| {' | '.join(texts(cell, table.digits))} |"


def texts(cell: Cell, digits: int) -> tuple[str, ...]:
    """Column, row, the paper's number, ours, the distance in standard deviations, the outcome."""
    deviations = cell.deviations
    return (
        cell.column,
        cell.row,
        _with_spread(cell.paper.mean, cell.paper.std, cell.per_cent, digits),
        _with_spread(cell.mean, cell.std, cell.per_cent, digits),
        "" if deviations is None else f"{deviations:+.1f}",
        cell.outcome if cell.counts else "stand-in",
    )


def _with_spread(mean: float, std: float | None, per_cent: bool, digits: int) -> str:
    spread = "" if std is None else f" ± {std:.{digits}f}"
    return f"{mean:.{digits}f}{spread}{' %' if per_cent else ''}"


def draw(outcome: Outcome, folder: Path) -> list[Path]:
    """Draw the panels of a figure, to where the page looks for them."""
    from braided.report.image_file import draw_curves

    figure = outcome.experiment
    assert isinstance(figure, Figure)
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for title, panel in curves(outcome).items():
        drawn.append(folder / _picture(figure, title))
        draw_curves(
            drawn[-1],
            {name: (across, heights.tolist()) for name, (across, heights) in panel.items()},
            title=title,
            across=figure.across,
            up=figure.up,
            log_across=figure.log_across,
            log_up=figure.log_up,
        )
    return drawn


def _picture(figure: Figure, title: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return f"{figure.name}-{slug}.svg"


def _pictures(outcome: Outcome, folder: Path) -> Iterator[str]:
    figure = outcome.experiment
    assert isinstance(figure, Figure)
    titles = list(curves(outcome))
    for start in range(0, len(titles), ACROSS):
        row = titles[start : start + ACROSS]
        if start == 0:
            yield "|" + " |" * len(row)
            yield "|" + "---|" * len(row)
        images = (f"![{title}]({folder.name}/{_picture(figure, title)})" for title in row)
        yield f"| {' | '.join(images)} |"
