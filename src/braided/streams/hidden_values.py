"""Two ways to hide values: columns outside a span of rounds, or random values of each row.

Both take the blocks of one pass over a stream, and return them with the observed values only.
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

__all__ = ["hide_at_random", "hide_outside_spans"]


def hide_outside_spans(
    rows: Rows, columns: NDArray[np.int64], first: NDArray[np.int64], end: NDArray[np.int64]
) -> Shape:
    """Observe column ``columns[j]`` in the rounds ``first[j]`` to ``end[j] - 1`` only.

    Parameters
    ----------
    rows : Rows
        The rows of the stream; columns that are not named here are hidden.
    columns : ndarray of int
        The columns.
    first : ndarray of int
        The first round of each column.
    end : ndarray of int
        The round after the last of each column.

    Returns
    -------
    callable
        The shape of the stream.
    """
    # np.zeros takes memory only where something is written, so wide rows cost nothing.
    first_of, end_of = np.zeros(rows.width, np.int64), np.zeros(rows.width, np.int64)
    first_of[columns] = first
    end_of[columns] = end
    return partial(_inside_spans, first=first_of, end=end_of)


def _inside_spans(
    blocks: Iterator[Rows], first: NDArray[np.int64], end: NDArray[np.int64]
) -> Iterator[Rows]:
    done = 0
    for block in blocks:
        rounds = done + block.row_of_entry()
        columns = block.indices
        yield block.select((first[columns] <= rounds) & (rounds < end[columns]))
        done += len(block)


def hide_at_random(blocks: Iterator[Rows], missing: float, seed: int) -> Iterator[Rows]:
    """Hide a share of each row's values, drawn from [0, missing]; see ``capricious``.

    Parameters
    ----------
    blocks : iterator of Rows
        The blocks of one pass.
    missing : float, 0 to 1
        The largest share of a row that is hidden.
    seed : int
        The seed.

    Yields
    ------
    Rows
        The blocks with the observed values.
    """
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
    """Mark the values that are kept when row t loses ``lost[t]`` of its values.

    Selection sampling (Knuth, TAOCP 2, 3.4.2, Algorithm S): if m of the r remaining values are to
    be hidden, the next one is hidden with probability m / r. So every choice of values is equally
    likely, with one random number for each value and without sorting.
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
