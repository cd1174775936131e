"""Queue: entries in the order in which they leave, the smallest magnitude first.

A heap with four children to a place. An entry is a magnitude and a code, a feature above a slot; of
equal magnitudes the feature seen last leaves first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Whole, compiled, inlined

__all__ = [
    "Queue",
    "drop_top",
    "encode",
    "feature_of",
    "leaves_before",
    "new_queue",
    "push",
    "replace_top",
    "slot_of",
    "sort_out",
]

Magnitudes = NDArray[np.float64]
Codes = NDArray[np.int64]


class Queue(NamedTuple):
    """The heap's arrays."""

    length: NDArray[np.int64]
    magnitude: Magnitudes
    code: Codes


def new_queue(room: int) -> Queue:
    """An empty queue with room for so many entries."""
    return Queue(np.zeros(1, np.int64), np.zeros(room), np.zeros(room, np.int64))


@inlined
def encode(feature: Whole, slot: Whole) -> Whole:
    """The code of a feature that stands in a slot."""
    return (np.int64(feature) << 32) | np.int64(slot)


@inlined
def feature_of(code: Whole) -> Index:
    """The feature in a code."""
    return Index(code >> 32)


@inlined
def slot_of(code: Whole) -> Index:
    """The slot in a code."""
    return Index(code & 0xFFFFFFFF)


@inlined
def leaves_before(magnitude: float, code: Whole, other_magnitude: float, other_code: Whole) -> bool:
    """Whether the one entry leaves before the other."""
    return magnitude < other_magnitude or (magnitude == other_magnitude and code > other_code)


@compiled
def push(queue: Queue, magnitude: float, code: Whole) -> None:
    """Add an entry, for which there must be room."""
    magnitudes, codes = queue.magnitude, queue.code
    position = queue.length[0]
    queue.length[0] += 1
    while position > 0:
        parent = (position - 1) >> 2
        if not leaves_before(magnitude, code, magnitudes[parent], codes[parent]):
            break
        magnitudes[position], codes[position] = magnitudes[parent], codes[parent]
        position = parent
    magnitudes[position], codes[position] = magnitude, code


@inlined
def drop_top(queue: Queue) -> None:
    """Take out the first to leave."""
    end = queue.length[0] - 1
    queue.length[0] = end
    _sink(queue.magnitude, queue.code, end, 0, queue.magnitude[end], queue.code[end])


@inlined
def replace_top(queue: Queue, magnitude: float, code: Whole) -> None:
    """Take out the first to leave, and add an entry."""
    _sink(queue.magnitude, queue.code, queue.length[0], 0, magnitude, code)


@compiled
def sort_out(queue: Queue) -> None:
    """Make a heap of entries that stand in any order."""
    magnitudes, codes, length = queue.magnitude, queue.code, queue.length[0]
    for position in range((length + 2) >> 2, -1, -1):
        if position < length:
            _sink(magnitudes, codes, length, position, magnitudes[position], codes[position])


@inlined
def _rank(magnitude: float) -> Whole:
    """The bits of a magnitude: whole numbers of the same order, which are compared sooner."""
    return np.float64(magnitude).view(np.int64)


@inlined
def _sink(
    magnitudes: Magnitudes, codes: Codes, length: int, position: int, magnitude: float, code: Whole
) -> None:
    """Put an entry at a free position or below it."""
    while True:
        first = 4 * position + 1
        if first + 4 <= length:
            # Which of four is the smallest, without a branch that nobody could foretell.
            a, b = _rank(magnitudes[Index(first)]), _rank(magnitudes[Index(first + 1)])
            c, d = _rank(magnitudes[Index(first + 2)]), _rank(magnitudes[Index(first + 3)])
            left, right = first + (b < a), first + 2 + (d < c)
            smaller, other = min(a, b), min(c, d)
            child = right if other < smaller else left
            least = magnitudes[Index(child)]
            if (a == b) | (c == d) | (smaller == other):
                child = _first_of(magnitudes, codes, first, first + 4)
        elif first < length:
            child = _first_of(magnitudes, codes, first, length)
            least = magnitudes[child]
        else:
            break
        moving = codes[Index(child)]
        if not leaves_before(least, moving, magnitude, code):
            break
        magnitudes[Index(position)], codes[Index(position)] = least, moving
        position = child
    magnitudes[Index(position)], codes[Index(position)] = magnitude, code


@compiled
def _first_of(magnitudes: Magnitudes, codes: Codes, start: int, stop: int) -> int:
    child = start
    for other in range(start + 1, stop):
        if leaves_before(magnitudes[other], codes[other], magnitudes[child], codes[child]):
            child = other
    return child
