"""Names in the order of their bytes, which is that of Python's texts, in compiled code.

Eight bytes of each name, after what all of them have in common, are a key; names with equal keys
are sorted by what follows. Short runs of keys are sorted by counting how many keys each one comes
after: no branch of it can be mispredicted. Runs are then merged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Ints, Whole, compiled
from braided.compiled.words import first_bit, load_word, reversed_word
from braided.readers.number_parser import Bytes

__all__ = ["ENDED", "Names", "new_names", "sort_names"]

ENDED = 8
"""How many bytes must follow the last name: a key is read in one go."""

_RUN = 64
_SIGN = np.uint64(2**63)
_HIGHEST = np.uint64(0xFF)
_ALL, _0, _3, _8 = np.uint64(2**64 - 1), np.uint64(0), np.uint64(3), np.uint64(8)
_WORD = 8


class Names(NamedTuple):
    """The names of one row, one after another in a text, and what sorting them needs."""

    text: Bytes
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    order: Ints  # once they are sorted: the number of each name
    keys: NDArray[np.int64]
    other_order: Ints
    other_keys: NDArray[np.int64]
    groups: NDArray[np.int64]  # names with equal keys: where they begin and end, and how deep


def new_names(count: int, size: int) -> Names:
    """Make room for so many names, with so many bytes in all."""
    starts, ends, keys, other_keys = (np.empty(count, np.int64) for _ in range(4))
    order, other_order = (np.empty(count, np.int32) for _ in range(2))
    groups = np.empty((count // 2 + 1, 3), np.int64)
    text = np.empty(size + ENDED, np.uint8)
    return Names(text, starts, ends, order, keys, other_order, other_keys, groups)


@compiled
def _word_at(names: Names, number: int, depth: int) -> Whole:
    """Eight bytes of a name, zeros where it has ended; it is at least as long as the depth."""
    place = names.starts[number] + depth
    word, left = load_word(names.text, place), names.ends[number] - place
    return word if left >= _WORD else word & ~(_ALL << (_8 * np.uint64(left)))


@compiled
def _depth_of_difference(names: Names, start: int, end: int, depth: int) -> Whole:
    """How many bytes all names of a group have in common; -1 if they are the same name."""
    order = names.order
    while True:
        first, differences = _word_at(names, order[start], depth), _0
        for i in range(start + 1, end):
            differences |= first ^ _word_at(names, order[i], depth)
        if differences != _0:
            return depth + np.int64(first_bit(differences) >> _3)
        if first >> np.uint64(56) == _0:
            return -1
        depth += _WORD


@compiled
def _sort_run(names: Names, start: Whole, end: Whole) -> None:
    """Sort a short run by counting; equal keys stay in their order."""
    keys, order, one = names.keys, names.order, Index(1)
    start, end = Index(start), Index(end)  # else the loops would not be those of vectors
    for i in range(start, end):
        key, place = keys[i], start
        for j in range(start, i):
            place += Index(keys[j] <= key)
        for j in range(i + one, end):
            place += Index(keys[j] < key)
        names.other_keys[place], names.other_order[place] = key, order[i]
    for i in range(start, end):
        keys[i], order[i] = names.other_keys[i], names.other_order[i]


@compiled
def _merge(names: Names, start: int, middle: int, end: int) -> None:
    """Merge two sorted runs that lie side by side."""
    keys, order = names.keys, names.order
    for i in range(start, middle):  # only the first moves: the second is never overtaken
        names.other_keys[i], names.other_order[i] = keys[i], order[i]
    one, two, place = start, middle, start
    while one < middle and two < end:
        if names.other_keys[one] <= keys[two]:
            keys[place], order[place] = names.other_keys[one], names.other_order[one]
            one += 1
        else:
            keys[place], order[place] = keys[two], order[two]
            two += 1
        place += 1
    while one < middle:
        keys[place], order[place] = names.other_keys[one], names.other_order[one]
        one += 1
        place += 1


@compiled
def _sort_keys(names: Names, start: int, end: int) -> None:
    for run in range(start, end, _RUN):
        _sort_run(names, run, min(run + _RUN, end))
    width = _RUN
    while width < end - start:
        for run in range(start, end - width, 2 * width):
            _merge(names, run, run + width, min(run + 2 * width, end))
        width *= 2


@compiled
def sort_names(names: Names, count: int) -> None:
    """Write the order of the names; equal ones stay in theirs. No name has a byte that is zero."""
    for i in range(count):
        names.order[i] = i
    names.groups[0, 0], names.groups[0, 1], names.groups[0, 2] = 0, count, 0
    groups = 1 if count > 1 else 0
    while groups > 0:
        groups -= 1
        start, end = names.groups[groups, 0], names.groups[groups, 1]
        depth = _depth_of_difference(names, start, end, names.groups[groups, 2])
        if depth < 0:
            continue
        for i in range(start, end):
            key = reversed_word(_word_at(names, names.order[i], depth))
            names.keys[i] = np.int64(key ^ _SIGN)
        _sort_keys(names, start, end)
        i = start
        while i < end:
            key = names.keys[i]
            first = i
            i += 1
            while i < end and names.keys[i] == key:
                i += 1
            if i - first > 1 and np.uint64(key) & _HIGHEST != _0:  # else the names have ended
                names.groups[groups, 0], names.groups[groups, 1] = first, i
                names.groups[groups, 2] = depth + _WORD
                groups += 1
