"""Which features a stream shows over time, counted into a picture of bounded size."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from braided.streams.stream import Stream

__all__ = ["Observed", "observed"]

ACROSS = 200
UP = 120


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
