"""The compiled parser of CSV: it cuts plain records into cells, and leaves others to Python.

Plain is a record with as many fields as the header, in which each quote encloses a whole field. Any
other is left to ``csv.py``, which decides what is allowed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints, cached_loop, compiled
from braided.readers.cell_parser import CellArrays, FieldArrays, MemoArrays, look_at
from braided.readers.number_parser import Bytes

__all__ = ["NO_COMMENT", "NoRowArrays", "parse_records"]

SPACE, TAB, NEWLINE, RETURN, QUOTE = b' \t\n\r"'


NO_COMMENT = 256


class NoRowArrays(NamedTuple):
    """The names of the columns one after another, where each ends, and how a comment begins.

    There are none where rows may look so.
    """

    names: Bytes
    ends: NDArray[np.int64]
    comment: int


@compiled
def _are_names(
    data: Bytes, bounds: NDArray[np.int64], names: Bytes, name_ends: NDArray[np.int64]
) -> bool:
    """Whether the fields may be the names of the columns, before doubled quotes are resolved."""
    place = 0
    for column in range(name_ends.size):
        start, end = bounds[column, 0], bounds[column, 1]
        if bounds[column, 2] == start:  # else quotes are doubled
            while start < end and (data[start] == SPACE or data[start] == TAB):
                start += 1
            while start < end and (data[end - 1] == SPACE or data[end - 1] == TAB):
                end -= 1
            if end - start != name_ends[column] - place:
                return False
            for i in range(end - start):
                if data[start + i] != names[place + i]:
                    return False
        place = name_ends[column]
    return True


@cached_loop
def parse_records(
    data: Bytes,
    i: int,
    most: int,
    separator: int,
    longest: int,
    no_row: NoRowArrays,
    order: Ints,
    fields: FieldArrays,
    memo: MemoArrays,
    cells: CellArrays,
    bounds: NDArray[np.int64],
    places: NDArray[np.int64],
) -> tuple[int, int]:
    """Look at the cells of plain records, from position i on.

    What may be ``no_row`` is not plain. ``order`` are the columns in the order of their names.
    Record t begins at ``places[t, 0]``, and ``places[t, 1]`` lines are before it. ``bounds`` has
    room for where the text and the key of each cell begin and end, and whether the text is that
    between these bounds. Returns the number of records and the position of the first that is not
    plain, with which ``places`` ends.
    """
    width = order.size
    rows = lines = cell = 0
    size = data.size
    while i < size and rows < most:
        record, first_line, columns = i, lines, 0
        ended = False
        while not ended:
            while data[i] == SPACE:
                i += 1
            begin = i
            if data[i] == QUOTE:
                doubled = False
                i += 1
                while i < size:
                    if data[i] == QUOTE:
                        if i + 1 < size and data[i + 1] == QUOTE:
                            doubled = True
                            i += 1
                        else:
                            break
                    lines += data[i] == NEWLINE
                    i += 1
                if i + 1 >= size:
                    break
                key, key_end = begin + 1, i
                if doubled:
                    key, key_end = begin, i + 1
                start, end = begin + 1, i
                i += 1
            else:
                while data[i] != separator and data[i] != NEWLINE and data[i] != RETURN:
                    i += 1
                start, end, key, key_end = begin, i, begin, i
            if data[i] == RETURN:
                if data[i + 1] != NEWLINE:
                    break
                i += 1
            if data[i] == NEWLINE:
                ended = True
            elif data[i] != separator:
                break
            i += 1
            if columns < width:
                bounds[columns, 0], bounds[columns, 1] = start, end
                bounds[columns, 2], bounds[columns, 3] = key, key_end
            columns += 1
        lines += ended
        if ended and columns == 1 and bounds[0, 0] == bounds[0, 1]:
            continue  # a blank line
        if ended and columns == width == no_row.ends.size:
            ended = not _are_names(data, bounds, no_row.names, no_row.ends)
        if not ended or columns != width or i - record > longest or data[record] == no_row.comment:
            i, lines = record, first_line
            break
        places[rows, 0], places[rows, 1] = record, first_line
        cells.ends[rows] = cell
        for place in range(width):
            column = order[place]
            start, end = bounds[column, 0], bounds[column, 1]
            key, key_end = bounds[column, 2], bounds[column, 3]
            as_is = key == start  # else quotes are doubled: not if the text may mean missing
            if as_is:
                while start < end and (data[start] == SPACE or data[start] == TAB):
                    start += 1
                while start < end and (data[end - 1] == SPACE or data[end - 1] == TAB):
                    end -= 1
                if data[start] != QUOTE:  # a key that begins with a quote has doubled ones
                    key, key_end = start, end
            else:
                as_is = end - start > 2 * memo.longest
            look_at(fields, memo, cells, cell, column, data, start, end, key, key_end, as_is)
            cell += 1
        rows += 1
    cells.ends[rows] = cell
    places[rows, 0], places[rows, 1] = i, lines
    return rows, i
