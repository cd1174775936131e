"""In which chunk of a trapezoidal stream each column comes, and in which round a chunk begins."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError

__all__ = ["checked_shares", "equal_chunks", "first_rounds", "listed_chunks"]

ROUNDING = 1e-9
"""So that 0.7 of 90 columns are 63, which floating-point numbers put at 62.99999999999999."""


def checked_shares(shares: Any) -> list[float]:
    """Refuse what is no rising list of shares.

    Parameters
    ----------
    shares : Any
        What was given.

    Returns
    -------
    list of float
        The shares.

    Raises
    ------
    InputError
        If there is none, one is not above 0 and at most 1, or one is smaller than the one before.
    """
    listed = list(shares) if isinstance(shares, Iterable) and not isinstance(shares, str) else []
    real = [s for s in listed if isinstance(s, numbers.Real) and not isinstance(s, bool)]
    found = [float(share) for share in real]
    rising = all(one <= other for one, other in pairwise(found))
    if not found or len(found) < len(listed) or not (found[0] > 0 and found[-1] <= 1 and rising):
        raise InputError(
            f"shares={shares!r} is not allowed: rising numbers above 0 and up to 1, such as "
            "[0.1, 0.4, 0.7, 1]"
        )
    return found


def equal_chunks(d: int, chunks: int) -> NDArray[np.int64]:
    """Give, for each of d columns, the first chunk from 1 that observes it.

    Chunk c observes the first ``max(1, floor(c * d / chunks))`` columns.

    Parameters
    ----------
    d : int
        The number of columns.
    chunks : int
        The number of chunks.

    Returns
    -------
    ndarray of int
        A chunk for each column.
    """
    chunk: NDArray[np.int64] = -(-np.arange(1, d + 1, dtype=np.int64) * chunks // d)
    chunk[:1] = 1
    return chunk


def listed_chunks(d: int, shares: Sequence[float]) -> NDArray[np.int64]:
    """Give, for each of d columns, the first chunk from 1 that observes it, if shares are listed.

    Parameters
    ----------
    d : int
        The number of columns.
    shares : sequence of float
        The share of the columns that each chunk observes.

    Returns
    -------
    ndarray of int
        A chunk for each column; one more than there are if none observes it.
    """
    observed = np.maximum(1, np.floor(np.array(shares) * d + ROUNDING)).astype(np.int64)
    chunk: NDArray[np.int64] = np.searchsorted(observed, np.arange(1, d + 1)) + 1
    return chunk


def first_rounds(chunk: NDArray[np.int64], n: int, chunks: int, late: bool) -> NDArray[np.int64]:
    """Give the first of n rounds of chunks.

    Parameters
    ----------
    chunk : ndarray of int
        Numbers of chunks, from 1.
    n : int
        The number of rounds.
    chunks : int
        How many chunks there are.
    late : bool
        Whether all but the first begin one chunk late; see ``trapezoidal``.

    Returns
    -------
    ndarray of int
        Rounds from 0; n for a chunk that does not come.
    """
    if late:
        first = np.where(chunk == 1, 0, chunk * max(1, n // chunks))
    else:
        first = -(-(chunk - 1) * n // chunks)
    return np.where(chunk > chunks, n, np.minimum(first, n))
