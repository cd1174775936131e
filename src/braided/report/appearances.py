"""Features that appear and features that stop being observed, by name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import NamedTuple

import numpy as np

from braided.report.chart import AGAINST, FOR, QUIET, Chart, Key, Trace, axis, layout, safe
from braided.rows.rows import Rows

__all__ = ["Appearances", "Span", "appearances_chart"]

SHOWN = 24
"""The most features that are shown: the most frequent ones that appear, or that stop."""

MISSED = 10
"""A feature is not there any more, or not there yet, after so many of its mean gaps."""


class Span(NamedTuple):
    """The rounds in which a feature was observed.

    Attributes
    ----------
    first : int
        The first round, counted from 1.
    last : int
        The last round.
    observed : int
        In how many rounds it was observed.
    """

    first: int
    last: int
    observed: int

    @property
    def gap(self) -> float:
        """The mean number of rounds from one observation to the next."""
        return (self.last - self.first + 1) / self.observed


@dataclass
class Appearances:
    """When each feature was first and last observed; give it all rows of a stream, in order.

    Attributes
    ----------
    rounds : int, default 0
        The number of rounds so far.
    spans : dict, default {}
        When each feature was observed, by its name.

    Examples
    --------
    >>> from braided import as_rows
    >>> seen = Appearances()
    >>> seen.add(as_rows([{"a": 1}, {"a": 1, "b": 1}, {"b": 2}]))
    >>> seen.spans["b"]
    Span(first=2, last=3, observed=2)
    """

    rounds: int = 0
    spans: dict[Hashable, Span] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Iterable[Rows]) -> Appearances:
        """Look at all rows of a stream.

        Parameters
        ----------
        blocks : iterable of Rows
            The rows, block by block.

        Returns
        -------
        Appearances
            When each feature was observed.
        """
        seen = cls()
        for block in blocks:
            seen.add(block)
        return seen

    def add(self, rows: Rows) -> None:
        """Look at the next rows.

        Parameters
        ----------
        rows : Rows
            The rows.
        """
        places = self.rounds + 1 + rows.row_of_entry()  # they rise
        columns, first, counts = np.unique(rows.indices, return_index=True, return_counts=True)
        last = rows.indices.size - 1 - np.unique(rows.indices[::-1], return_index=True)[1]
        found = zip(
            columns.tolist(),
            places[first].tolist(),
            places[last].tolist(),
            counts.tolist(),
            strict=True,
        )
        for column, begin, end, observed in found:
            name = rows.name(column)
            before = self.spans.get(name)
            if before is not None:
                begin, observed = before.first, before.observed + observed
            self.spans[name] = Span(begin, end, observed)
        self.rounds += len(rows)

    def appeared(self, span: Span) -> bool:
        """Tell whether a feature appeared on the way.

        Parameters
        ----------
        span : Span
            When it was observed.

        Returns
        -------
        bool
            Whether it was not there from the beginning.
        """
        return span.first - 1 > MISSED * span.gap

    def stopped(self, span: Span) -> bool:
        """Tell whether a feature stopped being observed.

        Parameters
        ----------
        span : Span
            When it was observed.

        Returns
        -------
        bool
            Whether it was there no more at the end.
        """
        return self.rounds - span.last > MISSED * span.gap


def appearances_chart(seen: Appearances) -> Chart | None:
    """Draw from when to when features were observed; None if none appeared or stopped."""
    came = {name for name, span in seen.spans.items() if seen.appeared(span)}
    went = {name for name, span in seen.spans.items() if seen.stopped(span)}
    if not came and not went:
        return None
    # Of equally frequent features, those that were seen first: sorting keeps their order.
    frequent = sorted(seen.spans, key=lambda name: -seen.spans[name].observed)
    in_turn = zip_longest(*([name for name in frequent if name in of] for of in (came, went)))
    changed = dict.fromkeys(name for pair in in_turn for name in pair if name in came | went)
    shown = sorted(islice(changed, SHOWN), key=lambda name: -seen.spans[name].first)
    traces = [_line(name, y, seen.spans[name]) for y, name in enumerate(shown)]
    traces.append(
        _marks(1, [(y, n, seen.spans[n].first) for y, n in enumerate(shown) if n in came], FOR)
    )
    traces.append(
        _marks(2, [(y, n, seen.spans[n].last) for y, n in enumerate(shown) if n in went], AGAINST)
    )
    names = {"tickvals": list(range(len(shown))), "ticktext": [safe(n, 22) for n in shown]}
    most = f" The {SHOWN} most frequent of them." if len(changed) > SHOWN else ""
    return Chart(
        "Features that appear and stop",
        f"{len(came)} of {len(seen.spans)} features appeared after the beginning, {len(went)} "
        f"stopped being observed before the end: they were missing for more than {MISSED} times "
        f"their mean gap.{most}",
        traces,
        layout(
            axis("round", range=[0, 1.02 * seen.rounds]),
            axis("", showgrid=False, range=[-0.7, len(shown) - 0.3], **names),
            hovermode="closest",
            height=110 + 20 * len(shown),
        ),
        [Key("observed", QUIET), Key("appears", FOR), Key("stops", AGAINST)],
        wide=True,
    )


def _line(name: Hashable, y: int, span: Span) -> Trace:
    label = f"{safe(name, 80)}: rounds {span.first} to {span.last}, observed in {span.observed}"
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": 0,
        "x": [span.first, span.last],
        "y": [y, y],
        "customdata": [label, label],
        "hovertemplate": "%{customdata}<extra></extra>",
        "line": {"color": QUIET, "width": 2},
    }


def _marks(number: int, places: list[tuple[int, Hashable, int]], colour: str) -> Trace:
    verb = "appears" if number == 1 else "stops"
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": number,
        "x": [x for _, _, x in places],
        "y": [y for y, _, _ in places],
        "customdata": [safe(name, 80) for _, name, _ in places],
        "hovertemplate": f"%{{customdata}} {verb} in round %{{x}}<extra></extra>",
        "marker": {
            "color": colour,
            "size": 9,
            "symbol": "triangle-right" if number == 1 else "x",
        },
        "cliponaxis": False,
    }
