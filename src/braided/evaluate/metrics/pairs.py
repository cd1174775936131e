"""How many pairs of a positive and a negative row are scored in the right order.

Sorting all scores would take most of the time of an evaluation. So rows are put into groups of
near scores: pairs of different groups are in order, and only those of one group are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, cached

__all__ = ["halves_in_order"]

Floats = NDArray[np.float64]
Whole = NDArray[Any]

IN_A_GROUP = 24
"""Rows that a group has on average."""

FEW_PAIRS = 4096
"""More pairs than this, as where many scores are equal, are counted by sorting their group."""

SAMPLE = 1024
"""Scores that tell the range that groups divide; the 1 in 64 beyond it, on each side, share one."""


def halves_in_order(signs: Floats, scores: Floats) -> int:
    """Twice the pairs in the right order; equal scores count once, and NaN loses.

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
    # Half the bytes where they are enough: the fewer there are, the nearer they stay.
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
    """The scores, group by group, those of negative rows first; ``ends`` gets where parts begin."""
    parts = ends.size - 1
    part, last = np.empty(signs.size, np.int32), parts // 2 - 1.0
    for t in range(signs.size):
        place = (scores[t] - lowest) * scale
        # What is not a number, as 0 times infinity, is in the first group.
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
    """Twice the pairs in order but for those in large groups, and where these begin in ``ends``."""
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
            for low in range(start, middle):  # many at a time, since nothing here can fail
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
