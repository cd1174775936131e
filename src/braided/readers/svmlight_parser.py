"""The compiled parser of svmlight lines: it parses plain lines, and leaves others to Python.

Nearly all lines of nearly all files are plain. A line with anything else (a mistake, a number out
of its range, letters) is left to the Python parser in ``svmlight.py``, which decides what is
allowed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, cached_parser
from braided.kernels.numerics import LARGEST_VALUE
from braided.readers.number_parser import Bytes, parse_number

__all__ = ["LARGEST_INDEX", "parse_lines"]

LARGEST_INDEX = 2**31 - 1

TAB, NEWLINE, RETURN, SPACE, HASH, COLON = b"\t\n\r #:"
_9, _48 = np.uint64(9), np.uint64(48)


@cached_parser
def parse_lines(
    data: Bytes,
    i: int,
    most_features: int,
    ends: NDArray[np.int64],
    indices: Ints,
    values: Floats,
    labels: Floats,
) -> tuple[int, int, int]:
    """Parse plain lines, from position i on.

    Returns the number of rows and of lines, and the position of the first line that is not plain.
    The data ends with a newline, and the arrays have room for all that it can contain. The values
    of row t end at ``ends[t]``.
    """
    rows = lines = entries = 0
    size = data.size
    while i < size:
        line = i
        while data[i] == SPACE or data[i] == TAB or data[i] == RETURN:
            i += 1
        if data[i] != NEWLINE and data[i] != HASH:
            plain, label, i = parse_number(data, i)
            if not plain:
                return rows, lines, line
            first, last = entries, -1
            while True:
                before = i
                while data[i] == SPACE or data[i] == TAB or data[i] == RETURN:
                    i += 1
                if data[i] == NEWLINE or data[i] == HASH:
                    break
                index: Any = 0
                start = i
                digit = np.uint64(data[i]) - _48
                while digit <= _9 and i - start < 10:
                    index = index * 10 + np.int64(digit)
                    i += 1
                    digit = np.uint64(data[i]) - _48
                if (
                    i == start
                    or start == before
                    or data[i] != COLON
                    or index <= last
                    or index > LARGEST_INDEX
                    or entries - first == most_features
                ):
                    return rows, lines, line
                last = index
                plain, value, i = parse_number(data, i + 1)
                if not plain or not -LARGEST_VALUE <= value <= LARGEST_VALUE:
                    return rows, lines, line
                indices[entries], values[entries] = index, value
                entries += 1
            labels[rows], ends[rows] = label, entries
            rows += 1
        while data[i] != NEWLINE:
            i += 1
        i += 1
        lines += 1
    return rows, lines, size
