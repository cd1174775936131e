"""AUC: how well scores rank positive rows above negative ones, over all rounds and after each.

It is the share of pairs of a positive and a negative row whose scores are in the right order.
Sorting all scores would take most of the time of an evaluation. So rows are put into groups of near
scores: pairs of different groups are in order, and only those of one group are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from braided.compiled.jit import Index, cached
from braided.evaluate.metrics.confusion import checked, ratio

__all__ = ["auc", "auc_after_each_round", "auc_of_all_rounds", "halves_in_order"]

Floats = NDArray[np.float64]
Whole = NDArray[Any]

IN_A_GROUP = 24
"""The mean number of rows in a group."""

FEW_PAIRS = 4096
"""Groups with more pairs than this, as where many scores are equal, are sorted."""

SAMPLE = 1024
"""Scores from which the range of the groups is taken: without the lowest and highest 1 in 64."""


def auc(labels: ArrayLike, scores: ArrayLike) -> float:
    """Compute the area under the ROC curve.

    Parameters
    ----------
    labels : array-like of -1 and +1
        The labels.
    scores : array-like of float
        The scores. Equal scores count half; pairs with a NaN are in the wrong order.

    Returns
    -------
    float
        The share of pairs of a positive and a negative row whose scores are in the right order.

    Examples
    --------
    >>> auc([1, -1, 1, -1], [0.9, 0.4, 0.4, 0.1])
    0.875
    """
    return auc_of_all_rounds(*checked(labels, scores))


def auc_of_all_rounds(signs: Floats, scores: Floats) -> float:
    """The share of pairs in the right order: equal scores count half, NaN is always wrong."""
    positive = np.count_nonzero(signs > 0)
    halves = halves_in_order(signs.ravel(), scores.ravel())
    return float(ratio(halves / 2, positive * (signs.size - positive)))


def halves_in_order(signs: Floats, scores: Floats) -> int:
    """Twice the number of pairs in the right order: equal scores count once, NaN is always wrong.

    >>> halves_in_order(np.array([1.0, -1.0, 1.0, -1.0]), np.array([0.9, 0.4, 0.4, 0.1]))
    7
    """
    unknown = np.isnan(scores)
    if unknown.any():
        scores = np.where(unknown, np.where(signs > 0, -np.inf, np.inf), scores)
    sample = np.sort(scores[:: scores.size // SAMPLE + 1])
    beyond, groups = sample.size // 64, scores.size // IN_A_GROUP + 1
    with np.errstate(all="ignore"):  # without a range, all rows are in the first group
        scale = groups / (sample[-1 - beyond] - sample[beyond]) if sample.size else 0.0
    # 32 bits where they are enough: more of them fit into the cache.
    ends = np.zeros(2 * groups + 1, np.int32 if scores.size < 2**31 else np.int64)
    grouped = _grouped(signs, scores, sample[beyond] if sample.size else 0.0, scale, ends)
    halves, large = _count(grouped, ends)
    for group in large:
        negative = np.sort(grouped[ends[group] : ends[group + 1]])
        positive = np.sort(grouped[ends[group + 1] : ends[group + 2]])
        halves += _merge(positive, negative)
    return halves


@cached
def _grouped(signs: Floats, scores: Floats, lowest: float, scale: float, ends: Whole) -> Floats:
    """The scores, group by group, negative rows first; fills ``ends`` with where parts begin."""
    parts = ends.size - 1
    part, last = np.empty(signs.size, np.int32), parts // 2 - 1.0
    for t in range(signs.size):
        place = (scores[t] - lowest) * scale
        # NaN, as 0 times infinity, is in the first group.
        place = min(place, last) if place > 0.0 else 0.0
        part[t] = 2 * np.int32(place) + np.int32(signs[t] > 0.0)
    for t in range(signs.size):
        ends[Index(part[t] + 1)] += 1
    for before in range(parts):
        ends[before + 1] += ends[before]
    free, grouped = ends[:-1].copy(), np.empty(signs.size)
    for t in range(signs.size):
        k = Index(part[t])
        grouped[Index(free[k])] = scores[t]
        free[k] += 1
    return grouped


@cached
def _count(grouped: Floats, ends: Whole) -> tuple[int, Whole]:
    """Twice the pairs in order, without large groups; and where large groups begin in ``ends``."""
    halves, below, found = 0, 0, 0
    large = np.empty(ends.size // 2, np.int64)
    for part in range(0, ends.size - 1, 2):
        start, middle, stop = Index(ends[part]), Index(ends[part + 1]), Index(ends[part + 2])
        negative = int(ends[part + 1]) - int(ends[part])
        positive = int(ends[part + 2]) - int(ends[part + 1])
        halves += 2 * below * positive
        below += negative
        if positive * negative > FEW_PAIRS:
            large[found] = part
            found += 1
            continue
        for high in range(middle, stop):
            score, in_order = grouped[Index(high)], 0
            for low in range(start, middle):  # vectorised, since nothing here can fail
                other = grouped[Index(low)]
                in_order += int(other < score) + int(other <= score)
            halves += in_order
    return halves, large[:found]


@cached
def _merge(positive: Floats, negative: Floats) -> int:
    """Twice the pairs in order, of two sorted arrays."""
    halves, below, not_above = 0, 0, 0
    for score in positive:
        while below < negative.size and negative[below] < score:
            below += 1
        while not_above < negative.size and negative[not_above] <= score:
            not_above += 1
        halves += below + not_above
    return halves


def auc_after_each_round(signs: Floats, scores: Floats, window: int | None = None) -> Floats:
    """The AUC after each round: of all rounds so far, or of the last ``window``.

    It takes O(n log n) for n rounds: a tree counts the rows of either label with a score below
    that of the present row.

    >>> auc_after_each_round(np.array([1.0, -1.0, -1.0]), np.array([0.5, 0.7, 0.1]))
    array([nan, 0. , 0.5])
    """
    # NaN is always wrong: above all others for a negative row, below them for a positive one.
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
    """The number of rows in the tree with at most this rank."""
    place, total = rank + 1, 0
    while place > 0:
        total += tree[place]
        place -= place & -place
    return total
