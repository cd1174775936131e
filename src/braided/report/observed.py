"""The picture of what a stream shows: which features are observed over time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from braided.registry import SHAPES
from braided.report.chart import Chart, axis, layout, numbers, safe
from braided.streams.stream import Stream

__all__ = ["Observed", "observed", "observed_chart"]

ACROSS = 200
UP = 120
"""How many cells the picture has at most, across and up."""

BLUES = [[0, "#ffffff"], [0.3, "#d6e6f4"], [0.65, "#7fb8da"], [1, "#1c6cb1"]]

NAMED = 24
"""With more features than this, the axis counts them instead of naming them."""


def observed_chart(stream: Stream) -> Chart:
    """Rounds across, features up in order of first sight; the darker, the more is observed."""
    about = SHAPES.find(stream.name).picture if stream.name in SHAPES else ""
    seen = observed(stream)
    middles = (seen.rounds[:-1] + seen.rounds[1:] + 1) / 2
    features = (seen.features[:-1] + seen.features[1:] + 1) / 2
    up = axis("feature, in order of first sight")
    if seen.names is not None and len(seen.names) <= NAMED:
        ticks = [safe(name, 16) for name in seen.names]
        up = axis("", tickvals=list(range(1, len(ticks) + 1)), ticktext=ticks)
        up["tickfont"] = {**up["tickfont"], "size": 10}
    # Roots: in a sparse stream most cells would be as good as white. The scale says the true share.
    largest = float(seen.share.max(initial=0.0)) or 1.0
    marks = largest * np.array([0.0, 0.04, 0.16, 0.36, 0.64, 1.0])
    heat = {
        "type": "heatmap",
        "x": numbers(middles),
        "y": numbers(features),
        "z": [numbers(row, 3) for row in np.sqrt(seen.share)],
        "customdata": [numbers(100 * row, 3) for row in seen.share],
        "hovertemplate": "round %{x}, feature %{y}: %{customdata} % observed<extra></extra>",
        "zmin": 0.0,
        "zmax": largest**0.5,
        "colorscale": BLUES,
        "colorbar": {
            "thickness": 10,
            "outlinewidth": 0,
            "tickvals": numbers(np.sqrt(marks)),
            "ticktext": [f"{100 * mark:.3g} %" for mark in marks],
            "tickfont": {"size": 11},
        },
    }
    return Chart(
        "What was observed",
        f"{about} Time runs from left to right, each line is a feature; "
        "the darker, the more of its values were there, and white is not observed.",
        [heat],
        layout(axis("round", showgrid=False), {**up, "showgrid": False}, hovermode="closest"),
        wide=True,
    )


@dataclass(frozen=True, eq=False)
class Observed:
    """``share[j, i]``: the share of the values observed of features j in rounds i.

    Features stand in order of first sight. Cell i holds the rounds ``rounds[i]`` to ``rounds[i+1]``
    (without the last), cell j the features ``features[j]`` to ``features[j+1]``.
    """

    share: NDArray[np.float64]
    rounds: NDArray[np.int64]
    features: NDArray[np.int64]
    names: tuple[Hashable, ...] | None
    """The features' names, if each has a cell of its own."""


def observed(stream: Stream, across: int = ACROSS, up: int = UP) -> Observed:
    """Count, in two passes over the stream, what it shows.

    Examples
    --------
    >>> from braided import streams
    >>> stream = streams.given([{"a": 1}, {"b": 1}, {"a": 1, "b": 2}], [0, 1, 0])
    >>> observed(stream).share.tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
    """
    order = _by_first_sight(stream)
    rank = np.full(stream.rows.width, -1)
    rank[order] = np.arange(order.size)
    rounds = _edges(len(stream), across)
    features = _edges(order.size, up)
    cells = (features.size - 1, rounds.size - 1)
    counts = np.zeros(cells[0] * cells[1], np.int64)
    done = 0
    for block in stream:
        i = np.searchsorted(rounds, done + block.row_of_entry(), side="right") - 1
        j = np.searchsorted(features, rank[block.indices], side="right") - 1
        counts += np.bincount(j * cells[1] + i, minlength=counts.size)
        done += len(block)
    room = np.diff(features)[:, None] * np.diff(rounds)[None, :]
    names = tuple(stream.rows.name(column) for column in order) if order.size <= up else None
    return Observed(counts.reshape(cells) / np.maximum(room, 1), rounds, features, names)


def _by_first_sight(stream: Stream) -> NDArray[np.int64]:
    """The columns that are ever observed, in the order in which they are."""
    seen = np.zeros(stream.rows.width, bool)
    order = [np.empty(0, np.int64)]
    for block in stream:
        columns, first = np.unique(block.indices, return_index=True)
        new = ~seen[columns]
        order.append(columns[new][np.argsort(first[new])].astype(np.int64))
        seen[columns] = True
    return np.concatenate(order)


def _edges(number: int, most: int) -> NDArray[np.int64]:
    """Where cells begin, and the end of the last, for so many things in at most so many cells."""
    cells = max(1, min(number, most))
    return np.arange(cells + 1) * number // cells
