"""AUC: how well scores rank positive rows above negative ones, in the end and along the way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import cached
from braided.evaluate.metrics.confusion import ratio
from braided.evaluate.metrics.pairs import halves_in_order

__all__ = ["auc_after_each_round", "auc_of_all_rounds"]

Floats = NDArray[np.float64]


def auc_of_all_rounds(signs: Floats, scores: Floats) -> float:
    """The share of pairs in the right order; equal scores count half, and NaN loses."""
    positive = np.count_nonzero(signs > 0)
    halves = halves_in_order(signs.ravel(), scores.ravel())
    return float(ratio(halves / 2, positive * (signs.size - positive)))


def auc_after_each_round(signs: Floats, scores: Floats, window: int | None = None) -> Floats:
    """The AUC after each round: of all rounds so far, or of the last ``window``.

    It takes O(n log n) for n rounds: each row is compared with all others at once, in a tree that
    knows how many rows of either label were scored below any rank.

    >>> auc_after_each_round(np.array([1.0, -1.0, -1.0]), np.array([0.5, 0.7, 0.1]))
    array([nan, 0. , 0.5])
    """
    # NaN loses against everything, so it is above all for a negative row, below for a positive.
    worst = np.where(signs > 0, -np.inf, np.inf)
    _, ranks = np.unique(np.where(np.isnan(scores), worst, scores), return_inverse=True)
    halves, pairs = _walk(
        signs,
        ranks.astype(np.int64),
        signs.size if window is None else window,
        np.zeros((2, signs.size + 2), np.int64),
    )
    auc: Floats = ratio(halves / 2, pairs)
    return auc


@cached
def _walk(
    signs: Floats, ranks: NDArray[np.int64], window: int, tree: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """After each round, twice the pairs in the right order (ties once), and all pairs.

    ``tree[0]`` and ``tree[1]`` are Fenwick trees of the negative and the positive rows by rank.
    """
    halves, pairs = np.empty(signs.size, np.int64), np.empty(signs.size, np.int64)
    count = np.zeros(2, np.int64)
    right = 0
    for t in range(signs.size):
        for entering in (False, True):
            row = t if entering else t - window
            if row < 0 or np.isnan(signs[row]):
                continue
            side, rank, change = int(signs[row] > 0), ranks[row], 1 if entering else -1
            # Rows of the other label below this one's rank, and at most at it.
            lower = _up_to(tree[1 - side], rank - 1) + _up_to(tree[1 - side], rank)
            right += change * (lower if side else 2 * count[1 - side] - lower)
            count[side] += change
            place = rank + 1
            while place < tree.shape[1]:
                tree[side, place] += change
                place += place & -place
        halves[t], pairs[t] = right, count[0] * count[1]
    return halves, pairs


@cached
def _up_to(tree: NDArray[np.int64], rank: int) -> int:
    """How many rows in the tree have at most this rank."""
    place, total = rank + 1, 0
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total
