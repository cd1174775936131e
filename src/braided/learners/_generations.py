"""Generations: who comes regularly, who is lost, and what the others tell of them.

Features are watched from their first sight on, each in a slot of dense matrices. From when new
ones come, and for a while after the last of them, the moments of all watched features are
accumulated, over the rows that have at least half of them. *Regular* features have come at least
ten times, and in at least half of the rounds. One of them is *missing* when it is not there
although it always was, or when its absence has lasted longer than chance allows. When the missing
ones are at least half of the regular features of their age or older, they are *lost*: their
slots are freed, and by the moments each is expressed by those that stay.

Features that miss rounds at random are never lost, since their absences end; words of a text are
not regular; features that are added to others take nobody away. So what is found is a change
of generations, at once or feature by feature.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import Floats, Ints, compiled

__all__ = ["Generations", "accumulate", "find_lost", "has_returned", "new_generations"]
__all__ += ["map_row", "observe", "same_as_before", "take_back", "tell_lost"]

UNWATCHED = -1
FEWEST = 10
"""Times that a feature has come before it can be missed."""

CHANCE = math.log(1e-9)
"""An absence less likely than this does not end by itself."""

MEMORY = 1000
"""Rounds after the last new feature in which moments are accumulated."""

LARGEST_FACTOR = 1e50
"""A map with larger factors would tell nothing; it is 0 instead."""


class Generations(NamedTuple):
    """Of features: the first four. Of slots: owner to lost_factor. The others are numbers."""

    slot: NDArray[np.int64]
    born: NDArray[np.int64]
    last: NDArray[np.int64]
    missed: NDArray[np.int64]  # rounds without it, between the first and the last with it
    lost: NDArray[np.uint8]
    owner: NDArray[np.int64]
    missing: NDArray[np.uint8]
    row: NDArray[np.float64]
    there: NDArray[np.float64]
    through: NDArray[np.float64]
    moments: NDArray[np.float64]  # sums of products
    times: NDArray[np.float64]  # how many products
    map: NDArray[np.float64]  # scratch: the moments, then the map
    spread: NDArray[np.float64]  # M M'
    watched: NDArray[np.int64]
    started: NDArray[np.int64]  # the round of the switch, 0 when nobody is lost
    newest: NDArray[np.int64]  # the round of the last birth
    until: NDArray[np.int64]  # moments are accumulated up to this round
    lost_ones: NDArray[np.int64]
    came: NDArray[np.int64]  # watched ones in the present row
    credit: NDArray[np.int64]
    switches: NDArray[np.int64]


def new_generations(capacity: int, room: int) -> Generations:
    """Nobody was seen; ``room`` features can be watched."""
    return Generations(
        slot=np.full(capacity, UNWATCHED, np.int64),
        born=np.zeros(capacity, np.int64),
        last=np.zeros(capacity, np.int64),
        missed=np.zeros(capacity, np.int64),
        lost=np.zeros(capacity, np.uint8),
        owner=np.full(room, UNWATCHED, np.int64),
        missing=np.zeros(room, np.uint8),
        row=np.zeros(room),
        there=np.zeros(room),
        through=np.zeros(room),
        moments=np.zeros((room, room)),
        times=np.zeros((room, room)),
        map=np.zeros((room, room)),
        spread=np.zeros((room, room)),
        watched=np.zeros(1, np.int64),
        started=np.zeros(1, np.int64),
        newest=np.zeros(1, np.int64),
        until=np.zeros(1, np.int64),
        lost_ones=np.zeros(1, np.int64),
        came=np.zeros(1, np.int64),
        credit=np.zeros(1, np.int64),
        switches=np.zeros(1, np.int64),
    )


@compiled
def has_returned(generations: Generations, indices: Ints) -> bool:
    """Whether a lost feature is in the row."""
    lost = 0
    for i in range(indices.size):
        lost += generations.lost[indices[i]]
    return lost > 0


@compiled
def same_as_before(generations: Generations, indices: Ints, now: int) -> bool:
    """Whether the row has the features of the row before, and these are all watched ones.

    Then they are noted, and nothing else needs to be looked at: the most frequent case.
    """
    last = generations.last
    if indices.size != generations.watched[0] or now <= generations.until[0]:
        return False
    for i in range(indices.size):
        if last[indices[i]] != now - 1:
            return False
    for i in range(indices.size):
        last[indices[i]] = now
    generations.credit[0] += indices.size + 1
    return True


@compiled
def take_back(generations: Generations) -> None:
    """Nobody is lost any more, and no map is in use."""
    for j in range(generations.lost.size):
        generations.lost[j] = 0
    for i in range(generations.watched[0]):
        for k in range(generations.watched[0]):
            generations.spread[i, k] = 0.0
    generations.started[0] = 0
    generations.lost_ones[0] = 0


@compiled
def observe(generations: Generations, indices: Ints, values: Floats, now: int) -> bool:
    """Note who came; whether all watched ones did."""
    slot, last = generations.slot, generations.last
    came = 0
    for i in range(indices.size):
        j = indices[i]
        if slot[j] == UNWATCHED and not _watch(generations, j, now):
            continue
        generations.missed[j] += now - 1 - last[j]
        last[j] = now
        came += 1
    generations.came[0] = came
    generations.credit[0] += indices.size + 1
    return came == int(generations.watched[0])


@compiled
def _watch(generations: Generations, j: int, now: int) -> bool:
    """Give a feature a slot, if there is one."""
    watched = generations.watched[0]
    if watched == generations.owner.size:
        return False
    generations.owner[watched] = j
    generations.slot[j] = watched
    generations.watched[0] = watched + 1
    for i in range(watched + 1):
        generations.moments[i, watched] = generations.moments[watched, i] = 0.0
        generations.times[i, watched] = generations.times[watched, i] = 0.0
        generations.spread[i, watched] = generations.spread[watched, i] = 0.0
    generations.newest[0] = now
    if now > generations.started[0] + FEWEST:  # before, the others are as new as this one
        generations.until[0] = now + MEMORY
    if generations.born[j] == 0:
        generations.born[j] = now
        generations.last[j] = now - 1
    return True


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
def map_row(generations: Generations, indices: Ints, values: Floats) -> None:
    """Put M M' x into ``through``."""
    watched, through = generations.watched[0], generations.through
    for k in range(watched):
        through[k] = 0.0
    for i in range(indices.size):
        slot = generations.slot[indices[i]]
        if slot != UNWATCHED:
            line = generations.spread[slot]
            value = values[i]
            for k in range(watched):
                through[k] += value * line[k]


