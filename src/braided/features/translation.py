"""Translations: from the columns of a source to the columns of a FeatureSpace.

A source is where rows come from: all rows without names are one source, and rows that share their
list of names are another. What was translated once is remembered (``Sources``).
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from braided.compiled.jit import Ints, cached
from braided.rows.rows import Rows

__all__ = ["OUT_OF_ORDER", "UNKNOWN", "Sources", "Translation"]
__all__ += ["look_up", "size_in_order", "translate"]

UNKNOWN = -1
"""The column of a feature that was not seen."""

OUT_OF_ORDER = -1
"""In place of the number of columns that are in order."""

_NOTHING: Ints = np.empty(0, np.int32)


class Translation(NamedTuple):
    """From the columns of a source to the columns here.

    A source that itself numbers its columns by first sight has them in order: as long as no other
    source adds features, its indices can be used as they are.
    """

    in_order: int = 0  # its first columns, so many, are the first columns here
    columns: Ints = _NOTHING  # once the order was broken: the column here of each, or UNKNOWN

    @classmethod
    def of_numbers(cls, numbers: Ints) -> Translation:
        """The translation of a source whose columns, in this order, are the columns here."""
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


_NEW = Translation()
_NO_SOURCE: tuple[Sequence[Hashable], Translation] = ((), _NEW)


@dataclass(eq=False)
class Sources:
    """The translations of all rows without names, and of the last source with names.

    Blocks of one source share their names. The last source and its translation change together, so
    that no thread sees a mixture.
    """

    _from_numbers: Translation = _NEW
    _from_source: tuple[Sequence[Hashable], Translation] = _NO_SOURCE
    _weighed: tuple[Sequence[Hashable], int] = ((), 0)  # a source, and the bytes of its names

    def translation(self, rows: Rows) -> Translation:
        """The translation of the source of these rows; an empty one if the source is new."""
        if rows.names is None:
            return self._from_numbers
        source, translation = self._from_source
        return translation if source is rows.names else _NEW

    def remember(self, rows: Rows, translation: Translation) -> None:
        """Remember a translation for the next rows of the same source."""
        if rows.names is None:
            self._from_numbers = translation
        else:
            self._from_source = (rows.names, translation)

    def forget(self, *, named: bool) -> None:
        """Forget all translations; where there are names, numbers can be looked up as well."""
        self._from_source, self._weighed = _NO_SOURCE, ((), 0)
        self._from_numbers = Translation(OUT_OF_ORDER if named else 0)

    def take_back(self, size: int, *, named: bool) -> None:
        """Forget columns from ``size`` on, which were given out but never recorded."""
        self._from_source = _NO_SOURCE
        in_order, columns = self._from_numbers
        if named:
            self._from_numbers = Translation(OUT_OF_ORDER)
        else:
            columns[columns >= size] = UNKNOWN
            self._from_numbers = Translation(min(in_order, size), columns)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the translations and of the last source's names."""
        source, from_source = self._from_source
        arrays = self._from_numbers.columns.nbytes + from_source.columns.nbytes
        if isinstance(source, list | tuple) and self._weighed[0] is not source:
            self._weighed = source, sum(map(sys.getsizeof, source))
        names = self._weighed[1] if self._weighed[0] is source else 0
        return sys.getsizeof(source) + names + arrays

    def __getstate__(self) -> dict[str, Any]:
        # The names of the last source may be many more than were seen, and can be read again.
        return {**self.__dict__, "_from_source": _NO_SOURCE, "_weighed": ((), 0)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        in_order, columns = self._from_numbers
        if not columns.flags.writeable:  # mapped from a file, read-only
            self._from_numbers = Translation(in_order, np.array(columns))


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
