"""Generations: which features are watched, which of them a row has, and which are lost.

Features are watched from their first sight on, each in a slot of dense matrices. Slots are filled
from the front; one that is given up is taken by the last.

*Regular* features have come at least ten times, and in at least half of the rounds. One of them is
*missing* when it is not there although it always was, or when its absence has lasted longer than
chance allows. When the missing ones are at least half of the regular features of their age or
older, they are *lost*: their slots are freed, and each is expressed by those that stay
(``recovery.py``).

Features that miss rounds at random are never lost, since their absences end; words of a text are
not regular; features that are added to others replace none. So what is found is a change of
generations, at once or feature by feature.

When a new feature comes after others, it may be the first of a new generation. So the moments of
all watched features are accumulated for a while, from which the old ones can be estimated by the
new.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Ints, compiled, inlined
from braided.kernels.numerics import owns_its_slots

__all__ = [
    "UNWATCHED",
    "Generations",
    "are_sound",
    "find_lost",
    "free",
    "has_returned",
    "new_generations",
    "observe",
    "same_as_before",
    "take_back",
    "with_room_for",
]

UNWATCHED = -1
"""The slot of a feature that is not watched."""

FEWEST_ROWS = 10
"""How often a feature has come before it can be missed."""

MEMORY = 1000
"""Rounds after the last new feature in which moments are accumulated."""

CHANCE = math.log(1e-9)
"""An absence less likely than this does not end by itself."""

MOST = 2**60
"""No count comes near it."""


class Generations(NamedTuple):
    """The arrays: by feature (the first five), by slot (``owner`` to ``spread``), and numbers."""

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
    started: NDArray[np.int64]  # the round of the switch, 0 when no feature is lost
    newest: NDArray[np.int64]  # the round of the last birth
    until: NDArray[np.int64]  # moments are accumulated up to this round
    lost_ones: NDArray[np.int64]  # how many are lost
    came: NDArray[np.int64]  # watched ones in the present row
    credit: NDArray[np.int64]  # entries of rows since the lost were last looked for
    switches: NDArray[np.int64]


def new_generations(capacity: int, room: int) -> Generations:
    """No feature was seen; ``room`` features can be watched."""
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


def with_room_for(generations: Generations, room: int) -> Generations:
    """The same with room to watch ``room`` features; the last ones are no longer watched."""
    for slot in range(int(generations.watched[0]) - 1, room - 1, -1):
        free(generations, slot)
    by_slot = ("owner", "missing", "row", "there", "through", "moments", "times", "map", "spread")
    return generations._replace(
        **{
            name: np.ascontiguousarray(array[(slice(room),) * array.ndim])
            for name, array in generations._asdict().items()
            if name in by_slot
        }
    )


def are_sound(generations: Generations, rounds: int, seen: int) -> bool:
    """Whether slots and owners fit together, and no round is later than the last."""
    by_round = (*generations[1:4], generations.started, generations.newest)
    in_time = all(array.min() >= 0 and array.max() <= rounds for array in by_round)
    flags = max(generations.lost.max(), generations.missing.max()) <= 1
    counts = (*generations[-4:], generations.until)
    counted = all(0 <= array[0] < MOST for array in counts)
    born_first = (generations.born <= generations.last + 1).all()
    watched = int(generations.watched[0])
    owned = owns_its_slots(generations.slot, generations.owner, watched, seen)
    return bool(in_time and flags and counted and born_first and owned)


@compiled
def free(generations: Generations, slot: int) -> None:
    """Free a slot: the last one takes its place."""
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


# -------------------------------------------------------------- which features a row has


@inlined
def same_as_before(generations: Generations, indices: Ints, now: int) -> bool:
    """Whether the row has the features of the row before, and these are all watched ones.

    Then they are noted, and nothing else needs to be done: the most frequent case.
    """
    last = generations.last
    if indices.size != generations.watched[0] or now <= generations.until[0]:
        return False
    for i in range(indices.size):
        if last[Index(indices[i])] != now - 1:
            return False
    for i in range(indices.size):
        last[Index(indices[i])] = now
    generations.credit[0] += indices.size + 1
    return True


@compiled
def observe(generations: Generations, indices: Ints, now: int) -> bool:
    """Note which features came; return whether all watched ones did."""
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
    """Give a feature a slot; return whether there was one."""
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
    if now > generations.started[0] + FEWEST_ROWS:  # before, the others are as new as this one
        generations.until[0] = now + MEMORY
    if generations.born[j] == 0:
        generations.born[j] = now
        generations.last[j] = now - 1
    return True


# ------------------------------------------------------------------- which features are lost


@compiled
def find_lost(generations: Generations, size: int, now: int) -> bool:
    """Mark the features that are missing; return whether they are so many that they are lost.

    Looking at all watched features must not take longer than the rows do, so it waits until rows
    had as many entries (``credit``).
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
    return times >= FEWEST_ROWS and 2 * times >= life


@compiled
def _missing(generations: Generations, j: int, now: int) -> bool:
    absent = now - int(generations.last[j])
    if absent == 0 or generations.missed[j] == 0:
        return absent > 0
    life = int(generations.last[j] - generations.born[j] + 1)
    return absent * math.log((int(generations.missed[j]) + 0.5) / (life + 1.0)) <= CHANCE


@compiled
def has_returned(generations: Generations, indices: Ints) -> bool:
    """Whether a lost feature is in the row."""
    lost = 0
    for i in range(indices.size):
        lost += generations.lost[indices[i]]
    return lost > 0


@compiled
def take_back(generations: Generations) -> None:
    """No feature is lost any more, and no map is in use."""
    for j in range(generations.lost.size):
        generations.lost[j] = 0
    for i in range(generations.watched[0]):
        for k in range(generations.watched[0]):
            generations.spread[i, k] = 0.0
    generations.started[0] = 0
    generations.lost_ones[0] = 0
