"""A heap of the features that are held, the least useful first, with the position of each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Whole, compiled

__all__ = ["NO_INDEX", "Heap", "is_heap", "join", "new_heap", "pop_worst", "update_key"]

NO_INDEX = -1
"""Stands for no slot and for no position."""


class Heap(NamedTuple):
    """The arrays of the heap; all but the first two are by slot."""

    size: NDArray[np.int64]  # how many are in the heap, and how many were ever added
    order: NDArray[np.int32]  # slots
    position: NDArray[np.int32]  # in the order, or NO_INDEX
    key: NDArray[np.float64]  # the usefulness when it was last computed
    joined: NDArray[np.int64]  # how many were added before


def new_heap(slots: int, room: int) -> Heap:
    """Make an empty heap with room for so many."""
    return Heap(
        size=np.zeros(2, np.int64),
        order=np.zeros(room, np.int32),
        position=np.full(slots, NO_INDEX, np.int32),
        key=np.zeros(slots),
        joined=np.zeros(slots, np.int64),
    )


def is_heap(heap: Heap, used: int) -> bool:
    """Whether slots and positions match, and no feature is below a more useful one."""
    size, joined = int(heap.size[0]), heap.joined
    if not 0 <= size <= min(heap.order.size, used):
        return False
    if not ((joined >= 0) & (joined < max(1, heap.size[1]))).all():
        return False
    order = heap.order[:size]
    if size and not (order.min() >= 0 and order.max() < used):
        return False
    position = np.full(heap.position.size, NO_INDEX, np.int32)
    position[order] = places = np.arange(size)
    key, parents = heap.key[order], (places[1:] - 1) // 2
    return bool(
        np.array_equal(heap.position, position)
        and np.array_equal(position[order], places)
        and (key[parents] <= key[1:]).all()
    )


@compiled
def join(heap: Heap, slot: Whole, key: float) -> None:
    """Add a slot; there must be room."""
    last = heap.size[0]
    heap.size[0] += 1
    heap.joined[slot] = heap.size[1]
    heap.size[1] += 1
    heap.key[slot] = key
    _put(heap, last, slot)
    _rise(heap, last)


@compiled
def update_key(heap: Heap, slot: Whole, key: float) -> None:
    """Change the key of a slot in the heap."""
    heap.key[slot] = key
    _rise(heap, heap.position[slot])
    _sink(heap, heap.position[slot])


@compiled
def pop_worst(heap: Heap) -> Whole:
    """Remove the least useful slot, and return it."""
    worst, last = heap.order[0], heap.size[0] - 1
    heap.size[0] = last
    _put(heap, 0, heap.order[last])
    heap.position[worst] = NO_INDEX
    heap.order[last] = 0
    heap.key[worst], heap.joined[worst] = 0.0, 0
    if last > 0:
        _sink(heap, 0)
    return worst


@compiled
def _worse(heap: Heap, one: Whole, other: Whole) -> bool:
    """Whether one slot is less useful than another; of equals, the one that was added later."""
    if heap.key[one] == heap.key[other]:
        return bool(heap.joined[one] > heap.joined[other])
    return bool(heap.key[one] < heap.key[other])


@compiled
def _put(heap: Heap, position: Whole, slot: Whole) -> None:
    heap.order[position] = slot
    heap.position[slot] = position


@compiled
def _rise(heap: Heap, position: Whole) -> None:
    slot = heap.order[position]
    while position > 0:
        parent = (position - 1) // 2
        if not _worse(heap, slot, heap.order[parent]):
            break
        _put(heap, position, heap.order[parent])
        position = parent
    _put(heap, position, slot)


@compiled
def _sink(heap: Heap, position: Whole) -> None:
    slot, size = heap.order[position], heap.size[0]
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        if child + 1 < size and _worse(heap, heap.order[child + 1], heap.order[child]):
            child += 1
        if not _worse(heap, heap.order[child], slot):
            break
        _put(heap, position, heap.order[child])
        position = child
    _put(heap, position, slot)
