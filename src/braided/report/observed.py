"""The chart of a stream: which features are observed in which rounds."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from braided.registry import SHAPES
from braided.report.chart import BLUES, Chart, axis, layout, numbers, safe
from braided.streams.stream import Stream

__all__ = ["Observed", "edges", "observed", "observed_chart"]

ACROSS = 200
UP = 120
"""The most cells of the chart, across and up."""

NAMED = 24
"""With more features than this, the axis has numbers instead of names."""


def observed_chart(stream: Stream) -> Chart:
    """Draw rounds across and features up, in the order in which they are first observed."""
    about = SHAPES.find(stream.name).picture if stream.name in SHAPES else ""
    seen = observed(stream)
    middles = (seen.rounds[:-1] + seen.rounds[1:] + 1) / 2
    features = (seen.features[:-1] + seen.features[1:] + 1) / 2
    up = axis("feature, in order of first appearance")
    if seen.names is not None and len(seen.names) <= NAMED:
        ticks = [safe(name, 16) for name in seen.names]
        up = axis("", tickvals=list(range(1, len(ticks) + 1)), ticktext=ticks)
        up["tickfont"] = {**up["tickfont"], "size": 10}
    # Colours follow roots: else most cells of a sparse stream would be white. The scale shows the
    # shares themselves.
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
        "Observed features",
        f"{about} Rounds from left to right, one line for each feature; the stronger the colour, "
        "the more rounds in which it is observed.",
        [heat],
        layout(axis("round", showgrid=False), {**up, "showgrid": False}, hovermode="closest"),
        wide=True,
    )


@dataclass(frozen=True, eq=False)
class Observed:
    """The share of values that are observed, for groups of features and of rounds.

    Attributes
    ----------
    share : ndarray of float
        ``share[j, i]`` is the share of features group j in rounds group i.
    rounds : ndarray of int
        Group i has the rounds ``rounds[i]`` to ``rounds[i+1] - 1``.
    features : ndarray of int
        Group j has the features ``features[j]`` to ``features[j+1] - 1``, in order of first
        appearance.
    names : tuple, optional
        The names of the features, if each is a group of its own.
    """

    share: NDArray[np.float64]
    rounds: NDArray[np.int64]
    features: NDArray[np.int64]
    names: tuple[Hashable, ...] | None


def observed(stream: Stream, across: int = ACROSS, up: int = UP) -> Observed:
    """Count what a stream observes, in two passes over it.

    Parameters
    ----------
    stream : Stream
        The stream.
    across : int, default 200
        The most groups of rounds.
    up : int, default 120
        The most groups of features.

    Returns
    -------
    Observed
        The shares.

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
    rounds = edges(len(stream), across)
    features = edges(order.size, up)
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
    """The columns that are ever observed, in order of first appearance."""
    seen = np.zeros(stream.rows.width, bool)
    order = [np.empty(0, np.int64)]
    for block in stream:
        columns, first = np.unique(block.indices, return_index=True)
        new = ~seen[columns]
        order.append(columns[new][np.argsort(first[new])].astype(np.int64))
        seen[columns] = True
    return np.concatenate(order)


def edges(number: int, most: int) -> NDArray[np.int64]:
    """The first number of each group, and the end, of numbers in at most ``most`` groups."""
    cells = max(1, min(number, most))
    return np.arange(cells + 1) * number // cells
