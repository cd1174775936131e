"""Recovery: lost features are estimated from those that stay, by a linear map M.

M is the ridge regression of lost features on the others, from the moments of the overlap: sums of
products of any two watched features. They are accumulated from when new features come, and for a
while after the last of them, over the rows that have at least half of all that are watched.

Once it is solved, M is needed only as what it does to weights (they are handed over, once) and to
gradients (M M', the ``spread``).
"""

from __future__ import annotations

import math

from braided.compiled.jit import Floats, Index, Ints, compiled, inlined
from braided.learners.fesl.generations import UNWATCHED, Generations, free

__all__ = ["accumulate", "map_row", "recover_lost"]

LARGEST_FACTOR = 1e50
"""A factor of the map beyond this says nothing; it becomes 0."""


@compiled
def accumulate(generations: Generations, indices: Ints, values: Floats, now: int) -> None:
    """Add the row to the moments, as long as there are new features."""
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
def _solve(generations: Generations, ridge: float) -> None:
    """Regress the missing on those that stay: row i, column k of the map, i stays, k is missing.

    By Gauss-Jordan elimination of the moments, divided by the features' magnitudes, for each
    feature that stays. The ridge is added before.
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
        # Without a pivot the feature says nothing that others do not say.
        if table[pivot, pivot] > 0.5 * ridge:
            _eliminate(table, pivot, watched)
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
def _eliminate(table: Floats, pivot: int, size: int) -> None:
    """One step of Gauss-Jordan elimination, in place (the sweep operator)."""
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


# ------------------------------------------------------------------------ the map in use


@compiled
def recover_lost(
    generations: Generations, ridge: float, weight: Floats, recovered: Floats, now: int
) -> None:
    """Hand the weights of the missing over to the features that stay, and free their slots."""
    if generations.started[0] == 0:
        generations.started[0] = now
        generations.switches[0] += 1
    _solve(generations, ridge)
    _hand_over(generations, weight, recovered)
    _widen_spread(generations)
    youngest = 0
    slot = generations.watched[0] - 1
    while slot >= 0:
        if generations.missing[slot]:
            j = generations.owner[slot]
            generations.lost[j] = 1
            generations.lost_ones[0] += 1
            youngest = max(youngest, generations.born[j])
            free(generations, slot)
        slot -= 1
    for slot in range(generations.watched[0]):
        if generations.born[generations.owner[slot]] <= youngest:
            return
    generations.until[0] = 0  # the whole generation is lost: none is left to learn about


@compiled
def _hand_over(generations: Generations, weight: Floats, recovered: Floats) -> None:
    watched, table = generations.watched[0], generations.map
    for i in range(watched):
        if generations.missing[i]:
            continue
        handed = 0.0
        for k in range(watched):
            if generations.missing[k]:
                handed += table[i, k] * weight[generations.owner[k]]
        weight[generations.owner[i]] += handed
        recovered[generations.owner[i]] += handed
    for k in range(watched):
        if generations.missing[k]:
            j = generations.owner[k]
            weight[j] -= recovered[j]
            recovered[j] = 0.0


@compiled
def _widen_spread(generations: Generations) -> None:
    """From K to (I M) (K + the identity of the missing) (I M)', for those that stay."""
    watched, table, spread = generations.watched[0], generations.map, generations.spread
    for k in range(watched):
        if generations.missing[k]:
            spread[k, k] += 1.0
    # First the columns of the missing go into those of the others, then their rows.
    for i in range(watched):
        line = spread[i]
        for k in range(watched):
            if generations.missing[k]:
                for other in range(watched):
                    if not generations.missing[other]:
                        line[other] += line[k] * table[other, k]
    for i in range(watched):
        if generations.missing[i]:
            continue
        line = spread[i]
        for k in range(watched):
            if generations.missing[k]:
                factor = table[i, k]
                source = spread[k]
                for other in range(watched):
                    line[other] += factor * source[other]


@inlined
def map_row(generations: Generations, indices: Ints, values: Floats) -> None:
    """Put M M' x into ``through``, four lines of the matrix at a time."""
    watched, row, through = generations.watched[0], generations.row, generations.through
    spread = generations.spread
    for k in range(watched):
        row[k] = through[k] = 0.0
    for i in range(indices.size):
        slot = generations.slot[Index(indices[i])]
        if slot != UNWATCHED:
            row[slot] = values[i]
    whole = watched - watched % 4
    for slot in range(0, whole, 4):
        a, b, c, d = row[slot], row[slot + 1], row[slot + 2], row[slot + 3]
        line_a, line_b = spread[slot], spread[slot + 1]
        line_c, line_d = spread[slot + 2], spread[slot + 3]
        for k in range(watched):
            through[k] += (a * line_a[k] + b * line_b[k]) + (c * line_c[k] + d * line_d[k])
    for slot in range(whole, watched):
        a, line_a = row[slot], spread[slot]
        for k in range(watched):
            through[k] += a * line_a[k]
