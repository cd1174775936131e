"""The compiled parser of Vowpal Wabbit lines: it parses plain lines, and leaves others to Python.

Names go from the bytes of a line to numbers of a table; no text of Python is made. The features of
a row are sorted by their names and then looked up, so that new names are numbered in that order,
as a model numbers them. A line with anything else (a mistake, spaces that only Unicode knows,
control characters, a number out of its range) is left to the Python parser in ``vw.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, Whole, cached_parser, compiled
from braided.compiled.words import first_bit, load_word, store_word
from braided.features.name_table import (
    FREE,
    TableArrays,
    add_name,
    ask_for_name,
    ask_for_slot,
    find_name,
    hash_of,
    is_same,
)
from braided.kernels.numerics import LARGEST_VALUE
from braided.readers.name_order import Names, sort_names
from braided.readers.number_parser import Bytes, parse_number
from braided.records.roles import LARGEST_WEIGHT

__all__ = ["BEYOND", "FULL", "MORE_NAMES", "NOT_PLAIN", "READ", "Found", "Row", "parse_lines"]

READ, NOT_PLAIN, FULL, MORE_NAMES = range(4)
"""Why the parser stopped: it has read all, or at a line that is not plain; there is no room for the
rows, or for the names, of the next line."""

BEYOND = 8
"""How many bytes must follow the data: it is read eight bytes at a time."""

TAB, NEWLINE, RETURN, SPACE, QUOTE, COLON, CARET, PIPE = b"\t\n\r ':^|"
_NOT_PLAIN = -1
_MOST_WORDS = 3  # before the |: a label, an importance and a tag
_WORD = 8


def _eight(byte: int) -> Any:
    return np.uint64(byte * 0x0101010101010101)


_LOW, _HIGH = _eight(0x7F), _eight(0x80)
_TO_SPACE, _COLONS, _PIPES = _eight(0x80 - (SPACE + 1)), _eight(COLON), _eight(PIPE)
_0, _1, _3 = np.uint64(0), np.uint64(1), np.uint64(3)
_BLANKS = np.uint64(1 << SPACE | 1 << TAB | 1 << RETURN)


class Row(NamedTuple):
    """The features of one row as they are written: names, and for each its hash and its value."""

    names: Names
    hashes: NDArray[np.uint64]
    values: Floats


class Found(NamedTuple):
    """Rows: the entries of row t end at ``ends[t]``; a label that is missing is NaN."""

    ends: NDArray[np.int64]
    labels: Floats
    weights: Floats
    indices: Ints
    values: Floats


@compiled
def _is_blank(byte: Whole) -> bool:
    blank: bool = byte <= SPACE and (_BLANKS >> np.uint64(byte)) & _1 == _1
    return blank


@compiled
def _ends_word(byte: int) -> bool:
    """Whether a word ends here; at a control character, which no word begins with, it does."""
    return byte <= SPACE or byte == PIPE


@compiled
def _past_other_letters(data: Bytes, i: int) -> Whole:
    """Where bytes beyond ASCII end; _NOT_PLAIN if a space is among them. They are valid UTF-8."""
    while data[i] >= 0x80:
        first, second, third = data[i], data[i + 1], data[i + 2]
        if first == 0xC2 and (second == 0x85 or second == 0xA0):
            return _NOT_PLAIN
        if first == 0xE1 and second == 0x9A and third == 0x80:
            return _NOT_PLAIN
        if first == 0xE2:
            # 2000 to 200A, 2028, 2029, 202F; 205F
            if second == 0x80 and (third <= 0x8A or third == 0xA8 or third == 0xA9):
                return _NOT_PLAIN
            if (second == 0x80 and third == 0xAF) or (second == 0x81 and third == 0x9F):
                return _NOT_PLAIN
        if first == 0xE3 and second == 0x80 and third == 0x80:
            return _NOT_PLAIN
        i += 1
    return i


@compiled
def _word_end(data: Bytes, i: Whole, is_utf8: bool) -> Whole:
    """Where a colon, a | or a space follows; _NOT_PLAIN if there is anything odd before it."""
    while True:
        word = load_word(data, i)
        low = word & _LOW
        # In each byte the highest bit is set if there is no space or control character, no colon,
        # no |. Bytes beyond ASCII stop the search, too.
        plain = (low + _TO_SPACE) & ((low ^ _COLONS) + _LOW) & ((low ^ _PIPES) + _LOW)
        stops = (~plain | word) & _HIGH
        if stops == _0:
            i += _WORD
            continue
        i += np.int64(first_bit(stops) >> _3)
        byte = data[i]
        if byte < 0x80:
            if byte >= SPACE or byte == NEWLINE or _is_blank(byte):
                return i
            return _NOT_PLAIN
        if not is_utf8:
            return _NOT_PLAIN
        i = _past_other_letters(data, i)
        if i < 0:
            return _NOT_PLAIN


@compiled
def _parse_head(data: Bytes, i: int, is_utf8: bool) -> tuple[Whole, float, float]:
    """Where the first | is, or the newline of an empty line; the label, and the weight."""
    words, start, first, first_end, second, second_end = 0, i, i, i, i, i
    while True:
        while _is_blank(data[i]):
            i += 1
        if data[i] == PIPE or data[i] == NEWLINE:
            break
        start = i
        i = _word_end(data, i, is_utf8)
        while i >= 0 and data[i] == COLON:
            i = _word_end(data, i + 1, is_utf8)
        words += 1
        if i < 0 or words > _MOST_WORDS:
            return _NOT_PLAIN, 0.0, 0.0
        if words == 1:
            first, first_end = start, i
        elif words == 2:
            second, second_end = start, i
    label, weight = np.nan, 1.0
    if data[i] == NEWLINE:
        return (_NOT_PLAIN if words else i), label, weight
    if words > 0 and (not _is_blank(data[i - 1]) or data[start] == QUOTE):
        words -= 1  # a tag
    if words > 2:
        return _NOT_PLAIN, label, weight
    if words >= 1:
        plain, label, end = parse_number(data, first)
        if not plain or end != first_end:
            return _NOT_PLAIN, label, weight
    if words == 2:
        plain, weight, end = parse_number(data, second)
        if not plain or end != second_end or not 0 <= weight <= LARGEST_WEIGHT:
            return _NOT_PLAIN, label, weight
    return i, label, weight


@compiled
def _copy(data: Bytes, start: int, end: int, text: Bytes, place: int) -> None:
    """Copy bytes, and up to seven more."""
    while start < end:
        store_word(text, place, load_word(data, start))
        start += _WORD
        place += _WORD


@compiled
def _parse_features(
    data: Bytes, i: int, is_utf8: bool, table: TableArrays, row: Row
) -> tuple[Whole, Whole]:
    """Where the line ends whose first | is at i, and how many features it has."""
    count = used = 0
    names = row.names
    most, room = names.starts.size, names.text.size
    while data[i] == PIPE:
        i += 1
        factor, prefix, prefix_end = 1.0, used, used
        if not _ends_word(data[i]):
            start = i
            i = _word_end(data, i, is_utf8)
            if i < 0 or used + (i - start) + 2 * _WORD > room:
                return _NOT_PLAIN, 0
            _copy(data, start, i, names.text, used)
            used += i - start
            names.text[used] = CARET
            used += 1
            prefix_end = used
            if data[i] == COLON:
                plain, factor, i = parse_number(data, i + 1)
                if not plain or not _ends_word(data[i]):
                    return _NOT_PLAIN, 0
        while True:
            while _is_blank(data[i]):
                i += 1
            if data[i] == PIPE or data[i] == NEWLINE:
                break
            start = i
            i = _word_end(data, i, is_utf8)
            size = prefix_end - prefix + i - start
            if i <= start or count == most or used + size + 2 * _WORD > room:
                return _NOT_PLAIN, 0
            begin = used
            if prefix < prefix_end:
                _copy(names.text, prefix, prefix_end, names.text, used)
                used += prefix_end - prefix
            _copy(data, start, i, names.text, used)
            used += i - start
            value = 1.0
            if data[i] == COLON:
                plain, value, i = parse_number(data, i + 1)
                if not plain or not _ends_word(data[i]):
                    return _NOT_PLAIN, 0
            hashed = hash_of(table, names.text, begin, used)
            ask_for_slot(table, hashed)
            names.starts[count], names.ends[count] = begin, used
            row.hashes[count], row.values[count] = hashed, value * factor
            count += 1
    return i, count


@compiled
def _same_name(row: Row, one: int, other: int) -> bool:
    names = row.names
    start, end, begin = names.starts[one], names.ends[one], names.starts[other]
    same: bool = (
        row.hashes[one] == row.hashes[other]
        and names.ends[other] - begin == end - start
        and is_same(names.text, start, end, names.text, begin)
    )
    return same


@compiled
def _merge_features(row: Row, count: int, values: Floats, place: int) -> Whole:
    """Write the values in order, those of one name added; how many there are.

    The first entries of ``order`` are then the names that differ. -1 if a value is too large.
    """
    order = row.names.order
    features = 0
    for i in range(count):
        number = order[i]
        if features > 0 and _same_name(row, number, order[features - 1]):
            values[place + features - 1] += row.values[number]
        else:
            values[place + features] = 0.0 + row.values[number]  # there is no negative zero
            order[features] = number
            features += 1
    for i in range(features):
        if not -LARGEST_VALUE <= values[place + i] <= LARGEST_VALUE:
            return _NOT_PLAIN
    return features


@compiled
def _number_names(table: TableArrays, row: Row, features: int, indices: Ints, place: int) -> None:
    """Look up the names of a row in order, and add those that are new; there is room for them."""
    names = row.names
    for i in range(features):
        ask_for_name(table, row.hashes[names.order[i]])
    for i in range(features):
        number = names.order[i]
        hashed, start, end = row.hashes[number], names.starts[number], names.ends[number]
        column, slot = find_name(table, hashed, names.text, start, end)
        if column == FREE:
            column = add_name(table, hashed, slot, names.text, start, end)
        indices[place + i] = column


@cached_parser
def parse_lines(
    data: Bytes,
    i: int,
    size: int,
    is_utf8: bool,
    most_features: int,
    table: TableArrays,
    row: Row,
    found: Found,
) -> tuple[int, int, int, int]:
    """Parse plain lines, from position i on.

    Returns how many rows and lines it has read, where the next line begins, and why it stopped.
    The data, ``size`` bytes, ends with a newline and is followed by ``BEYOND`` bytes of anything.
    """
    rows = lines = entries = 0
    while i < size:
        end, label, weight = _parse_head(data, i, is_utf8)
        if end < 0:
            return rows, lines, i, NOT_PLAIN
        if data[end] == PIPE:
            end, count = _parse_features(data, end, is_utf8, table, row)
            if end < 0:
                return rows, lines, i, NOT_PLAIN
            if rows == found.labels.size or entries + count > found.values.size:
                return rows, lines, i, FULL
            names = row.names
            sort_names(names, count)
            features = _merge_features(row, count, found.values, entries)
            if features < 0 or features > most_features:
                return rows, lines, i, NOT_PLAIN
            known = np.int64(table.size[0])
            room = table.text.size - table.ends[known]
            written = names.ends[count - 1] if count > 0 else 0
            if 2 * (known + features) > table.slots.size or written > room:
                return rows, lines, i, MORE_NAMES
            _number_names(table, row, features, found.indices, entries)
            entries += features
            found.ends[rows], found.labels[rows], found.weights[rows] = entries, label, weight
            rows += 1
        i = end + 1
        lines += 1
    return rows, lines, size, READ
