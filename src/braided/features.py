"""FeatureSpace: the names of all features seen so far, in order of first sight."""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from braided.inputs import MOST_COLUMNS, as_rows
from braided.kernels.compiled import Ints, cached
from braided.rows import Rows

__all__ = ["FeatureSpace"]

UNKNOWN = -1
_SPARSEST = 64  # numbers up to which a translation has room, for each that was seen
OUT_OF_ORDER = -1

_NOTHING: Ints = np.empty(0, np.int32)
_NAMING = threading.Lock()  # predicting dicts may give numbers their names


class _Translation(NamedTuple):
    """From the columns of a source to the columns here.

    A source that itself numbers its columns by first sight has them in order: as long as nobody
    else adds features, its indices can be used as they are.
    """

    in_order: int = 0  # its first columns, so many, are the first columns here
    columns: Ints = _NOTHING  # once the order was broken: the column here of each, or UNKNOWN

    def as_array(self, width: int) -> Ints:
        """The column here, or UNKNOWN, of each column of a source of at least this width."""
        known = self.columns if self.columns.size else np.arange(self.in_order, dtype=np.int32)
        if known.size >= width:
            return known
        return np.concatenate((known, np.full(width - known.size, UNKNOWN, np.int32)))


_NO_SOURCE: tuple[Sequence[Hashable], _Translation] = ((), _Translation())


