"""Compiled code that makes rows of cells: plain numbers and texts by itself, all else by a memo.

A cell is the value of a field in a record: some bytes of a file. Compiled code never decides what a
text means: it knows plain decimal numbers, cuts plain texts into words, and looks up everything
else by its bytes in a memo, which Python has filled (``cell_memo.py``). The parser of a format
calls ``look_at`` for each cell, in the order of field names, then ``show_rows`` makes the rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, Whole, cached_parser, compiled, inlined
from braided.features.name_table import FREE, TableArrays, add_name, find_name, hash_of
from braided.kernels.numerics import LARGEST_VALUE
from braided.readers.number_parser import Bytes, parse_number
from braided.records.roles import LARGEST_WEIGHT

__all__ = ["CODE_BYTES", "CellArrays", "FieldArrays", "MemoArrays", "look_at", "show_rows"]

Longs = NDArray[np.int64]

# How the cells of a field are read.
NUMBER, TEXT, VECTOR, IGNORE, OTHER, UNDECIDED, LABEL, WEIGHT, KEY = range(9)

# What a cell is, in place of the number of its entry in the memo.
EMPTY, A_NUMBER, A_TEXT, TOO_LONG, A_LIST = -1, -2, -3, -4, -5
"""The cells behind a list are its numbers; they have fields of their own."""

# What is known of an entry.
LEFT, SEEN = np.uint8(1), np.uint8(2)
"""LEFT: rows with this cell are left to the plain reader. SEEN: it is no missing value."""

# Why ``show_rows`` stops.
DONE, NOT_PLAIN, NO_ROOM = range(3)

PART = "\0"
"""What the name of a field begins with that is a number in a list: no name in a file does."""

CODE_BYTES = 4
"""A key of the memo begins with so many bytes, which tell the field."""

_255, _8 = np.uint64(255), np.uint64(8)
SPACE, TAB, BRACKET, POINT, ZERO, NINE, MINUS, COLON = b" \t[.09-:"
CAPITAL_A, CAPITAL_Z, SMALL_A, SMALL_Z = b"AZaz"


class FieldArrays(NamedTuple):
    """What is known of each field, by its number.

    ``codes`` are its bytes in keys of the memo, ``own`` is the feature that has its name; its name
    is in ``text`` from ``ends[f]`` to ``ends[f + 1]``. Counted are rows in which it has features,
    in which it is no missing value, and values that surprise.
    """

    kinds: NDArray[np.uint8]
    codes: NDArray[np.uint64]
    own: Ints
    ends: Longs
    text: Bytes
    observed: Longs
    seen: Longs
    surprises: Longs


class MemoArrays(NamedTuple):
    """What cells became.

    ``keys`` numbers the cells, ``known`` the features that cells have become. Those of cell e are
    in ``features`` and ``values`` from ``spans[e]`` to ``spans[e + 1]``. A feature that a row has
    shown has the number ``shown`` among the names of rows. ``place`` is where the row at hand has a
    name, ``longest`` the bytes of the longest text that means missing.
    """

    keys: TableArrays
    known: TableArrays
    spans: Longs
    features: Ints
    values: Floats
    flags: NDArray[np.uint8]
    surprises: Longs
    shown: Ints
    place: Longs
    scratch: Bytes
    longest: int


class CellArrays(NamedTuple):
    """The cells of some rows: those of row t end at ``ends[t + 1]``; and where keys are."""

    field: Ints
    entry: Ints
    start: Ints
    end: Ints
    value: Floats
    ends: Longs


@inlined
def look_at(
    fields: FieldArrays,
    memo: MemoArrays,
    cells: CellArrays,
    cell: int,
    field: int,
    data: Bytes,
    start: int,
    end: int,
    key_start: int,
    key_end: int,
    as_is: bool,
) -> None:
    """Find out what a cell is, and write it down as cell number ``cell``.

    Its text is from ``start`` to ``end``, if ``as_is``; else only Python can tell the text. Its key
    is from ``key_start`` to ``key_end``; there is room for it in the memo.
    """
    cells.field[cell] = field
    cells.start[cell], cells.end[cell] = key_start, key_end
    if as_is:
        while start < end and (data[start] == SPACE or data[start] == TAB):
            start += 1
        while start < end and (data[end - 1] == SPACE or data[end - 1] == TAB):
            end -= 1
        if start == end:
            cells.entry[cell] = EMPTY
            return
        kind = fields.kinds[field]
        if kind in (NUMBER, WEIGHT):
            plain, value, after = parse_number(data, start)
            smallest, largest = -LARGEST_VALUE, LARGEST_VALUE
            if kind == WEIGHT:
                smallest, largest = 0.0, LARGEST_WEIGHT
            if plain and after == end and smallest <= value <= largest:
                cells.entry[cell], cells.value[cell] = A_NUMBER, value
                return
        elif kind in (TEXT, IGNORE, KEY) and _is_plain_text(data, start, end, memo.longest):
            cells.entry[cell] = A_TEXT
            return
    cells.entry[cell] = _entry(fields.codes[field], memo, data, key_start, key_end)


@compiled
def _is_plain_text(data: Bytes, start: int, end: int, longest: int) -> bool:
    """Whether a text is ASCII, means not missing, and is neither a list nor a number as ``12.0``.

    Not if it begins or ends with white space other than that which was left out.
    """
    first = data[start]
    if end - start <= longest or first == BRACKET or first < SPACE or data[end - 1] < SPACE:
        return False
    if (first == MINUS or ZERO <= first <= NINE) and data[end - 1] == ZERO:
        return False
    every = np.uint8(0)
    for i in range(start, end):
        every |= data[i]
    return bool(every < 128)


@inlined
def _entry(code: np.uint64, memo: MemoArrays, data: Bytes, start: int, end: int) -> Whole:
    """The number of a cell in the memo; one that is new is added, and Python will resolve it."""
    size = CODE_BYTES + end - start
    if size > memo.scratch.size:
        return TOO_LONG
    for i in range(CODE_BYTES):
        memo.scratch[i] = np.uint8((code >> (_8 * np.uint64(i))) & _255)
    for i in range(end - start):
        memo.scratch[CODE_BYTES + i] = data[start + i]
    hashed = hash_of(memo.keys, memo.scratch, 0, size)
    number, slot = find_name(memo.keys, hashed, memo.scratch, 0, size)
    if number == FREE:
        number = add_name(memo.keys, hashed, slot, memo.scratch, 0, size)
    return number


@compiled
def _number_of(names: TableArrays, data: Bytes, start: int, end: int) -> Whole:
    """The number of a name, which is added if it is new; FREE if there is no room for it."""
    hashed = hash_of(names, data, start, end)
    number, slot = find_name(names, hashed, data, start, end)
    if number == FREE:
        count = np.int64(names.size[0])
        if 2 * (count + 1) > names.slots.size or names.ends[count] + end - start > names.text.size:
            return FREE
        number = add_name(names, hashed, slot, data, start, end)
    return number


@inlined
def _put(
    memo: MemoArrays,
    indices: Ints,
    values: Floats,
    begin: int,
    count: int,
    number: int,
    value: float,
) -> bool:
    """Add an entry to the row that begins at ``begin``; False if it has that feature already."""
    place = memo.place[number]
    if begin <= place < count and indices[place] == number:
        return False
    indices[count], values[count], memo.place[number] = number, value, count
    return True


@compiled
def _put_words(
    fields: FieldArrays,
    memo: MemoArrays,
    names: TableArrays,
    field: int,
    data: Bytes,
    i: int,
    end: int,
    indices: Ints,
    values: Floats,
    begin: int,
    count: int,
) -> tuple[int, int]:
    """Add the words of a text, with how often each is there, in the order of first sight."""
    scratch, first = memo.scratch, count
    prefix = fields.ends[field + 1] - fields.ends[field]
    for k in range(prefix):
        scratch[k] = fields.text[fields.ends[field] + k]
    scratch[prefix] = COLON
    while True:
        size = prefix + 1
        while i < end:
            letter = data[i]
            if CAPITAL_A <= letter <= CAPITAL_Z:
                letter |= np.uint8(32)
            elif not (SMALL_A <= letter <= SMALL_Z or ZERO <= letter <= NINE):
                if size > prefix + 1:
                    break
                i += 1
                continue
            if size == scratch.size:
                return NOT_PLAIN, count
            scratch[size] = letter
            size += 1
            i += 1
        if size == prefix + 1:
            return DONE, count
        number = _number_of(names, scratch, 0, size)
        if number == FREE:
            return NO_ROOM, count
        place = memo.place[number]
        if first <= place < count and indices[place] == number:
            values[place] += 1.0
        elif _put(memo, indices, values, begin, count, number, 1.0):
            count += 1
        else:
            return NOT_PLAIN, count


@inlined
def _most_features(memo: MemoArrays, cells: CellArrays, first: int, last: int) -> Whole:
    """At least as many features as some rows have."""
    most: Any = 0
    for cell in range(cells.ends[first], cells.ends[last]):
        entry = cells.entry[cell]
        if entry >= 0:
            most += memo.spans[entry + 1] - memo.spans[entry]
        elif entry == A_TEXT:
            most += (cells.end[cell] - cells.start[cell]) // 2 + 1
        else:
            most += 1
    return most


@cached_parser
def show_rows(
    data: Bytes,
    fields: FieldArrays,
    memo: MemoArrays,
    names: TableArrays,
    cells: CellArrays,
    first: int,
    last: int,
    most_features: int,
    needs_label: bool,
) -> tuple[int, int, Longs, Ints, Floats, Longs, Floats, Longs]:
    """Make rows of cells, from row ``first`` on.

    Stops at a row that the plain reader must read, or for which there is no room in the names.
    Returns the number of that row and the reason, then the arrays of the rows: where they begin,
    indices, values, codes of labels (-1: none), weights, and the cell that is the key (-1: none).
    """
    most = _most_features(memo, cells, first, last)
    indices, values = np.empty(most, np.int32), np.empty(most)
    indptr = np.zeros(last - first + 1, np.int64)
    labels, weights = np.full(last - first, -1), np.ones(last - first)
    keys = np.full(last - first, -1)
    count, row, status = 0, first, DONE
    while row < last:
        status, end = _show_row(
            data, fields, memo, names, cells, row, indices, values, count, row - first, labels,
            weights, keys,
        )  # fmt: skip
        if status == DONE and (
            end - count > most_features or (needs_label and labels[row - first] < 0)
        ):
            status = NOT_PLAIN
        if status != DONE:
            break
        count = end
        row += 1
        indptr[row - first] = count
        _count(fields, memo, cells, row - 1)
    n = row - first
    return (
        row,
        status,
        indptr[: n + 1].copy(),
        indices[:count].copy(),
        values[:count].copy(),
        labels[:n].copy(),
        weights[:n].copy(),
        keys[:n].copy(),
    )


@inlined
def _show_row(
    data: Bytes,
    fields: FieldArrays,
    memo: MemoArrays,
    names: TableArrays,
    cells: CellArrays,
    row: int,
    indices: Ints,
    values: Floats,
    begin: int,
    place: int,
    labels: Longs,
    weights: Floats,
    keys: Longs,
) -> tuple[int, int]:
    """The features of a row; whether it could be done, and where its entries end."""
    for cell in range(cells.ends[row], cells.ends[row + 1]):
        entry = cells.entry[cell]
        if entry == TOO_LONG or (entry >= 0 and memo.flags[entry] & LEFT):
            return NOT_PLAIN, begin  # before any name is shown
    count = begin
    for cell in range(cells.ends[row], cells.ends[row + 1]):
        entry, field = cells.entry[cell], cells.field[cell]
        kind = fields.kinds[field]
        if kind in (LABEL, WEIGHT):
            value, there = cells.value[cell], entry == A_NUMBER
            if entry >= 0 and memo.spans[entry] < memo.spans[entry + 1]:
                value, there = memo.values[memo.spans[entry]], True
            if there and kind == LABEL:
                labels[place] = np.int64(value)
            elif there:
                weights[place] = value
        elif kind == KEY:
            keys[place] = cell
        elif entry == A_NUMBER or entry >= 0:
            start: Any = np.int64(0)
            end: Any = np.int64(1)
            if entry >= 0:
                start, end = memo.spans[entry], memo.spans[entry + 1]
            for k in range(start, end):
                feature, value = fields.own[field], cells.value[cell]
                if entry >= 0:
                    feature, value = memo.features[k], memo.values[k]
                number = memo.shown[feature]
                if number == FREE:
                    known = memo.known
                    number = _number_of(
                        names, known.text, known.ends[feature], known.ends[feature + 1]
                    )
                    if number == FREE:
                        return NO_ROOM, begin
                    memo.shown[feature] = number
                if not _put(memo, indices, values, begin, count, number, value):
                    return NOT_PLAIN, begin
                count += 1
        elif entry == A_TEXT and kind == TEXT:
            status, end = _put_words(
                fields, memo, names, field, data, cells.start[cell], cells.end[cell], indices,
                values, begin, count,
            )  # fmt: skip
            if status != DONE:
                return status, begin
            cells.value[cell] = end - count
            count = end
    return DONE, count


@inlined
def _count(fields: FieldArrays, memo: MemoArrays, cells: CellArrays, row: int) -> None:
    """Count what was observed in a row that was shown."""
    for cell in range(cells.ends[row], cells.ends[row + 1]):
        entry, field = cells.entry[cell], cells.field[cell]
        if entry in (A_NUMBER, A_LIST):
            fields.observed[field] += 1
            fields.seen[field] += 1
        elif entry == A_TEXT:
            fields.observed[field] += fields.kinds[field] == TEXT and cells.value[cell] > 0
            fields.seen[field] += 1
        elif entry >= 0:
            fields.observed[field] += memo.spans[entry] < memo.spans[entry + 1]
            fields.seen[field] += (memo.flags[entry] & SEEN) != 0
            fields.surprises[field] += memo.surprises[entry]
