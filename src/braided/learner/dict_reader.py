"""DictReader: the values of a dict, read by compiled code through Python's C API.

A dict of twenty numbers takes a third of a microsecond so, a sixth of what Python takes for a list
of them. It reads what is plain: keys that are texts, values that are floats, ints or the texts of
categories. Everything else is left to Python.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, Whole, compiled
from braided.compiled.python_api import (
    as_float,
    as_int,
    bytes_at,
    clear_error,
    compare_texts,
    failed,
    item_of_dict,
    next_item,
    type_of,
    utf8_of,
    with_gil,
)
from braided.compiled.words import load_word, reversed_word
from braided.features.name_table import (
    FREE,
    Bytes,
    NameTable,
    TableArrays,
    find_name,
    hash_of,
)

__all__ = ["DictReader"]

Plan = NDArray[np.int64]

# A plan is an array: first these places, then for each key of the dict its address, its place in
# the row, and the address of the table of its categories (0 for a number, which has its column
# already).
_POSITION, _KEY, _VALUE, _KEYS, _FLOAT, _INT, _TEXT, _HEAD = range(8)
_EACH = 3
_8 = np.uint64(8)
_NONE = -1  # in place of the number of keys: no dict fits

# To sort names: where they are in the plan, numbers that sort as they do, and (for the second half
# of a merge sort) the same again, where at first their addresses are.
_AT, _KEY_OF, _NAME, _SORTED = 0, 1, 2, 4

_MOST_COUNTED = 128
"""Names of longer rows are sorted, which takes less than to compare each with each."""


@compiled
def _are_one_text(key: int, other: int, text: int) -> bool:
    """Whether two keys are texts that are equal; of other keys, only the same object is read."""
    same: bool = type_of(key) == text and type_of(other) == text and compare_texts(key, other) == 0
    return same


@with_gil
def _read(x: int, plan: Plan, values: Floats, indices: Ints) -> bool:
    """Write the values of a dict that has the keys of the plan, in the same order."""
    n, scratch = plan[_KEYS], plan.ctypes.data
    if n < 0:
        return False
    plan[_POSITION] = 0
    for i in range(n):
        if next_item(x, scratch, scratch + 8 * _KEY, scratch + 8 * _VALUE) == 0:
            return False
        key, value = plan[_KEY], plan[_VALUE]
        at = _HEAD + _EACH * i
        if key != plan[at] and not _are_one_text(key, plan[at], plan[_TEXT]):
            return False
        place, table = plan[at + 1], plan[at + 2]
        if place < 0:
            continue  # a field that is left out
        kind = type_of(value)
        if table != 0:
            if kind != plan[_TEXT]:
                return False
            found = item_of_dict(table, value)
            if found == 0:
                clear_error()
                return False
            indices[place], values[place] = as_int(found), 1.0
        elif kind == plan[_FLOAT] or kind == plan[_INT]:
            number = as_float(value)
            if number == -1.0 and failed() != 0:  # an int beyond all floats
                clear_error()
                return False
            values[place] = number
        else:
            return False
    more: int = next_item(x, scratch, scratch + 8 * _KEY, scratch + 8 * _VALUE)
    return more == 0


@with_gil
def _plan_numbers(
    x: int, size: int, table: TableArrays, plan: Plan, indices: Ints, order: Plan
) -> bool:
    """Plan for a dict of numbers whose names all have columns; a row is sorted by name."""
    scratch = plan.ctypes.data
    plan[_POSITION], plan[_KEYS] = 0, _NONE
    first, shared = bytes_at(scratch, 0), 0  # the bytes that all names begin with
    for i in range(size):
        next_item(x, scratch, scratch + 8 * _KEY, scratch + 8 * _VALUE)
        key = plan[_KEY]
        if type_of(key) != plan[_TEXT]:
            return False
        address = utf8_of(key, scratch + 8 * _VALUE)
        if address == 0:
            clear_error()
            return False
        name = bytes_at(address, plan[_VALUE])
        column = find_name(table, hash_of(table, name, 0, name.size), name, 0, name.size)[0]
        if column == FREE:
            return False
        if i == 0:
            first, shared = name, name.size
        shared = _beginning(first, name, shared)
        at = _HEAD + _EACH * i
        plan[at], plan[at + 1], plan[at + 2] = key, column, 0
        order[_AT * size + i], order[_NAME * size + i] = at, address
        order[_KEY_OF * size + i] = name.size
    for i in range(size):
        name = bytes_at(order[_NAME * size + i], order[_KEY_OF * size + i])
        order[_KEY_OF * size + i] = _sort_key(name, shared)
    if size <= _MOST_COUNTED and _count_smaller(order, size):
        for i in range(size):
            at, place = order[_AT * size + i], order[_NAME * size + i]
            indices[place] = plan[at + 1]
            plan[at + 1] = place
    else:
        start = _sort_by_name(order, plan, size)
        for place in range(size):
            at = order[start + place]
            indices[place] = plan[at + 1]
            plan[at + 1] = place
    plan[_KEYS] = size
    return True


@compiled
def _count_smaller(order: Plan, size: int) -> bool:
    """Write the place of each name to where its address was; return False if keys are equal.

    Without branches, many keys are compared at a time: for a short row, faster than to sort them.
    """
    keys = order[_KEY_OF * size : (_KEY_OF + 1) * size]
    for i in range(size):
        mine, smaller, equal = keys[i], 0, 0
        for j in range(size):
            smaller += keys[j] < mine
            equal += keys[j] == mine
        if equal > 1:
            return False
        order[_NAME * size + i] = smaller
    return True


@compiled
def _beginning(first: Bytes, name: Bytes, shared: int) -> int:
    """How many bytes, up to ``shared``, two names have in common at their beginning."""
    shared, i = min(shared, name.size), 0
    while i + 8 <= shared and load_word(first, i) == load_word(name, i):
        i += 8
    while i < shared and first[i] == name[i]:
        i += 1
    return i


@compiled
def _sort_key(name: Bytes, start: int) -> Whole:
    """Seven bytes of a name as a number: names with a smaller one come before."""
    if start + 8 <= name.size:
        return np.int64(reversed_word(load_word(name, start)) >> _8)
    key = np.int64(0)
    for i in range(start, start + 7):
        key = key << 8
        if i < name.size:
            key |= np.int64(name[i])
    return key


@compiled
def _sort_by_name(order: Plan, plan: Plan, size: int) -> int:
    """Sort names by their keys; where these are equal, by their texts.

    A merge sort: each round merges runs of one half into runs of twice the length in the other.
    Returns where the sorted places of names begin in ``order``.
    """
    source, target, run = 0, 2 * size, 1  # the places, and behind them the keys
    while run < size:
        for start in range(0, size, 2 * run):
            left, middle = start, min(start + run, size)
            right, end = middle, min(start + 2 * run, size)
            for place in range(start, end):
                take_left = left < middle
                if take_left and right < end:
                    mine, other = order[source + size + left], order[source + size + right]
                    take_left = mine < other
                    if mine == other:
                        texts = plan[order[source + left]], plan[order[source + right]]
                        take_left = compare_texts(texts[0], texts[1]) < 0
                taken = left if take_left else right
                order[target + place] = order[source + taken]
                order[target + size + place] = order[source + size + taken]
                if take_left:
                    left += 1
                else:
                    right += 1
        source, target, run = target, source, 2 * run
    return source


class DictReader:
    """Reads dicts with the same keys, one after another, into the buffers of a row.

    ``read(id(x), keys, values, indices)``, the compiled function itself, writes the values of a
    dict; it returns False if the dict does not fit the plan, or is not plain.
    """

    __slots__ = ("_held", "_order", "keys", "read")

    def __init__(self) -> None:
        self._held: Any = None  # what the plan has addresses of
        self.read = _reads()
        self._make_room(16)

    def _make_room(self, size: int) -> None:
        self.keys = np.zeros(_HEAD + _EACH * size, np.int64)
        self.keys[[_KEYS, _FLOAT, _INT, _TEXT]] = _NONE, id(float), id(int), id(str)
        self._order = np.zeros(_SORTED * size, np.int64)

    def forget(self) -> None:
        """Read no dict until there is another plan."""
        self.keys[_KEYS] = _NONE

    def plan(
        self,
        names: Sequence[Hashable],
        places: Sequence[int],
        tables: Mapping[int, dict[str, int]],
    ) -> None:
        """Plan for dicts with these names.

        Parameters
        ----------
        names : sequence
            The names, in the order of the dict.
        places : sequence of int
            The place of each name in the row; -1 for one that is left out.
        tables : mapping
            For the places of categories, the columns of their texts.
        """
        if _SORTED * len(names) > self._order.size:
            self._make_room(2 * len(names))
        self.forget()
        numbers: list[int] = []
        for name, place in zip(names, places, strict=True):
            numbers += id(name), place, id(tables[place]) if place in tables else 0
        _writer(len(numbers))(self.keys, 8 * _HEAD, *numbers)
        self._held = (names, tables)
        self.keys[_KEYS] = len(names)

    def plan_numbers(self, x: dict[Hashable, Any], columns: NameTable, indices: Ints) -> bool:
        """Plan for dicts with the names of this one, all of which are numbers, and write columns.

        Parameters
        ----------
        x : dict
            The dict.
        columns : NameTable
            The column of each name.
        indices : ndarray of int32
            Where the columns are written, in the order of names; with room for all.

        Returns
        -------
        bool
            Whether all names are texts that have a column.
        """
        size = len(x)
        if _SORTED * size > self._order.size:
            self._make_room(2 * size)
        self._held = [*x]
        return _plans_numbers()(id(x), size, columns.arrays, self.keys, indices, self._order)


@lru_cache(maxsize=4096)
def _writer(size: int) -> Callable[..., None]:
    """Writes so many ints to an array: for a short list, in a fraction of NumPy's time."""
    return struct.Struct(f"{size}q").pack_into


@lru_cache(maxsize=1)
def _reads() -> Callable[..., bool]:
    """``_read``, without Numba's search for the version of some types."""
    plan = types.int64[::1]
    read: Callable[..., bool] = _read.compile(
        (types.int64, plan, types.float64[::1], types.int32[::1])
    )
    return read


@lru_cache(maxsize=1)
def _plans_numbers() -> Callable[..., bool]:
    """``_plan_numbers``, likewise; not compiled for those whose records have the same names."""
    whole, plan, table = types.int64, types.int64[::1], typeof(NameTable().arrays)
    plans: Callable[..., bool] = _plan_numbers.compile(
        (whole, whole, table, plan, types.int32[::1], plan)
    )
    return plans