class FeatureSpace:
    """Names <-> columns. A name gets the next column when it is first observed, and keeps it.

    Only ``keep`` takes columns away, and numbers those that stay anew.

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
        # Columns that are called by their number (without names, or with those of range(width), of
        # which the next rows may have more) need no names. Numbers are kept in arrays, and become
        # Python objects (which take twenty times the room) only when somebody asks for a name.
        self._unnamed: list[Ints] = []
        self._size = 0
        # What was translated once stays translated: blocks of one source share their names. The
        # last source and its translation change together, so that no thread sees a mixture.
        self._from_numbers = _Translation()
        self._from_source = _NO_SOURCE

    @classmethod
    def of(cls, names: Iterable[Hashable]) -> FeatureSpace:
        """The space in which these names were seen, in this order, each once."""
        space = cls()
        space.add(names)
        return space

    @classmethod
    def of_numbers(cls, numbers: Ints) -> FeatureSpace:
        """The same for numbers of columns without names."""
        if numbers.max(initial=-1) >= _SPARSEST * (numbers.size + 1):
            return cls.of(numbers.tolist())  # a translation of all numbers would be far longer
        space = cls()
        space._unnamed, space._size = [numbers], numbers.size
        order = np.arange(numbers.size, dtype=np.int32)
        if np.array_equal(numbers, order):
            space._from_numbers = _Translation(in_order=numbers.size)
        else:
            columns = np.full(numbers.max() + 1, UNKNOWN, np.int32)
            columns[numbers] = order
            space._from_numbers = _Translation(OUT_OF_ORDER, columns)
        return space

    def numbers(self) -> Ints | None:
        """The names if all of them are numbers that columns can have, else None."""
        names = self._names
        whole = all(type(name) is int and 0 <= name < MOST_COLUMNS for name in names)
        if not whole:
            return None
        return np.concatenate([np.array(names, np.int32), *self._unnamed])

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
        names, columns = list(names), self.columns
        new = [name for name in dict.fromkeys(names) if name not in columns]
        columns.update(zip(new, range(self._size, self._size + len(new)), strict=True))
        self._names.extend(new)
        self._size += len(new)
        return [columns[name] for name in names]

    def keep(self, columns: Sequence[int]) -> None:
        """Forget all names but those of these columns, which are 0, 1, ... from now on."""
        names = self.names
        self._names = [names[column] for column in columns]
        self._columns = {name: column for column, name in enumerate(self._names)}
        self._size = len(self._names)
        self.forget_sources()

    def forget_sources(self) -> None:
        """Forget how columns of sources were translated, which takes room for all of them."""
        self._from_source = _NO_SOURCE
        # Numbers can be looked up where there are names.
        self._from_numbers = _Translation(OUT_OF_ORDER if self.columns else 0)

    def place(self, rows: Rows, *, grow: bool = True) -> Rows:
        """The same rows in this space's columns.

        New names are added in order of first sight; without ``grow`` their entries are left out.
        """
        rows = as_rows(rows)
        if isinstance(rows.names, range) and rows.names == range(rows.width):
            rows = Rows(rows.indptr, rows.indices, rows.values, rows.width, None, rows.labels)
        return self._seen(rows) if grow else self._known(rows)

    def size_with(self, rows: Rows) -> int:
        """How many features there would be if these rows were placed."""
        names = {rows.name(column) for column in np.unique(rows.indices).tolist()}
        return self._size + len(names - self.columns.keys())

    def _seen(self, rows: Rows) -> Rows:
        """All entries; names that are new are now seen."""
        try:
            indices = self._seen_in_order(rows)
            if indices is None:
                indices = self._seen_in_any_order(rows)
        except BaseException:
            self._take_back()
            raise
        return Rows(rows.indptr, indices, rows.values, self._size, None, rows.labels)

    def _seen_in_order(self, rows: Rows) -> Ints | None:
        """The indices as they are, if the columns of this source are the columns here."""
        before = self._size
        if self._translation(rows).in_order != before:
            return None
        size = _size_in_order(rows.indices, before)
        if size < before:
            return None
        self._remember(rows, _Translation(in_order=size))
        self._add_columns(rows, np.arange(before, size, dtype=np.int32))
        return rows.indices

    def _seen_in_any_order(self, rows: Rows) -> Ints:
        before, translation = self._size, self._translation(rows).as_array(rows.width)
        self._remember(rows, _Translation(OUT_OF_ORDER, translation))
        indices, unknown = _translate(rows.indices, translation, before)
        if unknown.size:
            columns = self._add_columns(rows, unknown)
            # They were numbered as if all were new, which most of the time they are.
            if self._size < before + unknown.size:
                translation[unknown] = columns
                indices = translation[rows.indices]
        return indices

    def _known(self, rows: Rows) -> Rows:
        """The entries whose names were seen before.

        What learning knows is not changed: threads may predict side by side.
        """
        source = self._translation(rows)
        if source.in_order == self._size:
            known = rows.indices < self._size
            placed = Rows(rows.indptr, rows.indices, rows.values, self._size, None, rows.labels)
            return placed if known.all() else placed.select(known)
        translation = source.as_array(rows.width)
        indices, unknown = _look_up(rows.indices, translation)
        # Without names, all numbers that were seen are already in their translation.
        if unknown and (rows.names is not None or self._columns):
            occurs = np.zeros(rows.width, np.bool_)
            occurs[rows.indices[indices == UNKNOWN]] = True
            columns, column_of = np.flatnonzero(occurs), self.columns.get
            translation = translation.copy()
            translation[columns] = [column_of(rows.name(c), UNKNOWN) for c in columns.tolist()]
            indices, unknown = _look_up(rows.indices, translation)
            if rows.names is not None:
                self._from_source = (rows.names, _Translation(OUT_OF_ORDER, translation))
        placed = Rows(rows.indptr, indices, rows.values, self._size, None, rows.labels)
        return placed.select(indices != UNKNOWN) if unknown else placed

    def _add_columns(self, rows: Rows, unknown: Ints) -> Sequence[int]:
        if rows.names is None and not self._columns:
            start, self._size = self._size, self._size + unknown.size
            self._unnamed.append(unknown)
            return range(start, self._size)
        return self.add(rows.name(column) for column in unknown.tolist())

    def _translation(self, rows: Rows) -> _Translation:
        if rows.names is None:
            return self._from_numbers
        source, translation = self._from_source
        return translation if source is rows.names else _Translation()

    def _remember(self, rows: Rows, translation: _Translation) -> None:
        if rows.names is None:
            self._from_numbers = translation
        else:
            self._from_source = (rows.names, translation)

    def _take_back(self) -> None:
        """Forget columns that were given out when an interrupt came, but not yet recorded."""
        self._from_source = _NO_SOURCE
        in_order, columns = self._from_numbers
        if self._columns:  # where numbers can be looked up as well
            self._from_numbers = _Translation(OUT_OF_ORDER)
        else:
            columns[columns >= self._size] = UNKNOWN
            self._from_numbers = _Translation(min(in_order, self._size), columns)

    def _name_numbers(self) -> None:
        with _NAMING:
            numbers = [number for array in self._unnamed for number in array.tolist()]
            self._columns.update(zip(numbers, range(len(self._names), self._size), strict=True))
            self._names.extend(numbers)
            self._unnamed = []

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of everything that finds them."""
        containers = sys.getsizeof(self._names) + sys.getsizeof(self._columns)
        objects = sum(map(sys.getsizeof, self._names)) + sum(
            map(sys.getsizeof, self._columns.values())
        )
        source, from_source = self._from_source
        arrays = [*self._unnamed, self._from_numbers.columns, from_source.columns]
        return containers + sys.getsizeof(source) + objects + sum(a.nbytes for a in arrays)

    def __getstate__(self) -> dict[str, Any]:
        # The names of the last source may be many more than were seen, and can be read again.
        return {**self.__dict__, "_from_source": _NO_SOURCE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        in_order, columns = self._from_numbers
        if not columns.flags.writeable:  # mapped from a file, read-only
            self._from_numbers = _Translation(in_order, np.array(columns))


@cached
def _size_in_order(indices: Ints, size: int) -> int:
    """How many columns there are if each new one is the next; -1 if some other one is new."""
    for index in indices:
        if index >= size:
            if index > size:
                return -1
            size += 1
    return size


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


@cached
def _look_up(indices: Ints, translation: Ints) -> tuple[Ints, int]:
    """Translated indices, and how many of them are UNKNOWN."""
    translated = np.empty(indices.size, np.int32)
    unknown = 0
    for i in range(indices.size):
        column = translation[indices[i]]
        unknown += column == UNKNOWN
        translated[i] = column
    return translated, unknown
