"""What an experiment is: how it is measured, and what the paper says came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Claim",
    "Curve",
    "Experiment",
    "Figure",
    "Floats",
    "Measure",
    "Paper",
    "Table",
    "by_column",
]

Floats = NDArray[np.float64]


class Measure(Protocol):
    """One thing that is measured, once for each seed: a figure, or the heights of a curve."""

    @property
    def data(self) -> str:
        """The set, by the name in the paper."""
        ...

    def prepare(self) -> None:
        """Do once what every seed needs, so that processes started afterwards have it."""
        ...

    def __call__(self, seed: int) -> Sequence[float]:
        """What comes out under this seed."""
        ...


@dataclass(frozen=True)
class Paper:
    """Where experiments were printed."""

    key: str
    cited: str


@dataclass(frozen=True)
class Claim:
    """What a paper reads from a figure, and whether curves (or the cells of a column) say so."""

    text: str
    holds: Callable[[Mapping[str, Floats]], bool]


@dataclass(frozen=True)
class Curve:
    """Positions across, and what gives the heights: one measure for all, or one for each."""

    across: Sequence[float]
    measures: Sequence[Measure]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table or a figure of a paper.

    ``protocol`` says how it is run, ``remark`` what is known of why it does or does not come out;
    whether it does is found by running it.
    """

    paper: Paper
    number: str
    title: str
    protocol: str
    remark: str = ""
    repeats: int = 20
    quick: int = 3
    claims: Sequence[Claim] = ()

    @property
    def name(self) -> str:
        """As on the command line: paper, kind and number."""
        return f"{self.paper.key}-{self.number.lower().replace(' ', '-')}"

    @property
    def measures(self) -> list[Measure]:
        """All that is to be measured, each once."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Table(Experiment):
    """Figures by row and column.

    ``what`` they are: "mistakes" are turned into per cent where another set stands in for the
    paper's, since it has another number of rounds.
    """

    cells: Mapping[tuple[str, str], Measure]
    what: str = "mistakes"
    digits: int = 1
    lower_is_better: bool = True

    @property
    def measures(self) -> list[Measure]:  # noqa: D102
        return _once(self.cells.values())


@dataclass(frozen=True, kw_only=True)
class Figure(Experiment):
    """Curves by name, in panels by title (usually that of the set)."""

    panels: Mapping[str, Mapping[str, Curve]]
    across: str = "rounds (%)"
    up: str = "mistakes so far (%)"
    log_across: bool = False
    log_up: bool = False

    @property
    def measures(self) -> list[Measure]:  # noqa: D102
        curves = (curve for panel in self.panels.values() for curve in panel.values())
        return _once(measure for curve in curves for measure in curve.measures)


def by_column(columns: Mapping[str, Mapping[str, Measure]]) -> dict[tuple[str, str], Measure]:
    """Measures by column and row, as a table has them: by row and column."""
    return {
        (row, column): measure
        for column, measures in columns.items()
        for row, measure in measures.items()
    }


def _once(measures: Iterable[Measure]) -> list[Measure]:
    return list({id(m): m for m in measures}.values())
