"""Names of a table as a list of JSON, in compiled code: model files have them so."""

from __future__ import annotations

import numpy as np

from braided.compiled.jit import Whole, cached_parser, compiled
from braided.features.name_table import Bytes, NameTable, TableArrays

__all__ = ["names_in_json"]

_BEGIN, _END, _COMMA, _QUOTE, _BACKSLASH, _U = b'[],"\\u'
_CONTROLS = np.frombuffer(b"btn\0fr", np.uint8)  # how JSON writes 0x08 to 0x0d after a backslash
_DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)


def names_in_json(table: NameTable, first: int = 0) -> Bytes:
    """Write the names from ``first`` on as a list of JSON, as ``json.dumps`` would.

    Parameters
    ----------
    table : NameTable
        The names.
    first : int, default 0
        The number of the first name in the list.

    Returns
    -------
    ndarray of uint8
        UTF-8 text without spaces.

    Examples
    --------
    >>> names_in_json(NameTable(["cheap", "now"])).tobytes()
    b'["cheap","now"]'
    """
    # Memory that is not touched costs nothing: there is room for names that are all escapes.
    text = np.empty(6 * int(table.arrays.ends[len(table)]) + 3 * len(table) + 2, np.uint8)
    return text[: _write(table.arrays, first, text)].copy()


@compiled
def _write_escape(text: Bytes, place: int, byte: int) -> Whole:
    """Write a byte as JSON has it within quotes, if that is not the byte itself; how many bytes."""
    short = 0
    if byte in (_QUOTE, _BACKSLASH):
        short = byte
    elif 0x08 <= byte <= 0x0D and byte != 0x0B:
        short = _CONTROLS[byte - 0x08]
    text[place] = _BACKSLASH
    if short:
        text[place + 1] = short
        return 2
    text[place + 1] = _U
    for i in range(4):
        text[place + 2 + i] = _DIGITS[(byte >> (12 - 4 * i)) & 15]
    return 6


@cached_parser
def _write(table: TableArrays, first: int, text: Bytes) -> int:
    """Write names as a list of JSON; how many bytes. There is room for six bytes for each byte."""
    text[0] = _BEGIN
    place = 1
    for number in range(first, np.int64(table.size[0])):
        if number > first:
            text[place] = _COMMA
            place += 1
        text[place] = _QUOTE
        place += 1
        for i in range(table.ends[number], table.ends[number + 1]):
            byte = table.text[i]
            if byte < 0x20 or byte in (_QUOTE, _BACKSLASH):
                place += _write_escape(text, place, byte)
            else:
                text[place] = byte
                place += 1
        text[place] = _QUOTE
        place += 1
    text[place] = _END
    return place + 1
