"""Watching: who is in a row, and for how many rounds who was not.

When a new feature comes after others, it may be the first of a new generation. So the moments of
all watched features are accumulated for a while (``least_squares.py``), from which the old ones
could be told by the new.
"""

from __future__ import annotations

from braided.compiled.jit import Index, Ints, compiled, inlined
from braided.learners.fesl.generations import FEWEST, UNWATCHED, Generations

__all__ = ["observe", "same_as_before"]

MEMORY = 1000
"""Rounds after the last new feature in which moments are accumulated."""


@inlined
def same_as_before(generations: Generations, indices: Ints, now: int) -> bool:
    """Whether the row has the features of the row before, and these are all watched ones.

    Then they are noted, and nothing else needs to be looked at: the most frequent case.
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
