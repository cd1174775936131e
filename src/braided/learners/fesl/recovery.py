"""Recovery: lost features are told by those that stay, through the map M (``least_squares.py``).

Once it is solved, M is needed only as what it does to weights (they are handed over, once) and to
gradients (M M', the ``spread``).
"""

from __future__ import annotations

from braided.compiled.jit import Floats, Index, Ints, compiled, inlined
from braided.learners.fesl.generations import UNWATCHED, Generations, free
from braided.learners.fesl.least_squares import solve

__all__ = ["map_row", "tell_lost"]


@compiled
def tell_lost(
    generations: Generations, ridge: float, weight: Floats, recovered: Floats, now: int
) -> None:
    """Hand the weights of the missing over to those that stay, and free their slots."""
    if generations.started[0] == 0:
        generations.started[0] = now
        generations.switches[0] += 1
    solve(generations, ridge)
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
    generations.until[0] = 0  # the whole generation is lost: there is nobody left to learn about


@compiled
def _hand_over(generations: Generations, weight: Floats, recovered: Floats) -> None:
    watched, table = generations.watched[0], generations.map
    for i in range(watched):
        if generations.missing[i]:
            continue
        told = 0.0
        for k in range(watched):
            if generations.missing[k]:
                told += table[i, k] * weight[generations.owner[k]]
        weight[generations.owner[i]] += told
        recovered[generations.owner[i]] += told
    for k in range(watched):
        if generations.missing[k]:
            j = generations.owner[k]
            weight[j] -= recovered[j]
            recovered[j] = 0.0


@compiled
def _widen_spread(generations: Generations) -> None:
    """From K to (I M) (K + the missing's own) (I M)', for those that stay."""
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
