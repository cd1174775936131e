"""Kept: the weights of the features that a budget keeps, and who of them leaves next.

A kept feature has a slot, from the time it is let in until it leaves. Features whose magnitude is
at most the ``bar`` stand in a queue to leave; all others are a crowd in no order at all, so that a
weight which changes costs nothing as long as it stays above the bar. When the queue is used up,
the bar is raised (``keeping.py``). So a feature that comes in, and the one that leaves for it,
cost O(log k) on average, and mostly much less.

An entry of the queue may be void: its feature has left, or its weight has changed. Nobody looks
for it then; it is dropped when it reaches the top. Whoever is at most the bar always has an entry
that is not void.

What leaves first is the smallest magnitude and, among equals, the feature seen last. Slot 0
belongs to nobody, and its weight is 0: the weight of any feature is ``weight[slot[feature]]``. A
weight that has become 0 may keep its slot, since it is the first to leave.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.eviction_heap import Queue, encode, new_queue, push

__all__ = [
    "NOBODY",
    "Kept",
    "add",
    "dissolve_queue",
    "dot",
    "drop",
    "enqueue",
    "finds_its_way",
    "largest_kept",
    "measure",
    "new_kept",
    "put",
    "scale_by",
    "weights_of",
]

NOBODY = 0
"""The slot of a feature that is not kept."""


class Kept(NamedTuple):
    """The arrays."""

    taken: NDArray[np.int64]  # how many are kept, in the slots 1, 2, ...
    member: NDArray[np.int32]  # by slot: the feature
    weight: NDArray[np.float64]  # by slot
    slot: NDArray[np.int32]  # by feature: its slot, or NOBODY
    bar: NDArray[np.float64]
    queue: Queue
    row: NDArray[np.int32]  # room for ``split`` to sort the entries of a row


def new_kept(capacity: int, room: int) -> Kept:
    """Nothing kept yet, and room to keep ``room`` of ``capacity`` features."""
    capacity = capacity if room else 0
    return Kept(
        taken=np.zeros(1, np.int64),
        member=np.zeros(room + 1, np.int32),
        weight=np.zeros(room + 1),
        slot=np.zeros(capacity, np.int32),
        bar=np.zeros(1),
        queue=new_queue(room),
        row=np.zeros(capacity, np.int32),
    )


def largest_kept(weights: NDArray[np.float64], k: int, room: int) -> Kept:
    """The k largest of these weights, which are given by feature."""
    kept = new_kept(weights.size, room)
    order = np.argsort(-np.abs(weights), kind="stable")
    order = order[weights[order] != 0.0][:k]
    slots = np.arange(1, order.size + 1)
    kept.taken[0] = order.size
    kept.member[slots] = order
    kept.weight[slots] = weights[order]
    kept.slot[order] = slots
    return kept


def weights_of(kept: Kept, size: int) -> NDArray[np.float64]:
    """The weights by feature."""
    weights = np.zeros(size)
    slots = slice(1, 1 + kept.taken[0])
    weights[kept.member[slots]] = kept.weight[slots]
    return weights


def finds_its_way(kept: Kept, seen: int) -> bool:
    """Whether slots, features and entries of the queue lead to each other and to nowhere else."""
    taken, queued, room = int(kept.taken[0]), int(kept.queue.length[0]), kept.member.size - 1
    if not (0 <= taken <= room and 0 <= queued <= room and kept.weight[0] == 0.0):
        return False
    capacity, codes = max(1, kept.slot.size), kept.queue.code
    led_to = (kept.member, capacity), (kept.row, capacity), (codes >> 32, capacity)
    if not all(_within(*each) for each in (*led_to, (codes & 0xFFFFFFFF, room + 1))):
        return False
    members = kept.member[1 : taken + 1]
    if not _within(members, seen):
        return False
    slot = np.full(kept.slot.size, NOBODY, np.int32)
    slot[members] = slots = np.arange(1, taken + 1)
    return np.array_equal(kept.slot, slot) and np.array_equal(slot[members], slots)


def _within(numbers: NDArray[Any], end: int) -> bool:
    return numbers.size == 0 or bool(numbers.min() >= 0 and numbers.max() < end)


@inlined
def measure(value: float, power: int) -> float:
    """What a weight adds to the sum of magnitudes (power 1) or of squares (power 2)."""
    return abs(value) if power == 1 else value * value


@inlined
def dot(kept: Kept, indices: Ints, values: Floats) -> float:
    """The sum of weight * value."""
    total = 0.0
    for i in range(indices.size):
        total += kept.weight[Index(kept.slot[Index(indices[i])])] * values[i]
    return total


@inlined
def put(kept: Kept, slot: Whole, feature: Whole, value: float) -> None:
    """Give a slot to a feature."""
    kept.member[Index(slot)] = feature
    kept.weight[Index(slot)] = value
    kept.slot[Index(feature)] = slot


@compiled
def add(kept: Kept, feature: Whole, value: float) -> None:
    """Keep one more feature."""
    kept.taken[0] += 1
    _settle(kept, kept.taken[0], feature, value)


@compiled
def drop(kept: Kept, slot: Whole) -> None:
    """Take out the feature of a slot; the last one moves there."""
    kept.slot[kept.member[slot]] = NOBODY
    last = kept.taken[0]
    kept.taken[0] = last - 1
    if slot != last:
        _settle(kept, slot, kept.member[last], kept.weight[last])


@compiled
def _settle(kept: Kept, slot: Whole, feature: Whole, value: float) -> None:
    put(kept, slot, feature, value)
    if abs(value) <= kept.bar[0]:
        enqueue(kept, slot)


@compiled
def enqueue(kept: Kept, slot: Whole) -> None:
    """Let the feature of a slot queue; if the queue is full of void entries, dissolve it."""
    if kept.queue.length[0] < kept.taken[0]:
        push(kept.queue, abs(float(kept.weight[slot])), encode(kept.member[slot], slot))
    else:
        dissolve_queue(kept)


@compiled
def dissolve_queue(kept: Kept) -> None:
    """Put all into the crowd."""
    kept.queue.length[0] = 0
    kept.bar[0] = 0.0


@compiled
def scale_by(kept: Kept, factor: float, power: int) -> float:
    """Multiply all weights; those that become 0 are out. Their size."""
    size, last = 0.0, 0
    for slot in range(1, kept.taken[0] + 1):
        feature, value = kept.member[slot], kept.weight[slot] * factor
        kept.slot[feature] = NOBODY
        if value != 0.0:
            last += 1
            put(kept, last, feature, value)
            size += measure(value, power)
    kept.taken[0] = last
    dissolve_queue(kept)  # rounding may have made equals of different weights
    return size
