"""Who is lost: old features that gave way to new ones.

*Regular* features have come at least ten times, and in at least half of the rounds. One of them is
*missing* when it is not there although it always was, or when its absence has lasted longer than
chance allows. When the missing ones are at least half of the regular features of their age or
older, they are *lost*: their slots are freed, and each is expressed by those that stay
(``recovery.py``).

Features that miss rounds at random are never lost, since their absences end; words of a text are
not regular; features that are added to others take nobody away. So what is found is a change
of generations, at once or feature by feature.
"""

from __future__ import annotations

import math

from braided.compiled.jit import Ints, compiled
from braided.learners.fesl.generations import FEWEST, Generations

__all__ = ["find_lost", "has_returned", "take_back"]

CHANCE = math.log(1e-9)
"""An absence less likely than this does not end by itself."""


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
def has_returned(generations: Generations, indices: Ints) -> bool:
    """Whether a lost feature is in the row."""
    lost = 0
    for i in range(indices.size):
        lost += generations.lost[indices[i]]
    return lost > 0


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
