"""Stream: labelled rows in an order, with a shape that hides some of their values."""

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
"""A function from the blocks of a stream to the same blocks with the observed values only.

It is called once for each pass over the stream, and keeps its state (the round, random numbers) for
that pass. What it does to a row may depend on that row and the rows before it, not on where blocks
end.
"""


def hide_nothing(blocks: Iterator[Rows]) -> Iterator[Rows]:
    """Return the blocks as they are: the shape that hides nothing."""
    return blocks


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stream:
    """Labelled rows in an order, with a shape that hides some of their values.

    Iterating gives blocks of up to 1024 rounds as labelled ``Rows``. Every pass is the same, and
    the rounds do not depend on the size of the blocks.

    Parameters
    ----------
    name : str
        The name of its shape.
    rows : Rows
        All rows with all their values and labels, in their own order.
    shape : callable, optional
        What hides values; nothing is hidden if left out.
    order : ndarray of int, optional
        The number of each round's row; the rows' own order if left out.
    parameters : mapping, default {}
        The options of the shape, without the seed.
    seed : int, optional
        The seed; None if nothing is random.

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
    shape: Shape = hide_nothing
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
        """Return the rounds as labelled rows, block by block.

        Parameters
        ----------
        size : int, at least 1, default 1024
            The number of rounds in a block; the last may be shorter.

        Returns
        -------
        iterator of Rows
            The blocks. All share one ``names`` object.
        """
        check_whole("size", size, 1)
        return self.shape(self._unhidden(size))

    def materialized(self) -> Stream:
        """Return the same stream with its rows in order and values hidden, for several passes.

        Returns
        -------
        Stream
            A stream that shuffles and hides nothing, with the rounds of this one.
        """
        rows = next(self.blocks(len(self)))
        return Stream(self.name, rows, parameters=self.parameters, seed=self.seed)

    def pairs(self) -> Iterator[tuple[dict[Hashable, float], Any]]:
        """Iterate over rounds as dicts, as river expects them.

        Yields
        ------
        tuple
            The observed values by feature name, and the label.
        """
        for block in self:
            assert block.labels is not None
            yield from zip(block.dicts(), block.labels.tolist(), strict=True)

    def _unhidden(self, size: int) -> Iterator[Rows]:
        for start in range(0, len(self), size):
            rounds = slice(start, start + size)
            yield self.rows[rounds if self.order is None else self.order[rounds]]
