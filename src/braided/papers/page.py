"""Outcomes as a Markdown page, with its pictures in a folder beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from braided.papers import sets
from braided.papers.experiment import PRINTED, WRITTEN, Figure, Table
from braided.papers.running import Outcome
from braided.papers.summary import STORY, summary
from braided.papers.verdict import RULE, Cell, cells, curves, readings, verdict

__all__ = ["Done", "draw", "honest_line", "page", "skipped_line", "stand_ins_line"]
__all__ += ["texts"]

Done: TypeAlias = Mapping[str, Outcome]
"""The outcomes of an experiment: as written, and as printed if that differs."""

ACROSS = 3
"""Pictures beside each other."""


def page(done: Sequence[Done], command: str, folder: Path, missing: Sequence[str] = ()) -> str:
    """The whole page; it refers to the pictures that ``draw`` put into the folder beside it."""
    lines = ["# Reproduction of the papers' tables and figures", "", STORY, *summary(done)]
    lines += ["", f"Made by `{command}`.", "", RULE, ""]
    lines += ["| experiment | what | as written | as printed | permutations |"]
    lines += ["|---|---|---|---|---|"]
    lines += [_listed(outcomes) for outcomes in done]
    if missing:
        lines += ["", f"Not run yet: {', '.join(missing)}."]
    cited = ""
    for outcomes in done:
        experiment = _any(outcomes).experiment
        if experiment.paper.cited != cited:
            cited = experiment.paper.cited
            lines += ["", f"## {cited}"]
        lines += ["", *_section(outcomes, folder)]
    return "\n".join(lines) + "\n"


def _listed(outcomes: Done) -> str:
    experiment = _any(outcomes).experiment
    verdicts = {way: verdict(outcome) for way, outcome in outcomes.items()}
    found = {way: f"**{word}**: {counts}" for way, (word, counts) in verdicts.items()}
    return (
        f"| [{experiment.name}](#{experiment.name}) | {experiment.title} | "
        f"{found.get(WRITTEN, '')} | {found.get(PRINTED, '')} | {_repeats(_any(outcomes))} |"
    )


def _any(outcomes: Done) -> Outcome:
    """The first one: title, paper and sets are the same by all ways."""
    return next(iter(outcomes.values()))


def _repeats(outcome: Outcome) -> str:
    wanted = outcome.experiment.repeats
    return str(wanted) if outcome.repeats >= wanted else f"{outcome.repeats} of {wanted}"


def _section(outcomes: Done, folder: Path) -> Iterator[str]:
    experiment = _any(outcomes).experiment
    yield f"### {experiment.name}"
    yield ""
    yield f"**{experiment.number}: {experiment.title}.**"
    for way, outcome in outcomes.items():
        yield ""
        yield from _told(way, outcome, alone=len(outcomes) == 1)
    for line in (stand_ins_line(_any(outcomes)), skipped_line(_any(outcomes))):
        if line:
            yield ""
            yield line
    yield ""
    if isinstance(experiment, Table):
        yield from _table(outcomes)
    elif isinstance(experiment, Figure):
        yield from _pictures(outcomes, folder)


def _told(way: str, outcome: Outcome, *, alone: bool) -> Iterator[str]:
    head = "" if alone else f"*As {way}.* "
    seeds = "1 permutation" if outcome.repeats == 1 else f"{outcome.repeats} permutations"
    yield f"{head}{honest_line(outcome)} {outcome.experiment.protocol} This run: {seeds}, " + (
        f"{outcome.seconds:.0f} s."
    )
    for claim, where, places in readings(outcome):
        yield f"- “{claim.text}”: holds in {len(where)} of {places}{_named(where, places)}."


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


def _table(outcomes: Done) -> Iterator[str]:
    table = _any(outcomes).experiment
    assert isinstance(table, Table)
    alone = len(outcomes) == 1
    heads = [head for way in outcomes for head in ("ours" if alone else f"as {way}", "")]
    yield f"| | | paper | {' | '.join(heads)} |"
    yield f"|---|---|---:|{'---:|---|' * len(outcomes)}"
    by_way = [{(c.row, c.column): c for c in cells(outcome)} for outcome in outcomes.values()]
    for place, first in by_way[0].items():
        shown = [texts(found[place], table.digits) if place in found else ("", "", "")
                 for found in by_way]  # fmt: skip
        ours = (part for _, ours, told in shown for part in (ours, told))
        yield f"| {first.column} | {first.row} | {shown[0][0]} | {' | '.join(ours)} |"


def texts(cell: Cell, digits: int) -> tuple[str, str, str]:
    """The paper's number, ours, and the outcome with the distance in standard deviations."""
    deviations = cell.deviations
    word = cell.outcome if cell.counts else "stand-in"
    return (
        _with_spread(cell.paper.mean, cell.paper.std, cell.per_cent, digits),
        _with_spread(cell.mean, cell.std, cell.per_cent, digits),
        word if deviations is None else f"{word} {deviations:+.1f} sd",
    )


def _with_spread(mean: float, std: float | None, per_cent: bool, digits: int) -> str:
    spread = "" if std is None else f" ± {std:.{digits}f}"
    return f"{mean:.{digits}f}{spread}{' %' if per_cent else ''}"


def draw(outcome: Outcome, way: str, folder: Path) -> list[Path]:
    """Draw the panels of a figure, to where the page looks for them."""
    from braided.report.image_file import draw_curves

    figure = outcome.experiment
    assert isinstance(figure, Figure)
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for title, panel in curves(outcome).items():
        drawn.append(folder / _picture(figure, title, way))
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


def _picture(figure: Figure, title: str, way: str) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    return f"{figure.name}-{slug}{'' if way == WRITTEN else f'-as-{way}'}.svg"


def _pictures(outcomes: Done, folder: Path) -> Iterator[str]:
    for way, outcome in outcomes.items():
        figure = outcome.experiment
        assert isinstance(figure, Figure)
        titles = list(curves(outcome))
        if len(outcomes) > 1:
            yield f"As {way}:"
            yield ""
        for start in range(0, len(titles), ACROSS):
            row = titles[start : start + ACROSS]
            if start == 0:
                yield "|" + " |" * len(row)
                yield "|" + "---|" * len(row)
            files = (f"{folder.name}/{_picture(figure, title, way)}" for title in row)
            images = (f"![{title}]({file})" for title, file in zip(row, files, strict=True))
            yield f"| {' | '.join(images)} |"
        yield ""
