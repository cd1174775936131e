"""Top-k: the weights of the k features that a budget keeps, and how a row changes them.

A kept feature has a slot, from the time it is let in until it is dropped. Features whose magnitude
is at most the ``bar`` are in a heap, the next to be dropped first; the others are in no order at
all, so that a weight which changes costs nothing as long as it stays above the bar. When the heap
is used up, the bar is raised and the heap filled again. So a feature that comes in, and the one
that is dropped for it, cost O(log k) on average, and mostly much less.

An entry of the heap may be void: its feature was dropped, or its weight has changed. It is not
searched for then, but skipped when it reaches the top. A feature that is at most the bar always has
an entry that is not void.

The feature of the smallest magnitude is dropped first and, among equals, the one seen last. Slot 0
belongs to no feature, and its weight is 0: the weight of any feature is ``weight[slot[feature]]``.
A weight that has become 0 may keep its slot, since it is the first to be dropped.

A row is learned in three steps. ``split_row`` sorts its entries into kept ones and others before
anything is dropped, so that a feature that is dropped while its own row is learned does not come
back. ``move_kept`` changes the weights of the kept ones. ``keep_largest`` or ``keep_random`` says
which of the others are let in, and drops features for them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.eviction_heap import (
    EvictionHeap,
    drop_top,
    encode,
    feature_of,
    heapify,
    is_dropped_before,
    push,
    replace_top,
    slot_of,
)
from braided.kernels.rng import uniform

__all__ = [
    "NOT_KEPT",
    "TopK",
    "add",
    "dot",
    "drop",
    "is_consistent",
    "keep_largest",
    "keep_random",
    "measure",
    "move_kept",
    "new_top_k",
    "push_slot",
    "scale_by",
    "size_of_new",
    "split_row",
    "top_k_of",
    "weights_of",
]

NOT_KEPT = 0
"""The slot of a feature that is not kept."""

SAMPLE = 48
"""The bar becomes the third smallest of so many magnitudes."""


class TopK(NamedTuple):
    """The arrays of the kept weights."""

    taken: NDArray[np.int64]  # how many are kept, in the slots 1, 2, ...
    member: NDArray[np.int32]  # by slot: the feature
    weight: NDArray[np.float64]  # by slot
    slot: NDArray[np.int32]  # by feature: its slot, or NOT_KEPT
    bar: NDArray[np.float64]
    queue: EvictionHeap  # the next to be dropped
    row: NDArray[np.int32]  # room for ``split_row`` to sort the entries of a row


def new_top_k(capacity: int, room: int) -> TopK:
    """Nothing kept yet, and room to keep ``room`` of ``capacity`` features."""
    capacity = capacity if room else 0
    return TopK(
        taken=np.zeros(1, np.int64),
        member=np.zeros(room + 1, np.int32),
        weight=np.zeros(room + 1),
        slot=np.zeros(capacity, np.int32),
        bar=np.zeros(1),
        queue=EvictionHeap(np.zeros(1, np.int64), np.zeros(room), np.zeros(room, np.int64)),
        row=np.zeros(capacity, np.int32),
    )


def top_k_of(weights: NDArray[np.float64], k: int, room: int) -> TopK:
    """The k largest of these weights, which are given by feature."""
    kept = new_top_k(weights.size, room)
    order = np.argsort(-np.abs(weights), kind="stable")
    order = order[weights[order] != 0.0][:k]
    slots = np.arange(1, order.size + 1)
    kept.taken[0] = order.size
    kept.member[slots] = order
    kept.weight[slots] = weights[order]
    kept.slot[order] = slots
    return kept


def weights_of(kept: TopK, size: int) -> NDArray[np.float64]:
    """The weights by feature."""
    weights = np.zeros(size)
    slots = slice(1, 1 + kept.taken[0])
    weights[kept.member[slots]] = kept.weight[slots]
    return weights


def is_consistent(kept: TopK, seen: int) -> bool:
    """Whether slots, features and entries of the heap refer to each other and to nothing else."""
    taken, queued, room = int(kept.taken[0]), int(kept.queue.length[0]), kept.member.size - 1
    if not (0 <= taken <= room and 0 <= queued <= room and kept.weight[0] == 0.0):
        return False
    capacity, codes = max(1, kept.slot.size), kept.queue.code
    of_features = (kept.member, capacity), (kept.row, capacity), (codes >> 32, capacity)
    if not all(_within(*each) for each in (*of_features, (codes & 0xFFFFFFFF, room + 1))):
        return False
    members = kept.member[1 : taken + 1]
    if not _within(members, seen):
        return False
    slot = np.full(kept.slot.size, NOT_KEPT, np.int32)
    slot[members] = slots = np.arange(1, taken + 1)
    return np.array_equal(kept.slot, slot) and np.array_equal(slot[members], slots)


def _within(numbers: NDArray[Any], end: int) -> bool:
    return numbers.size == 0 or bool(numbers.min() >= 0 and numbers.max() < end)


@inlined
def measure(value: float, power: int) -> float:
    """What a weight adds to the sum of magnitudes (power 1) or of squares (power 2)."""
    return abs(value) if power == 1 else value * value


@inlined
def dot(kept: TopK, indices: Ints, values: Floats) -> float:
    """The sum of weight * value."""
    total = 0.0
    for i in range(indices.size):
        total += kept.weight[Index(kept.slot[Index(indices[i])])] * values[i]
    return total


@inlined
def _put(kept: TopK, slot: Whole, feature: Whole, value: float) -> None:
    """Give a slot to a feature."""
    kept.member[Index(slot)] = feature
    kept.weight[Index(slot)] = value
    kept.slot[Index(feature)] = slot


@compiled
def add(kept: TopK, feature: Whole, value: float) -> None:
    """Keep one more feature."""
    kept.taken[0] += 1
    _settle(kept, kept.taken[0], feature, value)


@compiled
def drop(kept: TopK, slot: Whole) -> None:
    """Drop the feature of a slot; the last one moves there."""
    kept.slot[kept.member[slot]] = NOT_KEPT
    last = kept.taken[0]
    kept.taken[0] = last - 1
    if slot != last:
        _settle(kept, slot, kept.member[last], kept.weight[last])


@compiled
def _settle(kept: TopK, slot: Whole, feature: Whole, value: float) -> None:
    _put(kept, slot, feature, value)
    if abs(value) <= kept.bar[0]:
        push_slot(kept, slot)


@compiled
def push_slot(kept: TopK, slot: Whole) -> None:
    """Put the feature of a slot into the heap; if that is full of void entries, clear it."""
    if kept.queue.length[0] < kept.taken[0]:
        push(kept.queue, abs(float(kept.weight[slot])), encode(kept.member[slot], slot))
    else:
        _clear_heap(kept)


@compiled
def _clear_heap(kept: TopK) -> None:
    """Take all features out of the heap."""
    kept.queue.length[0] = 0
    kept.bar[0] = 0.0


@compiled
def scale_by(kept: TopK, factor: float, power: int) -> float:
    """Multiply all weights, drop those that become 0, and return the size of the others."""
    size, last = 0.0, 0
    for slot in range(1, kept.taken[0] + 1):
        feature, value = kept.member[slot], kept.weight[slot] * factor
        kept.slot[feature] = NOT_KEPT
        if value != 0.0:
            last += 1
            _put(kept, last, feature, value)
            size += measure(value, power)
    kept.taken[0] = last
    _clear_heap(kept)  # rounding may have made equals of different weights
    return size


# ------------------------------------------------------------------- one row's step


@inlined
def split_row(kept: TopK, indices: Ints) -> int:
    """Sort the entries of a row into ``kept.row``, first those not kept, and return their number.

    Each entry is written to both ends, without a branch that the processor would mispredict.
    """
    row, slot = kept.row, kept.slot
    outside, inside = 0, indices.size - 1
    for i in range(indices.size):
        is_outside = slot[Index(indices[i])] == NOT_KEPT
        row[Index(outside)] = i
        row[Index(inside)] = i
        outside += is_outside
        inside -= not is_outside
    return outside


@inlined
def move_kept(
    kept: TopK, indices: Ints, values: Floats, step: float, first: int, power: int
) -> float:
    """Add step * value to the kept entries, and return the change in size.

    They are listed from ``first`` on; the list ends where the row does.
    """
    change = 0.0
    for entry in range(first, indices.size):
        i = Index(kept.row[Index(entry)])
        slot = Index(kept.slot[Index(indices[i])])
        before = kept.weight[slot]
        after = before + step * values[i]
        kept.weight[slot] = after
        change += measure(after, power) - measure(before, power)
        if abs(after) <= kept.bar[0]:
            push_slot(kept, slot)
    return change


@inlined
def size_of_new(kept: TopK, values: Floats, step: float, outside: int, power: int) -> float:
    """The size of step * value over the entries that are not kept."""
    size = 0.0
    for entry in range(outside):
        size += measure(step * values[Index(kept.row[Index(entry)])], power)
    return size


@inlined
def keep_largest(
    kept: TopK, k: int, indices: Ints, values: Floats, step: float, outside: int, power: int
) -> float:
    """Keep the ``outside`` entries that are among the k largest; return the change in size."""
    change = 0.0
    lowest = _lowest_let_in(kept, k)
    for entry in range(outside):
        i = Index(kept.row[Index(entry)])
        moved = step * values[i]
        if abs(moved) < lowest or moved == 0.0:
            continue
        change += _admit(kept, k, indices[i], moved, power)
        lowest = _lowest_let_in(kept, k)
    return change


@inlined
def _lowest_let_in(kept: TopK, k: int) -> float:
    """A magnitude below which no feature is let in: most features of a row stop here."""
    if kept.taken[0] < k:
        return 0.0
    return float(kept.queue.magnitude[0] if kept.queue.length[0] else kept.bar[0])


@inlined
def _admit(kept: TopK, k: int, feature: Whole, value: float, power: int) -> float:
    """Let a feature in if it is among the k largest; return the change in size."""
    magnitude = abs(value)
    if kept.taken[0] < k:
        add(kept, feature, value)
        return measure(value, power)
    code = _next_to_drop(kept)
    slot = slot_of(code)
    code_in = encode(feature, slot)
    left = kept.weight[slot]
    if not is_dropped_before(abs(left), code, magnitude, code_in):
        return 0.0
    kept.slot[feature_of(code)] = NOT_KEPT
    _put(kept, slot, feature, value)
    if magnitude <= kept.bar[0]:
        replace_top(kept.queue, magnitude, code_in)
    else:
        drop_top(kept.queue)
    return measure(value, power) - measure(left, power)


@inlined
def _next_to_drop(kept: TopK) -> Whole:
    """The code of the kept feature that is dropped first, which then is the top of the heap."""
    queue = kept.queue
    while True:
        if queue.length[0] == 0:
            _refill_heap(kept)
        code = queue.code[0]
        slot = slot_of(code)
        still_there = Index(kept.member[slot]) == feature_of(code)
        if still_there and abs(kept.weight[slot]) == queue.magnitude[0]:
            return code
        drop_top(queue)


@compiled
def _refill_heap(kept: TopK) -> None:
    """Raise the bar, and fill the heap with the few smallest: one pass serves many rows."""
    queue, count = kept.queue, kept.taken[0]
    bar = _low_rank(kept.weight, count)
    length = 0
    for slot in range(1, count + 1):
        queue.code[Index(length)] = slot
        length += abs(kept.weight[Index(slot)]) <= bar
    for position in range(length):
        slot = queue.code[position]
        queue.magnitude[position] = abs(kept.weight[slot])
        queue.code[position] = encode(kept.member[slot], slot)
    queue.length[0] = length
    kept.bar[0] = bar
    heapify(queue)


@compiled
def _low_rank(weight: Floats, count: int) -> float:
    """The third smallest magnitude of a sample; of fewer than three, the largest."""
    first, second, third = np.inf, np.inf, np.inf
    for slot in range(1, count + 1, max(1, count // SAMPLE)):
        magnitude = abs(weight[slot])
        if magnitude < third:
            third = magnitude
            if third < second:
                second, third = third, second
                if second < first:
                    first, second = second, first
    if count < 3:
        return second if count == 2 else first
    return third


@compiled
def keep_random(
    kept: TopK,
    k: int,
    seen: int,
    rng: NDArray[np.uint64],
    indices: Ints,
    values: Floats,
    step: float,
    outside: int,
    power: int,
) -> float:
    """Keep k of all features seen, at random, and return the change in size.

    Sequential sampling: a feature is drawn with chance (still to keep) / (still to come). Features
    without a weight need not be asked: the chances of the others do not depend on the order.
    """
    to_keep, to_come, last, change = k, seen, 0, 0.0
    everything = k >= seen
    for slot in range(1, kept.taken[0] + 1):
        feature, value = kept.member[slot], kept.weight[slot]
        kept.slot[feature] = NOT_KEPT
        if value == 0.0:
            continue
        if everything or uniform(rng) * to_come < to_keep:
            last += 1
            to_keep -= 1
            _put(kept, last, feature, value)
        else:
            change -= measure(value, power)
        to_come -= 1
    for entry in range(outside):
        i = kept.row[entry]
        moved = step * values[i]
        if moved == 0.0:
            continue
        if everything or uniform(rng) * to_come < to_keep:
            last += 1
            to_keep -= 1
            _put(kept, last, indices[i], moved)
            change += measure(moved, power)
        to_come -= 1
    kept.taken[0] = last
    _clear_heap(kept)
    return change
