"""The two ways in which shapes hide values: columns that live for a while, rows that lose some.

Each is given the blocks of one pass and gives them back with only what is observed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import cached
from braided.rows.rows import Rows
from braided.streams.random_numbers import Draws, Purpose
from braided.streams.stream import Shape

__all__ = ["lives", "losing"]


def lives(
    rows: Rows, columns: NDArray[np.int64], born: NDArray[np.int64], gone: NDArray[np.int64]
) -> Shape:
    """Column ``columns[j]`` is observed from round ``born[j]`` until before round ``gone[j]``."""
    # Zeros that nothing is written to take no memory, however wide the rows are.
    born_at, gone_at = np.zeros(rows.width, np.int64), np.zeros(rows.width, np.int64)
    born_at[columns] = born
    gone_at[columns] = gone
    return partial(_living, born=born_at, gone=gone_at)


def _living(
    blocks: Iterator[Rows], born: NDArray[np.int64], gone: NDArray[np.int64]
) -> Iterator[Rows]:
    first = 0
    for block in blocks:
        rounds = first + block.row_of_entry()
        columns = block.indices
        yield block.select((born[columns] <= rounds) & (rounds < gone[columns]))
        first += len(block)


def losing(blocks: Iterator[Rows], missing: float, seed: int) -> Iterator[Rows]:
    """Each row loses a share of its k entries drawn from [0, missing], s k rounded by chance."""
    purposes = (Purpose.SHARES, Purpose.ROUNDING, Purpose.LOSSES)
    shares, rounding, losses = (Draws(seed, purpose) for purpose in purposes)
    for block in blocks:
        share = missing * shares.uniform(len(block))
        lost = np.floor(share * np.diff(block.indptr) + rounding.uniform(len(block)))
        yield block.select(_kept(block.indptr, lost, losses.uniform(block.values.size)))


@cached
def _kept(
    indptr: NDArray[np.int64], lost: NDArray[np.float64], uniforms: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Mark the entries that stay when row t loses ``lost[t]`` of its entries.

    Selection sampling (Knuth, TAOCP 2, 3.4.2, Algorithm S): of r entries that are left, of which
    m must go, the next one goes with probability m / r. So every choice of entries is equally
    likely, at one number of [0, 1) per entry and without sorting.
    """
    keep = np.ones(uniforms.size, np.bool_)
    for row in range(lost.size):
        to_lose = lost[row]
        stop = indptr[row + 1]
        for entry in range(indptr[row], stop):
            if uniforms[entry] * (stop - entry) < to_lose:
                keep[entry] = False
                to_lose -= 1
    return keep
