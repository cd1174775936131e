"""Shuffling: the rows of a stream in a random order, in bounded memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from braided.rows.rows import Rows

__all__ = ["shuffled"]

MOST_ENTRIES = 2**24
"""The number of values that are held in memory; beyond it, rows go through temporary files."""

PILES = 64


def shuffled(blocks: Iterable[Rows], seed: int, size: int) -> Iterator[Rows]:
    """Shuffle rows: each order is as likely as any other.

    Each row goes to one of many piles by chance; then one pile after another is shuffled. Piles are
    held in memory as long as they are small, and are written to a temporary folder if not.

    Parameters
    ----------
    blocks : iterable of Rows
        The rows.
    seed : int
        The seed; the same rows and the same seed give the same order, however rows come in blocks.
    size : int
        How many rows a block has at most.

    Yields
    ------
    Rows
        The rows in their new order.
    """
    import numpy as np

    from braided.rows.rows import joined

    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory(prefix="braided-") as folder:
        piles = [_Pile(f"{folder}/{number}") for number in range(PILES)]
        held = 0
        for rows in blocks:
            chosen = random.integers(0, PILES, len(rows))
            for number in np.unique(chosen).tolist():
                piles[number].add(rows[np.flatnonzero(chosen == number)])
            held += rows.values.size
            if held > MOST_ENTRIES:
                for pile in piles:
                    pile.put_away()
                held = 0
        for pile in piles:
            parts = pile.parts()
            if parts:
                rows = joined(parts)
                rows = rows[random.permutation(len(rows))]
                for start in range(0, len(rows), size):
                    yield rows[start : start + size]


class _Pile:
    """Rows in memory, and those that were put away to a file of this process."""

    def __init__(self, path: str) -> None:
        self._path, self._away = path, 0
        self._held: list[Rows] = []

    def add(self, rows: Rows) -> None:
        self._held.append(rows)

    def put_away(self) -> None:
        import pickle

        if self._held:
            with open(f"{self._path}.{self._away}", "wb") as file:
                pickle.dump(self._held, file, protocol=5)
            self._held, self._away = [], self._away + 1

    def parts(self) -> list[Rows]:
        import pickle

        parts: list[Rows] = []
        for number in range(self._away):
            with open(f"{self._path}.{number}", "rb") as file:
                parts += pickle.load(file)
        return [*parts, *self._held]
