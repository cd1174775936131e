"""Stream: rows in an order, of which each round shows what its shape lets be seen."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from braided.parameters import check_whole
from braided.rows.rows import BLOCK, Rows

__all__ = ["Shape", "Stream"]

Shape: TypeAlias = Callable[[Iterator[Rows]], Iterator[Rows]]
"""From the blocks of a stream, first to last, to the same blocks with only what is observed.

It is called anew for every pass and keeps what it needs to know (the round, its random numbers)
in the pass. What it does to a row may depend on that row and those before it, never on where a
block ends.
"""


def everything(blocks: Iterator[Rows]) -> Iterator[Rows]:
    """The shape that hides nothing."""
    return blocks


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stream:
    """Labelled rows, round by round; every pass over it is the same.

    Iterating gives blocks of up to 1024 rounds as labelled ``Rows``. However the rounds are cut
    into blocks, they are the same, bit for bit.

    Parameters
    ----------
    name
        the name of its shape.
    rows
        all rows with all their entries and a label each, in the set's own order.
    shape
        what hides entries; by default nothing is hidden.
    order
        the number of the row that each round shows; by default the rows' own order.
    parameters
        the parameters of the shape, without the seed.
    seed
        the seed, or None if nothing is random.

    Examples
    --------
    >>> from braided.streams import capricious
    >>> stream = capricious([[1.0, 0.0], [2.0, 3.0], [4.0, 5.0]], ["a", "b", "a"], seed=7)
    >>> stream
    <capricious stream: 3 rounds, 2 columns, missing=0.5, seed=7>
    >>> list(stream)
    [<3 rows, 2 columns, 5 values, labelled>]
    >>> for x, y in stream.pairs():
    ...     print(x, y)
    {0: 2.0} b
    {0: 4.0, 1: 5.0} a
    {0: 1.0, 1: 0.0} a
    """

    name: str
    rows: Rows
    shape: Shape = everything
    order: NDArray[np.int64] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None

    def __len__(self) -> int:
        """The number of rounds."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Rows]:
        return self.blocks()

    def __repr__(self) -> str:
        settings = dict(self.parameters)
        if self.seed is not None:
            settings["seed"] = self.seed
        facts = [f"{len(self)} rounds", f"{self.rows.width} columns"]
        facts += [f"{name}={value!r}" for name, value in settings.items()]
        return f"<{self.name} stream: {', '.join(facts)}>"

    def blocks(self, size: int = BLOCK) -> Iterator[Rows]:
        """The rounds as labelled rows, ``size`` rounds at a time (the last block may be shorter).

        All blocks share one ``names`` object.
        """
        check_whole("size", size, 1)
        return self.shape(self._unhidden(size))

    def materialized(self) -> Stream:
        """The same stream with its rows as the rounds show them, for whoever goes over it often."""
        rows = next(self.blocks(len(self)))
        return Stream(self.name, rows, parameters=self.parameters, seed=self.seed)

    def pairs(self) -> Iterator[tuple[dict[Hashable, float], Any]]:
        """Each round as a dict from feature to value and a label, as river expects them."""
        for block in self:
            assert block.labels is not None
            yield from zip(block.dicts(), block.labels.tolist(), strict=True)

    def _unhidden(self, size: int) -> Iterator[Rows]:
        for start in range(0, len(self), size):
            rounds = slice(start, start + size)
            yield self.rows[rounds if self.order is None else self.order[rounds]]
