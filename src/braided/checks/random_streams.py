"""Streams for checks, made from a seed: features appear, vanish and return, values tie."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

__all__ = [
    "NAMES",
    "TYING",
    "Row",
    "Stream",
    "columns_of",
    "long_stream",
    "small_stream",
    "small_streams",
]

Row = dict[Hashable, Any]
Stream = list[tuple[Row, Any]]
"""Rows and their labels."""

NAMES = [f"f{i}" for i in range(12)]

# Powers of two and small whole numbers: sums are exact, so ties are real ties.
TYING = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 2.0)


def small_stream(seed: int, most_rows: int = 40) -> Stream:
    """Make a short stream over twelve names.

    Which names there are changes from row to row. Streams of even seeds have few values, with
    zeros, so that weights tie; the others have any values from -10 to 10. Some rows are empty.

    Parameters
    ----------
    seed : int
        The same seed gives the same stream.
    most_rows : int, default 40
        The largest number of rows; there is at least one.

    Returns
    -------
    list of (dict, int)
        Rows, with labels -1 and 1.
    """
    rng = np.random.default_rng(seed)
    alive = rng.random(len(NAMES)) < 0.5
    stream: Stream = []
    for _ in range(int(rng.integers(1, most_rows + 1))):
        alive ^= rng.random(len(NAMES)) < 0.15
        observed = np.flatnonzero(alive & (rng.random(len(NAMES)) < 0.7))
        rng.shuffle(observed)
        if rng.random() < 0.05:
            observed = observed[:0]
        values = rng.uniform(-10, 10, observed.size)
        if seed % 2 == 0:
            values = rng.choice(TYING, observed.size)
        x: Row = {NAMES[c]: v for c, v in zip(observed, values.tolist(), strict=True)}
        stream.append((x, int(rng.choice((-1, 1)))))
    return stream


def small_streams(count: int = 25) -> list[Stream]:
    """Make short streams of the seeds 0, 1, ...

    Parameters
    ----------
    count : int, default 25
        How many.

    Returns
    -------
    list of streams
        See ``small_stream``.
    """
    return [small_stream(seed) for seed in range(count)]


def long_stream(seed: int, rounds: int = 400, features: int = 60, density: float = 0.2) -> Stream:
    """Make a stream that can be learned, long enough for budgets to be used up again and again.

    Parameters
    ----------
    seed : int
        The same seed gives the same stream.
    rounds : int, default 400
        How many rows.
    features : int, default 60
        How many features there are in the end; they appear one after another.
    density : float from 0 to 1, default 0.2
        The share of the features so far that a row observes.

    Returns
    -------
    list of (dict, int)
        Rows, with labels -1 and 1.
    """
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=features)
    stream: Stream = []
    for t in range(rounds):
        alive = max(3, features * (t + 1) // rounds)
        columns = np.flatnonzero(rng.random(alive) < density)
        rng.shuffle(columns)
        values = rng.normal(size=columns.size) * np.exp(rng.normal(size=columns.size))
        label = 1 if hidden[columns] @ values + 0.3 * rng.normal() > 0 else -1
        x: Row = {f"f{c}": float(v) for c, v in zip(columns, values, strict=True)}
        stream.append((x, label))
    return stream


def columns_of(stream: Stream) -> tuple[list[Row], list[Any]]:
    """Take rows and labels apart.

    Parameters
    ----------
    stream : list of (dict, label)
        The rows and their labels.

    Returns
    -------
    tuple of two lists
        The rows, and the labels.
    """
    return [x for x, _ in stream], [y for _, y in stream]
