"""Chart: the data of one chart as plotly.js takes it, its title, and one line that explains it.

The colours are those of Okabe and Ito, which colour-blind people can distinguish.
"""

from __future__ import annotations

import html
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import NDArray

__all__ = [
    "AGAINST",
    "BLUES",
    "COLOURS",
    "DARK",
    "DASHES",
    "FOR",
    "GRID",
    "INK",
    "PAPER",
    "QUIET",
    "Chart",
    "Key",
    "Trace",
    "axis",
    "band_traces",
    "colour",
    "dash",
    "in_order",
    "layout",
    "line_trace",
    "numbers",
    "safe",
]

Trace = dict[str, Any]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
FOR, AGAINST = COLOURS[:2]
DASHES = ("solid", "dash", "dot", "dashdot")
INK = "#222222"
QUIET = "#6b7280"
GRID = "#e5e7eb"
PAPER = "#ffffff"
BLUES = [[0, PAPER], [0.3, "#d6e6f4"], [0.65, "#7fb8da"], [1, "#1c6cb1"]]

DARK = {
    "#0072b2": "#4c9fdb",
    "#d55e00": "#f0803c",
    "#009e73": "#2fc79b",
    "#cc79a7": "#e0a0c5",
    "#e69f00": "#f2b63c",
    "#56b4e9": "#a5dcfa",
    "#000000": "#f4f5f7",
    INK: "#e5e7eb",
    QUIET: "#9aa4b2",
    GRID: "#333a45",
    PAPER: "#1b1f26",
    "#d6e6f4": "#1d3a56",
    "#7fb8da": "#2f73a8",
    "#1c6cb1": "#7cc0f2",
}
"""The colour that takes the place of each colour where the system's theme is dark."""


class Key(NamedTuple):
    """An entry of the legend. It shows and hides the traces whose ``meta`` is its number."""

    name: str
    colour: str
    dash: str = "solid"


@dataclass(frozen=True)
class Chart:
    """A chart of a page.

    Parameters
    ----------
    title : str
        Its title.
    about : str
        One line that explains it, for people who do not know the papers.
    traces : sequence of dict
        The traces, as plotly.js takes them.
    layout : dict
        The layout, as plotly.js takes it.
    keys : sequence of Key, default ()
        The legend.
    wide : bool, default False
        Whether it takes the whole width of the page.

    Examples
    --------
    >>> from braided.report.chart import axis, layout
    >>> bars = {"type": "bar", "x": ["olsf"], "y": [0.2]}
    >>> shown = layout(axis("learner"), axis("error rate"))
    >>> Chart("Errors", "The error rate.", [bars], shown).title
    'Errors'
    """

    title: str
    about: str
    traces: Sequence[Trace]
    layout: dict[str, Any]
    keys: Sequence[Key] = ()
    wide: bool = False

    @property
    def figure(self) -> dict[str, Any]:
        """The figure as plotly.js takes it."""
        return {"data": list(self.traces), "layout": self.layout}


def safe(name: Hashable, longest: int = 28) -> str:
    """A name from the data as text for plotly.js, with tags, entities and formulas escaped."""
    text = str(name)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return html.escape(text).replace("$", "&#36;")


def numbers(values: Iterable[float], digits: int = 5) -> list[float | None]:
    """Numbers for JSON, rounded; None, which is a gap, if not finite."""
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in map(float, values)]


def in_order(labels: Iterable[Any]) -> list[Any]:
    """The labels sorted; in their own order if they can not be compared."""
    given = list(labels)
    try:
        return sorted(given)
    except TypeError:
        return given


def axis(title: str = "", **more: Any) -> dict[str, Any]:
    """An axis in the style of the page."""
    return {
        "title": {"text": title, "font": {"size": 13, "color": QUIET}, "standoff": 8},
        "gridcolor": GRID,
        "linecolor": GRID,
        "zeroline": False,
        "automargin": True,
        "fixedrange": False,
        "tickfont": {"size": 12, "color": QUIET},
        **more,
    }


def layout(across: dict[str, Any], up: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The layout of a chart in the style of the page."""
    return {
        "font": {"family": "system-ui, sans-serif", "size": 13, "color": INK},
        "height": 366,
        "margin": {"l": 8, "r": 12, "t": 34, "b": 8},  # the toolbar is above the data
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "x unified",
        "hoverlabel": {
            "bgcolor": PAPER,
            "bordercolor": QUIET,
            "font": {"size": 12, "color": INK},
        },
        "showlegend": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": QUIET, "activecolor": INK},
        "xaxis": across,
        "yaxis": up,
        **more,
    }


def colour(number: int) -> str:
    """The colour of the curve with this number; they repeat."""
    return COLOURS[number % len(COLOURS)]


def dash(number: int) -> str:
    """The dash pattern of that curve; it changes each time the colours repeat."""
    return DASHES[number // len(COLOURS) % len(DASHES)]


def line_trace(number: int, key: Key, across: Iterable[float], up: Iterable[float]) -> Trace:
    """The trace of a line, or of a dot if it has one point, for the key of this number."""
    x = numbers(across)
    # Later lines are thinner, so that both of two equal lines are visible.
    return {
        "type": "scatter",
        "mode": "lines" if len(x) > 1 else "markers",
        "name": safe(key.name),
        "meta": number,
        "x": x,
        "y": numbers(up, 4),
        "line": {"color": key.colour, "dash": key.dash, "width": max(1.5, 2.8 - 0.4 * number)},
    }


def band_traces(number: int, key: Key, across: NDArray[Any], runs: NDArray[Any]) -> list[Trace]:
    """The traces of the mean of several runs, and of a band of one standard deviation."""
    mean = runs.mean(axis=0)
    middle = line_trace(number, key, across, mean)
    if len(runs) < 2 or key.colour == QUIET:
        return [middle]
    spread = runs.std(axis=0, ddof=1)
    area = {
        **line_trace(
            number, key, [*across, *across[::-1]], [*(mean + spread), *(mean - spread)[::-1]]
        ),
        "fill": "toself",
        "fillcolor": _faint(key.colour),
        "line": {"width": 0},
        "hoverinfo": "skip",
    }
    return [area, middle]


def _faint(colour: str) -> str:
    """The colour, almost transparent; as rgba, since older plotly does not know ``#rrggbbaa``."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return f"rgba({red},{green},{blue},0.13)"
