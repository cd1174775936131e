"""Generations: what is known of the features that are watched.

Features are watched from their first sight on, each in a slot of dense matrices. Slots are filled
from the front; one that is given up is taken by the last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import compiled
from braided.kernels.numerics import owns_its_slots

__all__ = ["FEWEST", "UNWATCHED", "Generations", "are_sound", "free", "new_generations"]
__all__ += ["watching_at_most"]

UNWATCHED = -1

FEWEST = 10
"""Times that a feature has come before it can be missed."""

MOST = 2**60
"""No count comes near it."""


class Generations(NamedTuple):
    """Of features: the first five. Of slots: owner to spread. The others are numbers."""

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


def watching_at_most(generations: Generations, room: int) -> Generations:
    """The same with room to watch so many features; those that came last are no longer watched."""
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
    """Whether slots and owners fit together, and nothing lies in a round that never was."""
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
