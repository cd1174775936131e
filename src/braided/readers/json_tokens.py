"""The compiled reader of one JSON object: its fields, and where the value of each is.

Objects inside it are entered: their fields have dotted names. What a value is worth is not decided
here; lists are not even looked into. Anything unusual (an escape in a name, a field that is there
twice, ``NaN``, a mistake) is left to Python.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints, Whole, compiled, inlined
from braided.features.name_table import FREE, TableArrays, add_name, find_name, hash_of
from braided.readers.cell_parser import IGNORE, KEY, LABEL, WEIGHT, Longs
from braided.readers.number_parser import Bytes

__all__ = [
    "DECIMAL",
    "FINE",
    "LEFT",
    "LIST",
    "NEW",
    "NO_ROOM",
    "NULL",
    "OBJECT",
    "PLAIN",
    "WHOLE",
    "JsonNames",
    "ObjectArrays",
    "number_at",
    "numbered",
    "read_object",
    "skip_blank",
    "word_at",
]

FINE, LEFT, NEW, NO_ROOM = range(4)
"""What came of an object: it was read; it is left to Python; it has fields that are new; there is
no room for their names."""

NULL, TRUTH, WHOLE, DECIMAL, PLAIN, WIDE, ESCAPED, LIST, OBJECT = range(9)
"""The forms of values. Texts are plain if they are ASCII, else wide; some have escapes. An object
is a value if its field is ignored."""

NO_NUMBER = -2

DEEPEST = 16
"""How many objects may be inside one another; Python allows more."""

TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA, MINUS, POINT, COLON = b'\t\n\r ",-.:'
OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN, CLOSE, ZERO = b"[\\]{}0"
_9, _48 = np.uint64(9), np.uint64(48)


class JsonNames(NamedTuple):
    """The dotted names of fields, in the numbers of ``FieldArrays``, and what helps to use them.

    ``leads`` are the first eight bytes of each, to sort quickly; ``stamps`` tell in which object it
    was last seen; ``decides`` is the row of its first value, if that is a number (else NO_NUMBER).
    """

    table: TableArrays
    leads: NDArray[np.uint64]
    stamps: Longs
    decides: Longs


class ObjectArrays(NamedTuple):
    """The values of one object, in the order of the line, and what helps to read the next one.

    ``order`` is that of the names of fields; ``before`` are the fields that were put in order last.
    ``guesses`` are all fields of the object before, those of objects as well, and ``parents`` those
    that they are in: most objects have the same ones. ``outer`` are the objects around a field,
    ``name`` is room for a name. ``counts`` has the number of objects, and of fields in ``before``.
    """

    field: Ints
    start: Longs
    end: Longs
    form: NDArray[np.uint8]
    order: Ints
    before: Ints
    guesses: Ints
    parents: Ints
    outer: Ints
    name: Bytes
    counts: Longs


@compiled
def skip_blank(data: Bytes, i: int) -> Whole:
    """The first position from i on that is not blank."""
    while data[i] == SPACE or data[i] == TAB or data[i] == RETURN:
        i += 1
    return i


@inlined
def _text(data: Bytes, i: int) -> tuple[Whole, Whole]:
    """The form of the text whose quote is before i, and its end behind the other quote.

    The end is FREE if there is none in this line, or a character that JSON forbids.
    """
    form: Any = PLAIN
    while True:
        letter = data[i]
        if letter == QUOTE:
            return form, i + 1
        if letter < SPACE:
            return form, FREE
        if letter == BACKSLASH:
            form = ESCAPED
            i += 1
            if data[i] < SPACE:
                return form, FREE
        elif letter > 127 and form == PLAIN:
            form = WIDE
        i += 1


@compiled
def _digits(data: Bytes, i: int) -> Whole:
    """The end of the digits at i."""
    while np.uint64(data[i]) - _48 <= _9:
        i += 1
    return i


@compiled
def number_at(data: Bytes, i: int) -> tuple[Whole, Whole]:
    """The form of the number at i, and its end; FREE if there is none."""
    form: Any = WHOLE
    if data[i] == MINUS:
        i += 1
    end = i + 1 if data[i] == ZERO else _digits(data, i)
    if end == i:
        return form, FREE
    if data[end] == POINT:
        form, i = DECIMAL, end + 1
        end = _digits(data, i)
        if end == i:
            return form, FREE
    if data[end] | 32 == 101:  # an exponent
        form, i = DECIMAL, end + 1
        if data[i] == MINUS or data[i] == 43:
            i += 1
        end = _digits(data, i)
        if end == i:
            return form, FREE
    return form, end


@compiled
def _bracketed(data: Bytes, i: int) -> Whole:
    """The end of the list or object at i; FREE if it does not end in this line."""
    depth = 0
    while True:
        letter = data[i]
        if letter == QUOTE:
            _, end = _text(data, i + 1)
            if end == FREE:
                return FREE
            i = end - 1
        elif letter in (OPEN_LIST, OPEN):
            depth += 1
        elif letter in (CLOSE_LIST, CLOSE):
            depth -= 1
            if depth == 0:
                return i + 1
        elif letter == NEWLINE:
            return FREE
        i += 1


@compiled
def word_at(data: Bytes, i: int) -> tuple[Whole, Whole]:
    """The form of true, false or null at i, and its end; FREE if it is none of them."""
    first = data[i]
    if first == 110 and data[i + 1] == 117 and data[i + 2] == 108 and data[i + 3] == 108:
        return NULL, i + 4
    if first == 116 and data[i + 1] == 114 and data[i + 2] == 117 and data[i + 3] == 101:
        return TRUTH, i + 4
    if (
        first == 102
        and data[i + 1] == 97
        and data[i + 2] == 108
        and data[i + 3] == 115
        and data[i + 4] == 101
    ):
        return TRUTH, i + 5
    return NULL, FREE


@inlined
def _value(data: Bytes, i: int) -> tuple[Whole, Whole]:
    """The form of a value that is no object, and its end; FREE if it is not a plain one."""
    first = data[i]
    if first == QUOTE:
        return _text(data, i + 1)
    if first == MINUS or np.uint64(first) - _48 <= _9:
        return number_at(data, i)
    if first == OPEN_LIST:
        return LIST, _bracketed(data, i)
    return word_at(data, i)


@inlined
def _is_called(names: TableArrays, field: int, skipped: int, data: Bytes, i: int, end: int) -> bool:
    """Whether the name of a field, without its first bytes, is what is there from i to end."""
    begin = names.ends[field] + skipped
    if names.ends[field + 1] - begin != end - i:
        return False
    same = True
    for k in range(end - i):
        same &= names.text[begin + k] == data[i + k]
    return same


@compiled
def numbered(names: JsonNames, data: Bytes, start: int, end: int) -> Whole:
    """The number of the field with this name, which is added if it is new; FREE without room."""
    table = names.table
    hashed = hash_of(table, data, start, end)
    number, slot = find_name(table, hashed, data, start, end)
    if number != FREE:
        return number
    count = np.int64(table.size[0])
    if (
        count == names.leads.size
        or 2 * (count + 1) > table.slots.size
        or table.ends[count] + end - start > table.text.size
    ):
        return FREE
    lead: Any = np.uint64(0)
    for k in range(8):
        letter = np.uint64(data[start + k]) if start + k < end else np.uint64(0)
        lead = (lead << np.uint64(8)) | letter
    names.leads[count], names.stamps[count], names.decides[count] = lead, 0, FREE
    return add_name(table, hashed, slot, data, start, end)


@inlined
def _field(
    names: JsonNames, objects: ObjectArrays, place: int, parent: int, data: Bytes, i: int, end: int
) -> Whole:
    """The field of a name inside of an object; FREE if there is no room for a new one."""
    table, guess, skipped = names.table, objects.guesses[place], 0
    if parent != FREE:
        skipped = table.ends[parent + 1] - table.ends[parent] + 1
    if (
        guess != FREE
        and objects.parents[place] == parent
        and _is_called(table, guess, skipped, data, i, end)
    ):
        return guess
    if parent == FREE:
        field = numbered(names, data, i, end)
    else:
        begin = table.ends[parent]
        for k in range(skipped - 1):
            objects.name[k] = table.text[begin + k]
        objects.name[skipped - 1] = POINT
        for k in range(end - i):
            objects.name[skipped + k] = data[i + k]
        field = numbered(names, objects.name, 0, skipped + end - i)
    objects.guesses[place] = field
    objects.parents[place] = parent
    return field


@inlined
def read_object(
    data: Bytes,
    i: int,
    row: int,
    names: JsonNames,
    kinds: NDArray[np.uint8],
    known: int,
    objects: ObjectArrays,
) -> tuple[Whole, Whole, Whole]:
    """Read the object at i, which is that of a row; the kinds of ``known`` fields are known.

    Returns what came of it, the number of its values, and its end. The data ends with a newline,
    and there is room for all values and names that it can contain.
    """
    count: Any = 0
    place: Any = 0
    depth: Any = 0
    parent: Any = FREE
    status: Any = FINE
    objects.counts[0] += 1
    stamp = objects.counts[0]
    i = skip_blank(data, i + 1)
    begins = True  # an object, which may be empty
    while True:
        if data[i] == QUOTE:
            begins = False
            form, end = _text(data, i + 1)
            if end == FREE or form == ESCAPED:
                return LEFT, count, i
            field = _field(names, objects, place, parent, data, i + 1, end - 1)
            if field == FREE:
                return NO_ROOM, count, i
            place += 1
            if names.stamps[field] == stamp:
                return LEFT, count, i  # it is there twice
            names.stamps[field] = stamp
            i = skip_blank(data, end)
            if data[i] != COLON:
                return LEFT, count, i
            i = skip_blank(data, i + 1)
            if field >= known:
                status = NEW
            if data[i] == OPEN:
                form, end = OBJECT, i
                if field < known:
                    kind = kinds[field]
                    if kind in (LABEL, WEIGHT, KEY):
                        return LEFT, count, i
                    if kind == IGNORE:
                        end = _bracketed(data, i)
            else:
                form, end = _value(data, i)
                if field >= known and names.decides[field] == FREE and form != NULL:
                    is_number = form in (WHOLE, DECIMAL)
                    names.decides[field] = row if is_number else NO_NUMBER
            if end == FREE:
                return LEFT, count, i
            if end == i:  # an object to be entered
                if depth == DEEPEST:
                    return LEFT, count, i
                objects.outer[depth] = parent
                depth += 1
                parent, begins = field, True
                i = skip_blank(data, i + 1)
                continue
            objects.field[count], objects.form[count] = field, form
            objects.start[count], objects.end[count] = i, end
            count += 1
            i = skip_blank(data, end)
        elif not (begins and data[i] == CLOSE):
            return LEFT, count, i
        while data[i] == CLOSE:
            i += 1
            if depth == 0:
                return status, count, i
            depth -= 1
            parent, begins = objects.outer[depth], False
            i = skip_blank(data, i)
        if data[i] != COMMA:
            return LEFT, count, i
        i = skip_blank(data, i + 1)
