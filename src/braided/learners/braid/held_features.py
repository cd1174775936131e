"""Held features: which features a budget keeps, by their evidence about the label for each round.

A feature has a slot while it is held or waits. New features are held while there is room. After
that they wait, if there is room on the waiting list, which is four times as long: evidence about
them is collected, but they are not used in predictions. At the end of its trial a feature is
compared with the least useful one that is held. The more useful one is held, a new one with weights
that begin anew; the other is dropped. The first trials are short, since the features that are held
at first came by chance; later trials are longer.

Usefulness is the larger of two chi-squares, presence against label and value against label: their
root less two standard errors, squared again, for each round since the feature was first seen, so
that young and old features can be compared.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, Whole, compiled
from braided.kernels.rng import as_uniform, word_at
from braided.learners.braid.heap import NO_INDEX, Heap, is_heap, join, new_heap, pop_worst
from braided.learners.braid.interactions import forget_interactions
from braided.learners.braid.layout import BIN_BLOCK, BIRTH, COUNT, MEAN, SPREAD
from braided.learners.braid.statistics import free_block

__all__ = [
    "Places",
    "add_evidence",
    "admit",
    "are_sound_places",
    "drop_beyond_budget",
    "end_trials",
    "first_to_join",
    "new_places",
    "renumber",
    "share_of_positives",
    "usefulness",
    "waiting_list_length",
]

STANDARD_ERRORS = 2.0
SHORTEST_TRIAL, LONGEST_TRIAL, TRIAL_SHARE = 32.0, 128.0, 0.125
"""Rounds that a feature waits before it is compared: a share of the rounds so far, limited."""

SHORTEST_LIST, LIST_FACTOR = 32, 4
"""The length of the waiting list: at least, and in multiples of the budget."""

# Of Places.line: how many wait, slots ever used, the first that waits, the last, a spare slot.
WAITING, USED, FIRST, LAST, SPARE = range(5)

# Of Places.evidence: positive labels; the sum of centred label times centred value.
POSITIVES, TOGETHER = range(2)


class Places(NamedTuple):
    """Which feature has which slot, which are held, and which wait."""

    slot: NDArray[np.int32]  # by column, or NO_INDEX
    column: NDArray[np.int32]  # by slot
    heap: Heap
    line: NDArray[np.int64]  # see WAITING, USED, FIRST, LAST, SPARE
    after: NDArray[np.int32]  # by slot: the next that waits, or the next spare one
    evidence: NDArray[np.float64]  # by slot: see POSITIVES, TOGETHER
    labels: NDArray[np.int64]  # how many were negative, and positive


def waiting_list_length(allowed: int) -> int:
    """Return how many features may wait."""
    return max(SHORTEST_LIST, LIST_FACTOR * allowed)


_waiting_list_length = compiled(waiting_list_length)


def new_places(columns: int, slots: int, held: int) -> Places:
    """Make places where no feature is held or waits, with room for so many."""
    return Places(
        slot=np.full(columns, NO_INDEX, np.int32),
        column=np.zeros(slots, np.int32),
        heap=new_heap(slots, held),
        line=np.array([0, 0, NO_INDEX, NO_INDEX, NO_INDEX]),
        after=np.full(slots, NO_INDEX, np.int32),
        evidence=np.zeros((slots, 2)),
        labels=np.zeros(2, np.int64),
    )


def are_sound_places(places: Places, seen: int) -> bool:
    """Whether columns, slots, heap, waiting list and spare slots match each other."""
    waiting, used, first, last, spare = places.line.tolist()
    if not (0 <= used <= places.column.size and is_heap(places.heap, used)):
        return False
    line, free = _chain(places.after, first, used), _chain(places.after, spare, used)
    held = places.heap.order[: places.heap.size[0]].tolist()
    if sorted([*line, *free, *held]) != list(range(used)):
        return False
    if len(line) != waiting or last != (line[-1] if line else NO_INDEX):
        return False
    slot, taken = np.full(places.slot.size, NO_INDEX, np.int32), np.array([*line, *held], np.int32)
    columns = places.column[taken]
    if taken.size and not (columns.min() >= 0 and columns.max() < seen):
        return False
    slot[columns] = taken
    ends = [places.after[each] for each in (last, *held) if each != NO_INDEX]
    return bool(
        np.array_equal(places.slot, slot)
        and np.array_equal(slot[columns], taken)
        and all(end == NO_INDEX for end in ends)
    )


def _chain(after: NDArray[np.int32], slot: int, most: int) -> list[int]:
    """The slots of a linked list; too many if it is a circle."""
    follow = after.tolist()
    slots: list[int] = []
    while 0 <= slot < most and len(slots) <= most:
        slots.append(slot)
        slot = follow[slot]
    return slots if slot == NO_INDEX else [NO_INDEX]


def renumber(places: Places, columns: NDArray[np.intp]) -> None:
    """Give these columns the numbers 0, 1, ...; the others have no slots."""
    slots = places.slot[columns]
    places.slot[:] = NO_INDEX
    places.slot[: slots.size] = slots
    places.column[slots] = np.arange(slots.size)


@compiled
def admit(places: Places, columns: Ints, start: int, allowed: int) -> bool:
    """Give new features slots while there is room, from ``start`` on; return if one is held."""
    size, heap, held = columns.size, places.heap, False
    for i in range(start, start + size):
        column = columns[i if i < size else i - size]
        if places.slot[column] != NO_INDEX:
            continue
        if heap.size[0] < allowed:
            join(heap, _take_slot(places, column), 0.0)
            held = True
        elif places.line[WAITING] < _waiting_list_length(allowed):
            _append_waiting(places, _take_slot(places, column))
        else:
            break
    return held


@compiled
def first_to_join(rng: NDArray[np.uint64], now: int, size: int) -> int:
    """Return the value at which ``admit`` starts, at random: no feature is always the last."""
    return int(as_uniform(word_at(rng, now)) * size)


@compiled
def add_evidence(
    places: Places, stats: Floats, slot: Whole, x: float, target: float, share: float
) -> None:
    """Add a value, which is in the statistics already, and its label to the evidence."""
    places.evidence[slot, POSITIVES] += target
    places.evidence[slot, TOGETHER] += (target - share) * (x - stats[slot, MEAN])


@compiled
def share_of_positives(places: Places) -> float:
    """Return the share of positive labels before this row."""
    negatives, positives = places.labels[0], places.labels[1]
    return float((positives + 0.5) / (negatives + positives + 1.0))


@compiled
def usefulness(places: Places, stats: Floats, slot: Whole, share: float, now: float) -> float:
    """Return (sqrt(chi-square) - 2)^2 / age; a negative difference is not squared."""
    count, spread = stats[slot, COUNT], stats[slot, SPREAD]
    variance = share * (1.0 - share)
    surprise = places.evidence[slot, POSITIVES] - share * count
    chi_square = surprise * surprise / (count * variance)
    if spread > 0.0:
        together = places.evidence[slot, TOGETHER]
        # In this order, since the product of two small numbers may underflow.
        chi_square = max(chi_square, together / spread * together / variance)
    safe = math.sqrt(chi_square) - STANDARD_ERRORS
    return safe * safe / (now - stats[slot, BIRTH] + 1.0) if safe > 0.0 else safe


@compiled
def end_trials(state: Whole, allowed: int, share: float, now: float) -> None:
    """Hold features that waited long enough, if they are more useful than the least useful one."""
    places, stats, heap = state.places, state.braid.features.stats, state.places.heap
    trial = min(LONGEST_TRIAL, max(SHORTEST_TRIAL, TRIAL_SHARE * now))
    while places.line[WAITING] > 0:
        slot = places.line[FIRST]
        if now - stats[slot, BIRTH] + 1.0 < trial:
            break
        _pop_waiting(places)
        key = usefulness(places, stats, slot, share, now)
        if heap.size[0] >= allowed:
            if key <= heap.key[heap.order[0]]:
                _drop(state, slot)
                continue
            _drop_held(state)
        join(heap, slot, key)


@compiled
def drop_beyond_budget(state: Whole, allowed: int) -> None:
    """Drop the features that are too many for a new budget: least useful, first to wait."""
    while state.places.heap.size[0] > allowed:
        _drop_held(state)
    while state.places.line[WAITING] > _waiting_list_length(allowed):
        _drop(state, _pop_waiting(state.places))


@compiled
def _drop_held(state: Whole) -> None:
    """Drop the least useful feature that is held; only those are known to forest and pairs."""
    slot = pop_worst(state.places.heap)
    forget_interactions(state.braid.interactions, slot)
    _drop(state, slot)


@compiled
def _drop(state: Whole, slot: Whole) -> None:
    """Forget all that is known of a slot, which is spare from now on."""
    places, braid = state.places, state.braid
    block = int(braid.features.stats[slot, BIN_BLOCK]) - 1
    if block >= 0:
        free_block(braid.bins, braid.experts, block)
    braid.features.stats[slot] = 0.0
    braid.features.early[slot] = 0.0
    braid.experts.weights[slot] = 0.0
    places.evidence[slot] = 0.0
    places.slot[places.column[slot]] = NO_INDEX
    places.column[slot] = 0
    places.after[slot] = places.line[SPARE]
    places.line[SPARE] = slot


@compiled
def _take_slot(places: Places, column: Whole) -> Whole:
    slot = places.line[SPARE]
    if slot == NO_INDEX:
        slot = places.line[USED]
        places.line[USED] += 1
    else:
        places.line[SPARE] = places.after[slot]
        places.after[slot] = NO_INDEX
    places.slot[column] = slot
    places.column[slot] = column
    return slot


@compiled
def _append_waiting(places: Places, slot: Whole) -> None:
    if places.line[WAITING] == 0:
        places.line[FIRST] = slot
    else:
        places.after[places.line[LAST]] = slot
    places.line[LAST] = slot
    places.line[WAITING] += 1


@compiled
def _pop_waiting(places: Places) -> Whole:
    """Remove the first feature of the waiting list, and return its slot."""
    slot = places.line[FIRST]
    places.line[FIRST] = places.after[slot]
    places.after[slot] = NO_INDEX
    places.line[WAITING] -= 1
    if places.line[WAITING] == 0:
        places.line[LAST] = NO_INDEX
    return slot
