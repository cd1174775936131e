"""FeatureSpace: the names of all features seen so far, in order of first sight."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from braided.kernels.compiled import Ints, cached
from braided.rows import Rows

__all__ = ["FeatureSpace"]

UNKNOWN = -1


class FeatureSpace:
    """Names <-> columns. A name gets the next column when it is first observed, and keeps it.

    >>> from braided.inputs import as_rows
    >>> space = FeatureSpace()
    >>> space.place(as_rows([{"b": 1.0}, {"a": 2.0, "b": 3.0}])).indices
    array([0, 1, 0], dtype=int32)
    >>> space.names, space.columns["a"], "c" in space
    (['b', 'a'], 1, False)
    """

    def __init__(self) -> None:
        self._names: list[Hashable] = []
        self._columns: dict[Hashable, int] = {}
        # Ints without names are called by their number. Numbers are kept in arrays, and become
        # Python objects (which take twenty times the room) only when somebody asks for a name.
        self._unnamed: list[Ints] = []
        self._size = 0
        # What was translated once stays translated: blocks of one source share their names.
        self._from_numbers: Ints = np.empty(0, np.int32)
        self._source: Sequence[Hashable] = ()
        self._from_source: Ints = np.empty(0, np.int32)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __contains__(self, name: Hashable) -> bool:
        return name in self.columns

    def __repr__(self) -> str:
        return f"<{len(self)} features>"

    @property
    def names(self) -> list[Hashable]:
        """The name of each column; not to be changed."""
        if self._unnamed:
            self._name_numbers()
        return self._names

    @property
    def columns(self) -> dict[Hashable, int]:
        """The column of each name; not to be changed."""
        if self._unnamed:
            self._name_numbers()
        return self._columns

    def add(self, names: Iterable[Hashable]) -> list[int]:
        """The columns of names, which are now seen."""
        self._name_numbers()
        placed = []
        for name in names:
            column = self._columns.setdefault(name, self._size)
            if column == self._size:
                self._names.append(name)
                self._size += 1
            placed.append(column)
        return placed

    def place(self, rows: Rows, *, grow: bool = True) -> Rows:
        """The same rows in this space's columns.

        New names are added in order of first sight; without ``grow`` their entries are left out.
        """
        translation = self._translation(rows)
        before = self._size
        indices, unknown = _translate(rows.indices, translation, before)
        if unknown.size:
            columns = self._look_up(rows, unknown, grow=grow)
            # They were numbered as if all were new, which most of the time they are.
            if columns != range(before, before + unknown.size):
                translation[unknown] = columns
                indices = translation[rows.indices]
        placed = Rows(rows.indptr, indices, rows.values, self._size, None, rows.labels)
        return placed if grow or not unknown.size else placed.select(indices != UNKNOWN)

    def size_with(self, rows: Rows) -> int:
        """How many features there would be if these rows were placed."""
        names = {rows.name(column) for column in np.unique(rows.indices).tolist()}
        return self._size + len(names - self.columns.keys())

    def _look_up(self, rows: Rows, unknown: Ints, *, grow: bool) -> Sequence[int]:
        if grow and rows.names is None and not self._columns:
            start, self._size = self._size, self._size + unknown.size
            self._unnamed.append(unknown)
            return range(start, self._size)
        names = [rows.name(column) for column in unknown.tolist()]
        if grow:
            return self.add(names)
        columns = self.columns
        return [columns.get(name, UNKNOWN) for name in names]

    def _translation(self, rows: Rows) -> Ints:
        """For each column of the rows' source its column here, or UNKNOWN."""
        if rows.names is None:
            self._from_numbers = _lengthened(self._from_numbers, rows.width)
            return self._from_numbers
        if rows.names is not self._source:
            self._source, self._from_source = rows.names, np.empty(0, np.int32)
        self._from_source = _lengthened(self._from_source, rows.width)
        return self._from_source

    def _name_numbers(self) -> None:
        while self._unnamed:
            numbers = self._unnamed.pop(0).tolist()
            self._columns.update(zip(numbers, range(len(self._names), self._size), strict=False))
            self._names.extend(numbers)

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of everything that finds them."""
        containers = sys.getsizeof(self._names) + sys.getsizeof(self._columns)
        objects = sum(map(sys.getsizeof, self._names)) + sum(
            map(sys.getsizeof, self._columns.values())
        )
        arrays = [*self._unnamed, self._from_numbers, self._from_source]
        return containers + objects + sum(array.nbytes for array in arrays)


def _lengthened(translation: Ints, width: int) -> Ints:
    if translation.size >= width:
        return translation
    return np.concatenate((translation, np.full(width - translation.size, UNKNOWN, np.int32)))


@cached
def _translate(indices: Ints, translation: Ints, size: int) -> tuple[Ints, Ints]:
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
