"""The heap that says which kept feature is dropped next: that of the smallest magnitude.

A heap with four children to a place. An entry is a magnitude and a code, which holds a feature and
its slot; of equal magnitudes the feature seen last is dropped first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Whole, compiled, inlined

__all__ = [
    "EvictionHeap",
    "drop_top",
    "encode",
    "feature_of",
    "heapify",
    "is_dropped_before",
    "push",
    "replace_top",
    "slot_of",
]

Magnitudes = NDArray[np.float64]
Codes = NDArray[np.int64]


class EvictionHeap(NamedTuple):
    """The heap's arrays."""

    length: NDArray[np.int64]
    magnitude: Magnitudes
    code: Codes


@inlined
def encode(feature: Whole, slot: Whole) -> Whole:
    """The code of a feature and its slot."""
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
def is_dropped_before(
    magnitude: float, code: Whole, other_magnitude: float, other_code: Whole
) -> bool:
    """Whether the one entry is dropped before the other."""
    return magnitude < other_magnitude or (magnitude == other_magnitude and code > other_code)


@compiled
def push(heap: EvictionHeap, magnitude: float, code: Whole) -> None:
    """Add an entry, for which there must be room."""
    magnitudes, codes = heap.magnitude, heap.code
    position = heap.length[0]
    heap.length[0] += 1
    while position > 0:
        parent = (position - 1) >> 2
        if not is_dropped_before(magnitude, code, magnitudes[parent], codes[parent]):
            break
        magnitudes[position], codes[position] = magnitudes[parent], codes[parent]
        position = parent
    magnitudes[position], codes[position] = magnitude, code


@inlined
def drop_top(heap: EvictionHeap) -> None:
    """Remove the first entry."""
    end = heap.length[0] - 1
    heap.length[0] = end
    _sink(heap.magnitude, heap.code, end, 0, heap.magnitude[end], heap.code[end])


@inlined
def replace_top(heap: EvictionHeap, magnitude: float, code: Whole) -> None:
    """Remove the first entry, and add another."""
    _sink(heap.magnitude, heap.code, heap.length[0], 0, magnitude, code)


@compiled
def heapify(heap: EvictionHeap) -> None:
    """Make a heap of entries in any order."""
    magnitudes, codes, length = heap.magnitude, heap.code, heap.length[0]
    for position in range((length + 2) >> 2, -1, -1):
        if position < length:
            _sink(magnitudes, codes, length, position, magnitudes[position], codes[position])


@inlined
def _rank(magnitude: float) -> Whole:
    """The bits of a magnitude: whole numbers in the same order, which are compared faster."""
    return np.float64(magnitude).view(np.int64)


@inlined
def _sink(
    magnitudes: Magnitudes, codes: Codes, length: int, position: int, magnitude: float, code: Whole
) -> None:
    """Put an entry at a free position or below it."""
    while True:
        first = 4 * position + 1
        if first + 4 <= length:
            # The smallest of four, without a branch that the processor would mispredict.
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
        if not is_dropped_before(least, moving, magnitude, code):
            break
        magnitudes[Index(position)], codes[Index(position)] = least, moving
        position = child
    magnitudes[Index(position)], codes[Index(position)] = magnitude, code


@compiled
def _first_of(magnitudes: Magnitudes, codes: Codes, start: int, stop: int) -> int:
    child = start
    for other in range(start + 1, stop):
        if is_dropped_before(magnitudes[other], codes[other], magnitudes[child], codes[child]):
            child = other
    return child
