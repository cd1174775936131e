"""Translation: from the columns of a source to the columns of a FeatureSpace."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from braided.compiled.jit import Ints, cached

__all__ = ["OUT_OF_ORDER", "UNKNOWN", "Translation", "look_up", "size_in_order", "translate"]

UNKNOWN = -1
OUT_OF_ORDER = -1

_NOTHING: Ints = np.empty(0, np.int32)


class Translation(NamedTuple):
    """From the columns of a source to the columns here.

    A source that itself numbers its columns by first sight has them in order: as long as nobody
    else adds features, its indices can be used as they are.
    """

    in_order: int = 0  # its first columns, so many, are the first columns here
    columns: Ints = _NOTHING  # once the order was broken: the column here of each, or UNKNOWN

    @classmethod
    def of_numbers(cls, numbers: Ints) -> Translation:
        """When these columns of a source, in this order, are the columns here."""
        order = np.arange(numbers.size, dtype=np.int32)
        if np.array_equal(numbers, order):
            return cls(in_order=numbers.size)
        columns = np.full(numbers.max() + 1, UNKNOWN, np.int32)
        columns[numbers] = order
        return cls(OUT_OF_ORDER, columns)

    def as_array(self, width: int) -> Ints:
        """The column here, or UNKNOWN, of each column of a source of at least this width."""
        known = self.columns if self.columns.size else np.arange(self.in_order, dtype=np.int32)
        if known.size >= width:
            return known
        return np.concatenate((known, np.full(width - known.size, UNKNOWN, np.int32)))


@cached
def size_in_order(indices: Ints, size: int) -> int:
    """How many columns there are if each new one is the next; -1 if some other one is new."""
    for index in indices:
        if index >= size:
            if index > size:
                return -1
            size += 1
    return size


@cached
def translate(indices: Ints, translation: Ints, size: int) -> tuple[Ints, Ints]:
    """Translated indices, and the columns that were unknown, in order of first sight.

    The unknown ones are numbered from ``size`` on.
    """
    translated = np.empty(indices.size, np.int32)
    unknown = np.empty(min(indices.size, translation.size), np.int32)
    count = 0
    for i in range(indices.size):
        source = indices[i]
        column = translation[source]
        if column == UNKNOWN:
            column = translation[source] = size + count
            unknown[count] = source
            count += 1
        translated[i] = column
    return translated, unknown[:count].copy()


@cached
def look_up(indices: Ints, translation: Ints) -> tuple[Ints, int]:
    """Translated indices, and how many of them are UNKNOWN."""
    translated = np.empty(indices.size, np.int32)
    unknown = 0
    for i in range(indices.size):
        column = translation[indices[i]]
        unknown += column == UNKNOWN
        translated[i] = column
    return translated, unknown