@compiled
def find_lost(generations: Generations, size: int, now: int) -> bool:
    """Mark who is missing; whether they are so many that they are lost.

    Looking at all who are watched must not cost more than the rows do, so it waits until
    rows have paid for it.
    """
    watched = int(generations.watched[0])
    generations.credit[0] = min(generations.credit[0], 4 * watched)
    if generations.credit[0] < watched or size == 0:
        return False
    generations.credit[0] -= watched
    found, youngest = 0, 0
    for slot in range(watched):
        j = generations.owner[slot]
        missing = _regular(generations, j) and _missing(generations, j, now)
        generations.missing[slot] = missing
        if missing:
            found += 1
            youngest = max(youngest, generations.born[j])
    if found == 0 or found == watched:
        return False
    peers = 0
    for slot in range(watched):
        j = generations.owner[slot]
        if generations.born[j] <= youngest and _regular(generations, j):
            peers += 1
    before = int(generations.lost_ones[0])
    if generations.newest[0] > generations.started[0]:
        before = 0  # those were lost in another switch
    return 2 * (found + before) >= peers + before


@compiled
def _regular(generations: Generations, j: int) -> bool:
    life = int(generations.last[j] - generations.born[j] + 1)
    times = life - int(generations.missed[j])
    return times >= FEWEST and 2 * times >= life


@compiled
def _missing(generations: Generations, j: int, now: int) -> bool:
    absent = now - int(generations.last[j])
    if absent == 0 or generations.missed[j] == 0:
        return absent > 0
    life = int(generations.last[j] - generations.born[j] + 1)
    return absent * math.log((int(generations.missed[j]) + 0.5) / (life + 1.0)) <= CHANCE


@compiled
def tell_lost(
    generations: Generations, ridge: float, weight: Floats, recovered: Floats, now: int
) -> None:
    """Hand the weights of the missing over to those that stay, and free their slots."""
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
            _free(generations, slot)
        slot -= 1
    for slot in range(generations.watched[0]):
        if generations.born[generations.owner[slot]] <= youngest:
            return
    generations.until[0] = 0  # the whole generation is lost: there is nobody left to learn about


@compiled
def _solve(generations: Generations, ridge: float) -> None:
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


@compiled
def _free(generations: Generations, slot: int) -> None:
    """The last slot takes the place of this one."""
    last = generations.watched[0] - 1
    generations.slot[generations.owner[slot]] = UNWATCHED
    for table in (generations.moments, generations.times, generations.spread):
        for k in range(last + 1):
            table[slot, k] = table[last, k]
        for k in range(last + 1):
            table[k, slot] = table[k, last]
    if slot != last:
        generations.owner[slot] = generations.owner[last]
        generations.slot[generations.owner[slot]] = slot
        generations.missing[slot] = generations.missing[last]
    generations.watched[0] = last
