"""The compiled parser of JSON lines: it finds the cells of plain lines, and leaves other lines.

What a cell means is found out by ``cell_parser.look_at``, as in other formats. Only lists of
numbers are read here: each of their numbers is the cell of a field of its own, with the name
``field.0`` behind a byte that no name in a file can have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from braided.compiled.jit import Whole, cached_parser, compiled, inlined
from braided.features.name_table import FREE
from braided.kernels.numerics import LARGEST_VALUE
from braided.readers.cell_parser import (
    A_LIST,
    A_NUMBER,
    IGNORE,
    KEY,
    NUMBER,
    UNDECIDED,
    VECTOR,
    WEIGHT,
    CellArrays,
    FieldArrays,
    Longs,
    MemoArrays,
    look_at,
)
from braided.readers.json_tokens import (
    DECIMAL,
    FINE,
    LEFT,
    LIST,
    NEW,
    NO_ROOM,
    NULL,
    PLAIN,
    WHOLE,
    JsonNames,
    ObjectArrays,
    number_at,
    numbered,
    read_object,
    skip_blank,
    word_at,
)
from braided.readers.number_parser import Bytes, parse_number

__all__ = ["FINE", "LEFT", "MOST_UNDECIDED", "NEW", "NO_ROOM", "parse_lines"]

MOST_UNDECIDED = 64
"""After so many cells of fields whose kind is not decided, Python is asked."""

MOST_NEW = np.uint64(256)
MOST_DIGITS = 18
NEWLINE, COMMA, POINT, OPEN_LIST, CLOSE_LIST, OPEN, ZERO = b"\n,.[]{0"


@inlined
def _comes_before(names: JsonNames, one: int, other: int) -> Whole:
    """Whether the name of a field comes before that of another; UTF-8 is in the order of Python."""
    if names.leads[one] != names.leads[other]:
        return names.leads[one] < names.leads[other]
    ends, text = names.table.ends, names.table.text
    i, j = ends[one], ends[other]
    while i < ends[one + 1] and j < ends[other + 1]:
        if text[i] != text[j]:
            return text[i] < text[j]
        i += 1
        j += 1
    return ends[one + 1] - i < ends[other + 1] - j


@inlined
def _put_in_order(names: JsonNames, objects: ObjectArrays, count: int) -> None:
    """Sort the values of an object by the names of their fields, unless it is as the one before."""
    same = count == objects.counts[1]
    if same:
        for c in range(count):
            if objects.field[c] != objects.before[c]:
                same = False
                break
    if same:
        return
    objects.counts[1] = count
    for c in range(count):
        objects.order[c] = c
        objects.before[c] = objects.field[c]
    gap: Any = 1  # Shell's method: in place, and quick for what is nearly in order
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            moved, place = objects.order[k], k
            field = objects.field[moved]
            while place >= gap:
                other = objects.order[place - gap]
                if not _comes_before(names, field, objects.field[other]):
                    break
                objects.order[place] = other
                place -= gap
            objects.order[place] = moved
        gap //= 3


@compiled
def _put_number(name: Bytes, place: int, number: int) -> Whole:
    """Write a number into a name; return where it ends."""
    end, rest = place + 1, number // 10
    while rest:
        end += 1
        rest //= 10
    rest = number
    for k in range(end - 1, place - 1, -1):
        name[k] = ZERO + rest % 10
        rest //= 10
    return end


@compiled
def _look_at_list(
    data: Bytes,
    start: int,
    end: int,
    field: int,
    names: JsonNames,
    known: int,
    name: Bytes,
    cells: CellArrays,
    cell: int,
) -> tuple[Whole, Whole]:
    """Write down the numbers of a list as cells; return the number of the next cell.

    LEFT if it is no list of plain numbers, NEW if one of them has no field yet.
    """
    table, first = names.table, cell
    if data[end - 1] != CLOSE_LIST:
        return LEFT, first
    name[0], prefix = 0, 1
    for k in range(table.ends[field], table.ends[field + 1]):
        name[prefix] = table.text[k]
        prefix += 1
    name[prefix] = POINT
    prefix += 1
    cells.field[cell], cells.entry[cell] = field, A_LIST
    cells.start[cell], cells.end[cell] = start, end
    cell += 1
    item: Any = 0
    status: Any = FINE
    i = skip_blank(data, start + 1)
    while i < end - 1:
        form, stop = word_at(data, i)
        if stop == FREE or form != NULL:
            form, stop = number_at(data, i)
            if stop == FREE:
                return LEFT, first
            plain, value, after = parse_number(data, i)
            if not plain or after != stop or not -LARGEST_VALUE <= value <= LARGEST_VALUE:
                return LEFT, first
            part = numbered(names, name, 0, _put_number(name, prefix, item))
            if part == FREE:
                return NO_ROOM, first
            if part >= known:
                status = NEW
            cells.field[cell], cells.entry[cell] = part, A_NUMBER
            cells.start[cell], cells.end[cell] = i, stop
            cells.value[cell] = value + 0.0 if form == WHOLE else value
            cell += 1
        item += 1
        i = skip_blank(data, stop)
        if i < end - 1:
            if data[i] != COMMA:
                return LEFT, first
            i = skip_blank(data, i + 1)
            if i == end - 1:
                return LEFT, first
    return status, first if cell == first + 1 else cell


@inlined
def _look_at_value(
    data: Bytes,
    start: int,
    end: int,
    form: int,
    field: int,
    fields: FieldArrays,
    memo: MemoArrays,
    cells: CellArrays,
    cell: int,
) -> None:
    """Write down a value that is no list of numbers as a cell."""
    kind = fields.kinds[field]
    begin, stop = start, end
    if form == PLAIN:
        begin, stop, as_is = start + 1, end - 1, True
    elif form in (WHOLE, DECIMAL):
        as_is = kind in (NUMBER, WEIGHT, IGNORE)
        as_is |= kind == KEY and form == WHOLE and end - start <= MOST_DIGITS
    else:
        as_is = False
    look_at(fields, memo, cells, cell, field, data, begin, stop, start, end, as_is)
    if form == WHOLE and cells.entry[cell] == A_NUMBER:
        cells.value[cell] += 0.0  # -0 is a whole number, which has no sign; -0.0 has one


@cached_parser
def parse_lines(
    data: Bytes,
    stop: int,
    most: int,
    names: JsonNames,
    known: int,
    objects: ObjectArrays,
    fields: FieldArrays,
    memo: MemoArrays,
    cells: CellArrays,
    places: Longs,
    rows: int,
) -> tuple[int, int]:
    """Look at the cells of plain lines, up to ``most``; ``rows`` of them were looked at before.

    Row t begins at ``places[t, 0]``, before it are ``places[t, 1]`` lines, and it begins with the
    cell ``cells.ends[t]``. Returns why it stopped and the number of rows. FINE: there are no more
    lines, or so many rows; or Python should decide the kinds of fields. LEFT: the next line is not
    plain. NEW, NO_ROOM: it has fields that are new; there is no room for them. In search of more
    new fields, the lines behind it are read as well.
    """
    i, lines = places[rows, 0], places[rows, 1]
    cell: Any = cells.ends[rows]
    undecided: Any = 0
    ahead: Any = 0  # rows that are read only to find new fields
    status: Any = FINE
    while i < stop and rows + ahead < most and undecided < MOST_UNDECIDED:
        i = skip_blank(data, i)
        if data[i] == NEWLINE:
            i += 1
            lines += 1
            if ahead == 0:
                places[rows, 0], places[rows, 1] = i, lines
            continue
        status = LEFT
        if data[i] != OPEN:
            break
        status, count, i = read_object(data, i, rows + ahead, names, fields.kinds, known, objects)
        if status in (LEFT, NO_ROOM):
            break
        i = skip_blank(data, i)
        if data[i] != NEWLINE:
            status = LEFT
            break
        if status == NEW or ahead > 0:
            ahead += 1
            i += 1
            if names.table.size[0] - np.uint64(known) > MOST_NEW:
                break
            continue
        _put_in_order(names, objects, count)
        for k in range(count):
            c = objects.order[k]
            form, field = objects.form[c], objects.field[c]
            start, end = objects.start[c], objects.end[c]
            if form == NULL:
                continue
            kind = fields.kinds[field]
            if kind == VECTOR and form == LIST:
                status, after = _look_at_list(
                    data, start, end, field, names, known, objects.name, cells, cell
                )
                if status in (NEW, NO_ROOM):
                    return status, rows
                if status == FINE:
                    cell = after
                    continue
            undecided += kind == UNDECIDED
            _look_at_value(data, start, end, form, field, fields, memo, cells, cell)
            cell += 1
        i += 1
        lines += 1
        rows += 1
        places[rows, 0], places[rows, 1] = i, lines
        cells.ends[rows] = cell
    return (NEW if ahead > 0 else status), rows
