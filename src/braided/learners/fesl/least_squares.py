"""The map M: the ridge regression of lost features on the others, from the moments of the overlap.

The moments are sums of products of any two watched features. They are accumulated from when new
features come, and for a while after the last of them, over the rows that have at least half of
all that are watched.
"""

from __future__ import annotations

import math

from braided.compiled.jit import Floats, Ints, compiled
from braided.learners.fesl.generations import UNWATCHED, Generations

__all__ = ["accumulate", "solve"]

LARGEST_FACTOR = 1e50
"""A map with larger factors would tell nothing; it is 0 instead."""


@compiled
def accumulate(generations: Generations, indices: Ints, values: Floats, now: int) -> None:
    """Add the row to the moments, while new features are about."""
    watched, row, there = generations.watched[0], generations.row, generations.there
    if now > generations.until[0] or 2 * generations.came[0] < watched:
        return
    for k in range(watched):
        row[k] = there[k] = 0.0
    for i in range(indices.size):
        slot = generations.slot[indices[i]]
        if slot != UNWATCHED:
            row[slot] = values[i]
            there[slot] = 1.0
    for i in range(indices.size):
        slot = generations.slot[indices[i]]
        if slot == UNWATCHED:
            continue
        products, times = generations.moments[slot], generations.times[slot]
        value = values[i]
        for k in range(watched):
            products[k] += value * row[k]
            times[k] += there[k]


@compiled
def solve(generations: Generations, ridge: float) -> None:
    """Regress the missing on those that stay: row i, column k of the map, i stays, k is missing.

    By sweeping the moments, divided by the features' magnitudes, on everyone that stays. The
    ridge is added before.
    """
    watched, table = generations.watched[0], generations.map
    moments, times = generations.moments, generations.times
    magnitude = generations.through
    for i in range(watched):
        magnitude[i] = math.sqrt(moments[i, i] / max(1.0, times[i, i]))
    for i in range(watched):
        for k in range(watched):
            both = magnitude[i] * magnitude[k]
            mean = moments[i, k] / max(1.0, times[i, k])
            table[i, k] = mean / both if both > 0.0 else 0.0
        table[i, i] += ridge
    for pivot in range(watched):
        if generations.missing[pivot]:
            continue
        # Without a pivot it says nothing that others do not say.
        if table[pivot, pivot] > 0.5 * ridge:
            _sweep(table, pivot, watched)
        else:
            magnitude[pivot] = 0.0
    for i in range(watched):
        for k in range(watched):
            factor = 0.0
            if not generations.missing[i] and generations.missing[k] and magnitude[i] > 0.0:
                factor = table[i, k] * (magnitude[k] / magnitude[i])
            # This refuses what is not a number as well.
            table[i, k] = factor if abs(factor) <= LARGEST_FACTOR else 0.0


@compiled
def _sweep(table: Floats, pivot: int, size: int) -> None:
    """One step of Gauss and Jordan, in place."""
    line = table[pivot]
    scale = 1.0 / line[pivot]
    for k in range(size):
        line[k] *= scale
    for i in range(size):
        if i == pivot:
            continue
        other = table[i]
        factor = other[pivot]
        other[pivot] = 0.0
        for k in range(size):
            if k != pivot:
                other[k] -= factor * line[k]
        other[pivot] = -factor * scale
    line[pivot] = scale
