"""The rows that pictures show: real features first, then features of noise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided import datasets

REAL, NOISE = 20, 8
FEATURES = REAL + NOISE
ROUNDS = 1600
WINDOW = 120


def rows(seed: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    """Tissue samples (wdbc), each feature with mean 0 and deviation 1, and columns of noise."""
    data = datasets.load("wdbc")
    table = np.array([[row.get(name, 0.0) for name in _names(data)] for row in data.X.dicts()])
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    chance = np.random.default_rng(seed)
    chosen = chance.integers(0, len(table), ROUNDS)
    noise = chance.normal(size=(ROUNDS, NOISE))
    return np.hstack([table[chosen][:, :REAL], noise]), data.y[chosen]


def _names(data: datasets.Dataset) -> Sequence[Any]:
    return sorted({name for row in data.X.dicts() for name in row})


def recent(wrong: NDArray[Any], points: int = 160) -> list[float]:
    """The share of wrong predictions in the last rounds, at points over the whole stream."""
    ends = np.linspace(WINDOW, len(wrong), points).astype(int)
    return [float(np.mean(wrong[end - WINDOW : end])) for end in ends]
