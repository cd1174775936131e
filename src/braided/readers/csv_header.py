"""The header of a CSV file: the names of its columns, and which of them is the label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from braided.errors import warn
from braided.readers.formats import Reading
from braided.records.values import as_number

__all__ = ["COUNTED", "column_number", "has_header", "header_of"]

COUNTED = re.compile(r"(?:column )?1|Unnamed: \d+")
"""How a column may be called that holds the numbers of rows: without a name, or as by pandas."""


def column_number(reading: Reading) -> int:
    """Return the number that the label may be in place of a name, from 1; 0 if it is a name."""
    label = reading.schema.label or ""
    if reading.schema.strict or not (label.isascii() and label.isdecimal()):
        return 0
    return int(label)


def has_header(first: Sequence[list[str]], reading: Reading) -> bool:
    """Whether the first line has the names of the columns.

    It has, unless somebody says something else: that it has none, or that the label is a column
    with a number, in a file in which the first line looks like the next ones.

    Parameters
    ----------
    first : sequence of list of str
        The fields of the first lines.
    reading : Reading
        Knows the label.

    Returns
    -------
    bool
        Whether it has.
    """
    if not reading.layout.has_header or not column_number(reading) or not first:
        return reading.layout.has_header
    names, *rows = ([field.strip() for field in fields] for fields in first)
    if all(name.isdecimal() for name in names if name):
        numbers = [int(name) for name in names if name]
        if numbers and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return True  # columns without names, as pandas numbers them
    if any(as_number(name) is not None for name in names):
        return False
    # A name is not one of the values below it.
    return not any(name and name in below for name, *below in zip(names, *rows, strict=False))


def header_of(names: list[str], rows: Sequence[list[str]], reading: Reading) -> list[str]:
    """The columns of a file, by the names in its first line.

    Parameters
    ----------
    names : list of str
        The names, stripped.
    rows : sequence of list of str
        The fields of the lines after it.
    reading : Reading
        Knows the label.

    Returns
    -------
    list of str
        A name for each column; they differ.
    """
    if reading.schema.strict:
        return _different(names)
    longer = len(rows) > 1 and all(len(row) == len(names) + 1 for row in rows)
    if longer and any(row[-1] for row in rows):  # not only a separator at the end
        names = ["", *names]  # R writes the names of rows, but none for their column
    return _with_label(_different(names), reading)


def _different(names: list[str]) -> list[str]:
    """Names that differ: one without a name has its number, one that is there twice a number."""
    found: list[str] = []
    times: Counter[str] = Counter()
    for place, name in enumerate(names, start=1):
        given = name or (str(place) if str(place) not in names else f"column {place}")
        times[given] += 1
        unique = given if times[given] == 1 else f"{given}.{times[given]}"
        while unique in found or (times[given] > 1 and unique in names):
            times[given] += 1
            unique = f"{given}.{times[given]}"
        found.append(unique)
    return found


def _with_label(header: list[str], reading: Reading) -> list[str]:
    """The names, of which the label's has other capitals, or is told by its number."""
    schema = reading.schema
    label, number = schema.label, column_number(reading)
    if label is None or label in header:
        return header
    alike = [name for name in header if name.casefold() == label.casefold()]
    name = alike[0] if len(alike) == 1 else ""
    if 0 < number <= len(header):
        name = header[number - 1]
    if not name or schema.kind(name) is not None or name in schema.roles:
        return header  # a model knows it as something else
    what = f"its column {number}, {name!r}," if number else repr(name)
    warn(f"{reading.bad_lines.file} has no column {label!r}: {what} is taken as the label")
    return [label if each == name else each for each in header]
