"""What an experiment is: how it is measured, and what the paper claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "PRINTED",
    "WRITTEN",
    "Claim",
    "Curve",
    "Experiment",
    "Figure",
    "Floats",
    "Measure",
    "Paper",
    "Settles",
    "Table",
    "by_column",
    "highest",
    "lower",
    "lowest",
]

Floats = NDArray[np.float64]

WRITTEN, PRINTED = "written", "printed"
"""The ways to run an experiment: as the paper says, or as its figures were made."""


class Measure(Protocol):
    """One thing that is measured, once for each seed: a number, or the heights of a curve."""

    @property
    def data(self) -> str:
        """The set, by the name in the paper."""
        ...

    def prepare(self) -> None:
        """Do once what every seed needs, so that processes started afterwards have it."""
        ...

    def __call__(self, seed: int) -> Sequence[float]:
        """Measure with this seed."""
        ...


@runtime_checkable
class Settles(Protocol):
    """A measure that is settled only when it was measured for all seeds."""

    def settled(self, values: Floats) -> Floats:
        """Turn what was measured, a row for each seed, into what is reported."""
        ...


@dataclass(frozen=True)
class Paper:
    """Where experiments were printed."""

    key: str
    cited: str


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and whether curves (or the cells of a column) confirm it."""

    text: str
    holds: Callable[[Mapping[str, Floats]], bool]


@dataclass(frozen=True)
class Curve:
    """Positions across, and what measures the heights: one measure for all, or one for each."""

    across: Sequence[float]
    measures: Sequence[Measure]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A table or a figure of a paper.

    Parameters
    ----------
    paper : Paper
        Where it was printed.
    number : str
        Its number there, as in ``"Table 3"``.
    title : str
        What it shows.
    protocol : str
        How it is run.
    remark : str, default ""
        What is known of why it is or is not reproduced; whether it is, is found by running it.
    repeats : int, default 20
        How many permutations the paper has.
    quick : int, default 3
        How many permutations a quick run has.
    claims : sequence of Claim, default ()
        What the paper says about it.
    as_printed : Experiment, optional
        The same by the protocol that the printed figures come from, where that is known and is not
        the one that the paper describes; it has a protocol and a remark of its own.
    """

    paper: Paper
    number: str
    title: str
    protocol: str
    remark: str = ""
    repeats: int = 20
    quick: int = 3
    claims: Sequence[Claim] = ()
    as_printed: Experiment | None = None

    @property
    def name(self) -> str:
        """Its name on the command line: paper, kind and number."""
        return f"{self.paper.key}-{self.number.lower().replace(' ', '-')}"

    @property
    def measures(self) -> list[Measure]:
        """All measures, each once."""
        raise NotImplementedError

    @property
    def ways(self) -> dict[str, Experiment]:
        """The experiment as written, and as printed if that differs."""
        printed = {} if self.as_printed is None else {PRINTED: self.as_printed}
        return {WRITTEN: self, **printed}


@dataclass(frozen=True, kw_only=True)
class Table(Experiment):
    """Numbers by row and column.

    ``what`` says what they are: "mistakes" are shown in per cent where another set stands in for
    the paper's, since it has another number of rounds.
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
    """Turn measures by column and row into the cells of a table, by row and column."""
    return {
        (row, column): measure
        for column, measures in columns.items()
        for row, measure in measures.items()
    }


def _once(measures: Iterable[Measure]) -> list[Measure]:
    return list({id(m): m for m in measures}.values())


# -------------------------------------------------------- claims that papers commonly make


def lowest(*names: str, at: int = -1) -> Claim:
    """Claim that one of these is the lowest of all, at the end or at another place."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return min(heights, key=lambda name: float(heights[name][at])) in names

    return Claim(f"{' or '.join(names)} makes the fewest mistakes", holds)


def highest(name: str, at: int = -1) -> Claim:
    """Claim that this one is the highest of all."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return bool(heights[name][at] >= max(each[at] for each in heights.values()))

    return Claim(f"{name} makes the most mistakes", holds)


def lower(name: str, *others: str, at: int = -1) -> Claim:
    """Claim that this one is not above any of the others."""

    def holds(heights: Mapping[str, Floats]) -> bool:
        return bool(heights[name][at] <= min(heights[other][at] for other in others))

    return Claim(f"{name} makes fewer mistakes than {' and '.join(others)}", holds)
