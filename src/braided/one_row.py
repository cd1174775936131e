"""OneRow: the buffers through which a single dict reaches the compiled driver, quickly."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from braided import driver
from braided.kernels.vector import squared_norm
from braided.rows import LARGEST

__all__ = ["OneRow"]


class OneRow:
    """Rows of length one, written over again and again.

    ``struct`` fills a buffer in a fraction of the time that NumPy takes to make an array of a short
    list. Names are translated only when they differ from those of the last row: people
    predict and then learn the same row, and many sources send the same names every time.
    """

    def __init__(self, state: Any, parameters: Any) -> None:
        self.indptr = np.zeros(2, np.int64)
        self.indices = np.empty(16, np.int32)
        self.values = np.empty(16, np.float64)
        self.label = np.ones(1)
        self.weight = np.ones(1)
        self.score_before = np.zeros(1)
        self._names: list[Hashable] = []
        scoring = (state, parameters, self.indptr, self.indices, self.values)
        learning = (*scoring, self.label, self.weight, self.score_before)
        self._learn = driver.specialised(driver.learn_rows, *learning)
        self._score = driver.specialised(driver.score_rows, *scoring, self.score_before)

    def fill(self, x: Mapping[Hashable, Any], columns: Mapping[Hashable, int]) -> bool:
        """Put x into the buffers; False when a value is no number. NaN and infinity pass.

        Raises KeyError for a name without a column, after the values were filled in.
        """
        names = [*x]
        if len(names) > self.indices.size:
            self.indices = np.empty(2 * len(names), np.int32)
            self.values = np.empty(2 * len(names), np.float64)
            self._names = []
        write_indices, write_values = _writers(len(names))
        try:
            write_values(self.values, 0, *x.values())
        except (struct.error, TypeError, ValueError, OverflowError):
            return False
        if names != self._names:
            write_indices(self.indices, 0, *map(columns.__getitem__, names))
            self._names = names
        self.indptr[1] = len(names)
        return True

    def usable(self, count: int) -> bool:
        """Whether the values filled in are all observed and within range."""
        return bool(squared_norm(self.values[:count]) <= LARGEST * LARGEST)

    def learn(self, state: Any, parameters: Any, sign: float) -> bool:
        """Learn what was filled in; False, and nothing learned, if a value is not usable."""
        self.label[0] = sign
        return bool(
            self._learn(
                state,
                parameters,
                self.indptr,
                self.indices,
                self.values,
                self.label,
                self.weight,
                self.score_before,
            )
        )

    def score(self, state: Any, parameters: Any) -> float | None:
        """The score of what was filled in; None if a value is not usable."""
        scored = self._score(
            state, parameters, self.indptr, self.indices, self.values, self.score_before
        )
        return float(self.score_before[0]) if scored else None


@lru_cache(maxsize=4096)
def _writers(size: int) -> tuple[Any, Any]:
    return struct.Struct(f"{size}i").pack_into, struct.Struct(f"{size}d").pack_into
