"""NameTable: names <-> numbers in compiled code, for sources that have names as bytes.

A hash table with open addressing over the UTF-8 bytes of all names, which lie one after another.
A ``str`` is made only when somebody asks for a name. Time and memory for a name are a small part of
what a dict of Python takes.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, overload

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from braided.compiled.jit import Ints, Whole, cached_parser, compiled
from braided.compiled.python_api import (
    WORKS,
    bytes_at,
    clear_error,
    item_of_list,
    type_of,
    utf8_of,
    with_gil,
)
from braided.compiled.words import ask_for, folded_product, load_word

__all__ = ["FREE", "Bytes", "NameTable", "TableArrays"]
__all__ += ["add_name", "ask_for_name", "ask_for_slot", "find_name", "hash_of", "is_same"]

Bytes = NDArray[np.uint8]

FREE = -1
"""The number of a name that is not in the table."""

# Odd numbers whose bits are as good as random.
_LAST_MIX = np.uint64(0xD6E8FEB86659FD93)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_32, _1, _0 = np.uint64(32), np.uint64(1), np.uint64(0)
_WORD = 8
_FEWEST = 8
_BYTES_OF_NAME = 16
_FIRST_NAMES = 128
"""So many names at most are in a dict of Python."""

_SEED = np.uint64(int.from_bytes(os.urandom(8), "little") | 1)
"""Where hashes begin in this process, so that nobody can prepare names that collide."""

_GROWING = threading.Lock()

Sizes = NDArray[np.int64]
_SIZE: Sizes = np.zeros(1, np.int64)
"""Where Python writes the size of a text; nobody else does while the GIL is held."""


class TableArrays(NamedTuple):
    """A table as compiled code sees it.

    ``slots`` has the upper half of a hash, which says where to look, and the number of a name + 1,
    or 0; name i is in ``text`` from ``ends[i]`` to ``ends[i + 1]``; ``size`` has the number of
    names, and the seed of hashes.
    """

    slots: NDArray[np.uint64]
    ends: NDArray[np.int64]
    text: Bytes
    size: NDArray[np.uint64]


@compiled
def _last_word(data: Bytes, start: int, end: int) -> Whole:
    """The last bytes of a text, up to eight, as a word; what is outside of it does not count."""
    size = end - start
    if size >= _WORD:
        return load_word(data, end - _WORD)
    if size <= 0:
        return _0
    if end >= _WORD:
        return load_word(data, end - _WORD) >> np.uint64(8 * (_WORD - size))
    word = _0
    for i in range(start, end):
        word |= np.uint64(data[i]) << np.uint64(8 * (i - start))
    return word


@compiled
def hash_of(table: TableArrays, data: Bytes, start: int, end: int) -> Whole:
    """The hash of a name."""
    found = table.size[1] ^ (np.uint64(end - start) * _LAST_MIX)
    while end - start > _WORD:
        found = folded_product(found ^ load_word(data, start), _MIX)
        start += _WORD
    found = folded_product(found ^ _last_word(data, start, end), _MIX)
    return folded_product(found ^ table.size[1], _LAST_MIX)


@compiled
def is_same(data: Bytes, start: int, end: int, other: Bytes, begin: int) -> bool:
    """Whether a text is the same as one of equal length, which begins somewhere else."""
    stop = begin + end - start
    while end - start > _WORD:
        if load_word(data, start) != load_word(other, begin):
            return False
        start += _WORD
        begin += _WORD
    same: bool = _last_word(data, start, end) == _last_word(other, begin, stop)
    return same


@compiled
def ask_for_slot(table: TableArrays, hashed: np.uint64) -> None:
    """First of two steps that hide the time of memory: have the slot of a name fetched."""
    ask_for(table.slots, (hashed >> _32) & np.uint64(table.slots.size - 1))


@compiled
def ask_for_name(table: TableArrays, hashed: np.uint64) -> None:
    """Second of two steps: have fetched what ``find_name`` will compare."""
    entry = table.slots[(hashed >> _32) & np.uint64(table.slots.size - 1)]
    if entry != _0:
        number = np.int64((entry & _LOW) - _1)
        ask_for(table.text, table.ends[number])


@compiled
def find_name(
    table: TableArrays, hashed: np.uint64, data: Bytes, start: int, end: int
) -> tuple[Whole, np.uint64]:
    """The number of a name, FREE if it is not there, and the slot in which it is or would be."""
    mask = np.uint64(table.slots.size - 1)
    half = hashed >> _32
    slot = half & mask
    while True:
        entry = table.slots[slot]
        if entry == _0:
            return FREE, slot
        if entry >> _32 == half:
            number = np.int64((entry & _LOW) - _1)
            begin = table.ends[number]
            same_size = table.ends[number + 1] - begin == end - start
            if same_size and is_same(data, start, end, table.text, begin):
                return number, slot
        slot = (slot + _1) & mask


@compiled
def add_name(
    table: TableArrays, hashed: np.uint64, slot: np.uint64, data: Bytes, start: int, end: int
) -> Whole:
    """Add a name that is not there, for which there is room, at the slot that was found."""
    number = np.int64(table.size[0])
    begin = table.ends[number]
    for i in range(end - start):
        table.text[begin + i] = data[start + i]
    table.ends[number + 1] = begin + end - start
    table.slots[slot] = (hashed >> _32 << _32) | np.uint64(number + 1)
    table.size[0] = np.uint64(number + 1)
    return number


@compiled
def _fill(slots: NDArray[np.uint64], entry: np.uint64) -> None:
    """Write an entry to the first free slot that it may have."""
    mask = np.uint64(slots.size - 1)
    slot = (entry >> _32) & mask
    while slots[slot] != _0:
        slot = (slot + _1) & mask
    slots[slot] = entry


@cached_parser
def _fill_all(slots: NDArray[np.uint64], entries: NDArray[np.uint64]) -> None:
    """Write the entries of fewer slots to more of them: names need not be hashed again."""
    for entry in entries:
        if entry != _0:
            _fill(slots, entry)


@cached_parser
def _add_all(table: TableArrays, text: Bytes, ends: NDArray[np.int64], chosen: Ints) -> Ints:
    """The numbers of some names of a text; those that are not there are added."""
    numbers = np.empty(chosen.size, np.int32)
    for i in range(chosen.size):
        start, end = ends[chosen[i]], ends[chosen[i] + 1]
        hashed = hash_of(table, text, start, end)
        number, slot = find_name(table, hashed, text, start, end)
        if number == FREE:
            number = add_name(table, hashed, slot, text, start, end)
        numbers[i] = number
    return numbers


@cached_parser
def _find_all(table: TableArrays, text: Bytes, ends: NDArray[np.int64], chosen: Ints) -> Ints:
    """The numbers of some names of a text, FREE for those that are not there."""
    numbers = np.empty(chosen.size, np.int32)
    for i in range(chosen.size):
        start, end = ends[chosen[i]], ends[chosen[i] + 1]
        numbers[i] = find_name(table, hash_of(table, text, start, end), text, start, end)[0]
    return numbers


@with_gil
def _number_texts(
    names: int, start: int, text: int, table: TableArrays, numbers: Ints, size: Sizes, grow: bool
) -> int:
    """Write the numbers of texts in a list, up to the first that has no room or is no plain text.

    If ``grow`` is False, texts that are not there have the number FREE; else they are added.
    """
    for i in range(start, numbers.size):
        item = item_of_list(names, i)
        if type_of(item) != text:
            return i
        address = utf8_of(item, size.ctypes.data)
        if address == 0:
            clear_error()
            return i
        data = bytes_at(address, size[0])
        hashed = hash_of(table, data, 0, size[0])
        number, slot = find_name(table, hashed, data, 0, size[0])
        if number == FREE and grow:
            if not _has_room(table, size[0]):
                return i
            number = add_name(table, hashed, slot, data, 0, size[0])
        numbers[i] = number
    return numbers.size


@compiled
def _has_room(table: TableArrays, size: int) -> bool:
    """Whether there is room for one more name of so many bytes."""
    count = np.int64(table.size[0])
    fits: Any = table.ends[count] + size <= table.text.size
    return bool(fits and 2 * (count + 1) <= table.slots.size)


class NameTable(Sequence[str]):
    """Names that differ, numbered 0, 1, ... in the order in which they were added.

    As a sequence it is the names. It only grows, so rows can refer to it while others are read.

    The first names are in a dict of Python, until there are many or compiled code asks for them:
    to compile the rest takes a second, which those with a handful of features need not wait for.

    Examples
    --------
    >>> table = NameTable(["cheap", "lunch"])
    >>> table.add(["now", "cheap"]).tolist(), list(table), table.find("now")
    ([2, 0], ['cheap', 'lunch', 'now'], 2)
    """

    grows = True
    """Tells code that knows no tables: the names differ, and may be more than rows have columns."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._first: dict[str, int] | None = {}
        self._arrays: TableArrays | None = None  # exactly one of the two is not None
        self.add(names)

    @property
    def arrays(self) -> TableArrays:
        """The table as compiled code sees it; another one when it has grown."""
        if self._arrays is None:
            with _GROWING:
                if self._first is not None:
                    self._arrays = _as_arrays([*self._first])
                    self._first = None
        assert self._arrays is not None
        return self._arrays

    def __len__(self) -> int:
        first = self._first
        return int(self.arrays.size[0]) if first is None else len(first)

    @overload
    def __getitem__(self, which: int) -> str: ...

    @overload
    def __getitem__(self, which: slice) -> list[str]: ...

    def __getitem__(self, which: int | slice) -> str | list[str]:
        first = self._first
        if first is not None:
            return [*first][which]
        if isinstance(which, slice):
            return self._some(*which.indices(len(self)))
        number, size = int(which), len(self)
        number += size if number < 0 else 0
        if not 0 <= number < size:
            raise IndexError(f"name {which} of {size}")
        start, end = self.arrays.ends[number : number + 2].tolist()
        return self.arrays.text[start:end].tobytes().decode()

    def _some(self, start: int, stop: int, step: int) -> list[str]:
        if step != 1:
            return [self[i] for i in range(start, stop, step)]
        ends = self.arrays.ends[start : max(start, stop) + 1]
        data, places = self.arrays.text[ends[0] : ends[-1]].tobytes(), (ends - ends[0]).tolist()
        # One text is cut sooner than many are made, but only in ASCII bytes are letters.
        if data.isascii():
            text = data.decode()
            return [text[begin:end] for begin, end in pairwise(places)]
        return [data[begin:end].decode() for begin, end in pairwise(places)]

    def __iter__(self) -> Iterator[str]:
        return iter(self[:])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) != FREE

    def __repr__(self) -> str:
        return f"<{len(self)} names>"

    def find(self, name: str) -> int:
        """Return the number of a name; FREE if it is not there."""
        return self.find_all([name]).item()

    def find_all(self, names: list[Any]) -> Ints:
        """Return the number of each name; FREE for those that are not there."""
        first = self._first
        if first is not None:
            return np.array([first.get(_plain(name), FREE) for name in names], np.int32)
        return self._numbers_of(names, grow=False)

    def _numbers_of(self, names: list[Any], *, grow: bool) -> Ints:
        """The numbers of names in the arrays."""
        numbers, done = np.empty(len(names), np.int32), 0
        while done < len(names):
            if WORKS:
                arrays = self.arrays
                done = _number()(id(names), done, id(str), arrays, numbers, _SIZE, grow)
            if done < len(names):  # there is no room, or it is of a type of its own
                number_of = self._add_encoded if grow else self._find_encoded
                numbers[done] = number_of(names[done])
                done += 1
        return numbers

    def _find_encoded(self, name: str) -> int:
        try:
            data = np.frombuffer(name.encode(), np.uint8)
        except UnicodeEncodeError:
            return FREE
        ends = np.array([0, data.size], np.int64)
        return int(_find_all(self.arrays, data, ends, np.zeros(1, np.int32))[0])

    def add(self, names: Iterable[str]) -> Ints:
        """Add names, if they are not there yet.

        Parameters
        ----------
        names : iterable of str
            Names, as UTF-8 can encode them.

        Returns
        -------
        ndarray of int32
            The number of each.
        """
        names = [*names]
        numbers = self._add_to_first(names)
        return self._numbers_of(names, grow=True) if numbers is None else numbers

    def _add_to_first(self, names: list[str]) -> Ints | None:
        """Add names to the dict; None if it can not have them, since there are too many."""
        with _GROWING:
            first = self._first
            if first is None or len(first) + len(names) > _FIRST_NAMES:
                return None
            plain = [_plain(name) for name in names]
            for name in plain:
                if name not in first:
                    name.encode()  # refused, as in the arrays, if UTF-8 has no bytes for it
                    first[name] = len(first)
            return np.array([first[name] for name in plain], np.int32)

    def add_unreadable(self, count: int) -> range:
        """Add names that no text has, for things that have their names elsewhere."""
        start = len(self)
        data = np.full((count, 5), 0xFF, np.uint8)
        numbers = np.arange(start, start + count, dtype=">u4")
        data[:, 1:] = numbers.view(np.uint8).reshape(count, 4)
        self.make_room(count, data.size)
        ends = np.arange(0, data.size + 1, 5, dtype=np.int64)
        _add_all(self.arrays, data.reshape(-1), ends, np.arange(count, dtype=np.int32))
        return range(start, start + count)

    def _add_encoded(self, name: str) -> int:
        encoded = name.encode()
        self.make_room(1, len(encoded))
        ends = np.array([0, len(encoded)], np.int64)
        data = np.frombuffer(encoded, np.uint8)
        return int(_add_all(self.arrays, data, ends, np.zeros(1, np.int32))[0])

    def add_from(self, other: NameTable, numbers: Ints) -> Ints:
        """Add names of another table, if they are not there yet; return the number of each."""
        some = self._taken_from(other, numbers)
        return self._add(other.arrays, numbers) if some is None else self.add(some)

    def find_from(self, other: NameTable, numbers: Ints) -> Ints:
        """Return the numbers of names of another table; FREE for those that are not there."""
        some = self._taken_from(other, numbers)
        if some is not None:
            return self.find_all(some)
        return _find_all(self.arrays, other.arrays.text, other.arrays.ends, numbers)

    def _taken_from(self, other: NameTable, numbers: Ints) -> list[str] | None:
        """Names of another table, if both are still dicts."""
        if self._first is None or other._first is None:
            return None
        names = other[:]
        return [names[number] for number in numbers.tolist()]

    def _add(self, other: TableArrays, chosen: Ints) -> Ints:
        ends = other.ends
        self.make_room(chosen.size, int((ends[chosen + 1] - ends[chosen]).sum()))
        return _add_all(self.arrays, other.text, ends, chosen)

    def make_room(self, names: int, size: int) -> None:
        """Make room for so many more names, with so many bytes in all.

        Parameters
        ----------
        names : int
            How many names.
        size : int
            The sum of their bytes.
        """
        slots, ends, text, _ = arrays = self.arrays
        count = len(self) + names
        used = int(ends[len(self)])
        if 2 * count <= slots.size and used + size <= text.size:
            return
        with _GROWING:
            if 2 * count > slots.size:
                capacity = 1 << (2 * count - 1).bit_length()
                ends = _grown(ends, capacity // 2 + 1)
                slots = np.zeros(capacity, np.uint64)
            if used + size > text.size:
                text = _grown(text, 2 * (used + size))
            grown = TableArrays(slots, ends, text, arrays.size)
            if slots is not arrays.slots:
                _fill_all(slots, arrays.slots)
            self._arrays = grown

    def kept(self, numbers: Ints) -> NameTable:
        """Make a table of some of the names, numbered in this order."""
        table = NameTable()
        table.add_from(self, numbers)
        return table

    @property
    def text_bytes(self) -> int:
        """Bytes of all names."""
        if self._first is not None:
            return sum(len(name.encode()) for name in self)
        return int(self.arrays.ends[len(self)])

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names, and of what finds them."""
        first = self._first
        if first is not None:
            return sys.getsizeof(first) + sum(map(sys.getsizeof, [*first]))
        return sum(array.nbytes for array in self.arrays)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.memory_bytes

    def __getstate__(self) -> dict[str, Any]:
        first = self._first
        if first is not None:
            return {"first": [*first]}
        _, ends, text, _ = self.arrays
        count = len(self)
        return {"ends": ends[: count + 1].copy(), "text": text[: ends[count]].copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._first, self._arrays = None, None
        if "first" in state:
            self._first = {name: number for number, name in enumerate(state["first"])}
        else:  # hashes begin elsewhere in another process
            self._arrays = _new_arrays(state["text"], state["ends"])


def _plain(name: str) -> str:
    """A name as a plain text, of which no method can be another one."""
    return name if type(name) is str else str.__str__(name)


def _as_arrays(names: list[str]) -> TableArrays:
    """The table of some names, which differ."""
    encoded = [name.encode() for name in names]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return _new_arrays(np.frombuffer(b"".join(encoded), np.uint8), ends)


def _new_arrays(text: Bytes, ends: NDArray[np.int64]) -> TableArrays:
    """The table of names that differ, one after another in a text, with room for some more."""
    count = ends.size - 1
    capacity = 1 << max(2 * _FEWEST, 4 * count).bit_length()
    arrays = TableArrays(
        np.zeros(capacity, np.uint64),
        np.zeros(capacity // 2 + 1, np.int64),
        np.empty(max(_FEWEST * _BYTES_OF_NAME, 2 * text.size), np.uint8),
        np.array([0, _SEED], np.uint64),
    )
    _add_all(arrays, text, ends, np.arange(count, dtype=np.int32))
    return arrays


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    grown = np.empty(size, array.dtype)
    grown[: array.size] = array
    return grown


@lru_cache(maxsize=1)
def _number() -> Callable[..., int]:
    """The compiled function that reads lists, without Numba's search for the version of types."""
    table, numbers, whole = typeof(_as_arrays([])), types.int32[::1], types.int64
    number: Callable[..., int] = _number_texts.compile(
        (whole, whole, whole, table, numbers, types.int64[::1], types.boolean)
    )
    return number
