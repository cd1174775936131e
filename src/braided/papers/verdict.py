"""Whether an experiment came out as printed, by rules that are the same for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from braided.papers import printed, sets
from braided.papers.experiment import Claim, Figure, Floats, Table
from braided.papers.running import Outcome

__all__ = ["RULE", "Cell", "cells", "curves", "readings", "verdict"]

DEVIATIONS, SHARE = 2.0, 0.05
MOST, SOME = 0.75, 0.25

RULE = """\
The same rules apply to every experiment.

**Tables.** A value is *level* with the paper's if it is within 2 of the paper's standard deviations
or within 5 % of the printed value; otherwise it is *better* or *worse*. A table is *reproduced* if
at least three quarters of its values are level. Otherwise it is *better* (*worse*) if at least
three quarters of the other values are better (worse), else *mixed*. Where another dataset stands in
for the paper's, values are shown but not counted (mistakes in per cent of the rounds, because the
number of rounds differs). If that is so for all datasets, the table is *not comparable*.

**Figures.** The papers do not print their curves as numbers. So what is checked are the paper's
statements about a figure, in each panel: the figure is *reproduced* if they hold in at least three
quarters of the cases, *partly reproduced* if in at least one quarter, else *not reproduced*.

"sd" is how far our value is above the paper's, in the paper's standard deviations. A score of 0
counts as a mistake, as in the papers."""


@dataclass(frozen=True)
class Cell:
    """A number of the paper and ours; in per cent of the rounds where a set stands in."""

    row: str
    column: str
    paper: printed.Printed
    mean: float
    std: float
    lower_is_better: bool
    per_cent: bool
    counts: bool

    @property
    def deviations(self) -> float | None:
        """How far ours lies above the paper's, in the paper's standard deviations."""
        if not self.paper.std:
            return None
        return (self.mean - self.paper.mean) / self.paper.std

    @property
    def outcome(self) -> str:
        """Level, better or worse."""
        difference = self.mean - self.paper.mean
        reach = max(DEVIATIONS * (self.paper.std or 0.0), SHARE * abs(self.paper.mean))
        if abs(difference) <= reach:
            return "level"
        return "better" if (difference < 0) == self.lower_is_better else "worse"


def cells(outcome: Outcome) -> list[Cell]:
    """The cells of a table that were measured."""
    table = outcome.experiment
    assert isinstance(table, Table)
    print_ = printed.read(table.name)
    return [_cell(outcome, table, place, print_[place]) for place in table.cells
            if table.cells[place] in outcome.found]  # fmt: skip


def _cell(outcome: Outcome, table: Table, place: tuple[str, str], paper: printed.Printed) -> Cell:
    measure = table.cells[place]
    found = outcome.found[measure]
    mean, std = float(found.mean[0]), float(found.std[0])
    stands_in = measure.data in outcome.stand_ins
    per_cent = stands_in and table.what == "mistakes"
    if per_cent:
        theirs, ours = 100 / sets.SETS[measure.data].rounds, 100 / sets.rounds(measure.data)
        paper = printed.Printed(paper.mean * theirs, (paper.std or 0.0) * theirs)
        mean, std = mean * ours, std * ours
    return Cell(*place, paper, mean, std, table.lower_is_better, per_cent, not stands_in)


def curves(outcome: Outcome) -> dict[str, dict[str, tuple[list[float], Floats]]]:
    """The curves of a figure by panel and name, where their set is here."""
    figure = outcome.experiment
    assert isinstance(figure, Figure)
    drawn: dict[str, dict[str, tuple[list[float], Floats]]] = {}
    for title, panel in figure.panels.items():
        for name, curve in panel.items():
            heights = outcome.heights(curve)
            if heights is not None:
                drawn.setdefault(title, {})[name] = (list(curve.across), heights)
    return drawn


def readings(outcome: Outcome) -> list[tuple[Claim, list[str], int]]:
    """Each claim of the paper, where it holds, and in how many places it was checked."""
    places: Mapping[str, Mapping[str, Floats]]
    if isinstance(outcome.experiment, Figure):
        places = {
            title: {name: heights for name, (_, heights) in panel.items()}
            for title, panel in curves(outcome).items()
        }
    else:
        places = _columns(outcome)
    return [
        (claim, [place for place, found in places.items() if claim.holds(found)], len(places))
        for claim in outcome.experiment.claims
    ]


def _columns(outcome: Outcome) -> dict[str, dict[str, Floats]]:
    table = outcome.experiment
    assert isinstance(table, Table)
    columns: dict[str, dict[str, Floats]] = {}
    for (row, column), measure in table.cells.items():
        mean = outcome.mean(measure)
        if mean is not None:
            columns.setdefault(column, {})[row] = mean
    return columns


def verdict(outcome: Outcome) -> tuple[str, str]:
    """A word for the whole experiment, and the counts behind it."""
    if not outcome.found:
        return "not reproducible", "none of its datasets is available"
    if isinstance(outcome.experiment, Table):
        return _of_table(cells(outcome))
    return _of_figure(readings(outcome))


def _of_table(found: Iterable[Cell]) -> tuple[str, str]:
    outcomes = [cell.outcome for cell in found if cell.counts]
    if not outcomes:
        return "not comparable", "other datasets stand in for all of the paper's"
    level, better, worse = (outcomes.count(word) for word in ("level", "better", "worse"))
    others = better + worse
    if level >= MOST * len(outcomes):
        word = "reproduced"
    elif better >= MOST * others:
        word = "better"
    else:
        word = "worse" if worse >= MOST * others else "mixed"
    return word, f"of {len(outcomes)} values {level} are level, {better} better, {worse} worse"


def _of_figure(read: Iterable[tuple[Claim, list[str], int]]) -> tuple[str, str]:
    holding, looked = 0, 0
    for _, where, places in read:
        holding, looked = holding + len(where), looked + places
    if holding >= MOST * looked:
        word = "reproduced"
    else:
        word = "partly reproduced" if holding >= SOME * looked else "not reproduced"
    return word, f"the paper's statements hold in {holding} of {looked} cases"
