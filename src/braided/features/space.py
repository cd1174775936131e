"""FeatureSpace: names of features <-> columns, and rows of any source in these columns."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints
from braided.features.columns import Columns
from braided.features.name_table import NameTable
from braided.features.translation import (
    OUT_OF_ORDER,
    UNKNOWN,
    Sources,
    Translation,
    look_up,
    size_in_order,
    translate,
)
from braided.rows import MOST_COLUMNS, Rows
from braided.rows.sparse import from_rows

__all__ = ["FeatureSpace"]

MANY = 2**14
"""Names from which on a compiled writer is used: fewer take less time than loading it."""

_SPARSEST = 64  # numbers up to which a translation has room, for each that was seen
_NAMING = threading.Lock()  # predicting dicts may give numbers their names


class FeatureSpace:
    """Names <-> columns. A name gets the next column when it is first observed, and keeps it.

    Only ``keep`` removes columns, and numbers those that stay anew.

    Examples
    --------
    >>> from braided import as_rows
    >>> space = FeatureSpace()
    >>> space.place(as_rows([{"b": 1.0}, {"a": 2.0, "b": 3.0}])).indices
    array([0, 1, 0], dtype=int32)
    >>> space.names, space.columns["a"], "c" in space
    (['b', 'a'], 1, False)
    """

    def __init__(self) -> None:
        self._columns = Columns()
        # Columns that are called by their number (without names, or with those of range(width), of
        # which the next rows may have more) need no names. Numbers are kept in arrays, and become
        # Python objects (which take twenty times the room) only when a name is asked for.
        self._unnamed: list[tuple[Ints, int]] = []  # numbers, and how many there are up to here
        self._sources = Sources()

    @classmethod
    def of(cls, names: Iterable[Hashable]) -> FeatureSpace:
        """Make the space in which these names were seen, in this order, each once.

        Parameters
        ----------
        names : iterable of hashable
            The names, column by column.

        Returns
        -------
        FeatureSpace
            A new space.
        """
        space = cls()
        space.add(names)
        return space

    @classmethod
    def of_numbers(cls, numbers: Ints) -> FeatureSpace:
        """Make the space in which these numbers of columns without names were seen.

        Parameters
        ----------
        numbers : ndarray of int32
            The numbers, column by column, each once.

        Returns
        -------
        FeatureSpace
            A new space.
        """
        if numbers.max(initial=-1) >= _SPARSEST * (numbers.size + 1):
            return cls.of(numbers.tolist())  # a translation of all numbers would be far longer
        space = cls()
        space._add_numbers(numbers)
        space._sources = Sources(Translation.of_numbers(numbers))
        return space

    # --------------------------------------------------------------------- names and columns

    def __len__(self) -> int:
        # Asked for each time, so that an interrupt leaves nothing to be brought up to date.
        return len(self._columns) or (self._unnamed[-1][1] if self._unnamed else 0)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __contains__(self, name: Hashable) -> bool:
        return name in self.columns

    def __repr__(self) -> str:
        return f"<{len(self)} features>"

    @property
    def names(self) -> list[Hashable]:
        """The name of each column, in a new list: it takes time, and memory, for all names."""
        return self.columns.names()

    def as_json(self, first: int = 0) -> NDArray[np.uint8] | None:
        """Write the names as a list of JSON, if all of them are text and there are many.

        Parameters
        ----------
        first : int, default 0
            The column of the first name in the list.

        Returns
        -------
        ndarray of uint8 or None
            UTF-8 text, as ``json.dumps`` would write it.
        """
        return self.columns.as_json(first) if len(self) >= MANY else None

    def name(self, column: int) -> Hashable:
        """Return the name of a column.

        Parameters
        ----------
        column : int
            Its number.

        Returns
        -------
        hashable
            Its name.
        """
        return self.columns.name(column)

    @property
    def columns(self) -> Columns:
        """The column of each name; not to be changed."""
        if self._unnamed:
            self._name_numbers()
        return self._columns

    def numbers(self) -> Ints | None:
        """Return the names as an array, if all of them are numbers that columns can have.

        Returns
        -------
        ndarray of int32 or None
            The name of each column.
        """
        if self._unnamed:
            return np.concatenate([numbers for numbers, _ in self._unnamed])
        if self._columns.has_text:
            return None
        names = self._columns.names()
        whole = all(type(name) is int and 0 <= name < MOST_COLUMNS for name in names)
        return np.array(names, np.int32) if whole else None

    def add(self, names: Iterable[Hashable]) -> list[int]:
        """Make names known, if they are not yet.

        Parameters
        ----------
        names : iterable of hashable
            Names in any number and order.

        Returns
        -------
        list of int
            The column of each.
        """
        return self.columns.add(names)

    def keep(self, columns: Sequence[int]) -> None:
        """Remove all names but those of these columns, which are 0, 1, ... from now on.

        Parameters
        ----------
        columns : sequence of int
            The columns that stay, in their new order.
        """
        self._columns = self.columns.kept(columns)
        self.forget_sources()

    def _add_numbers(self, numbers: Ints) -> range:
        """As ``add``, for numbers that are new, as long as nothing has a name."""
        start = len(self)
        self._unnamed.append((numbers, start + numbers.size))
        return range(start, start + numbers.size)

    def _name_numbers(self) -> None:
        with _NAMING:
            named = Columns()
            for numbers, _ in self._unnamed:
                named.add_others(numbers.tolist())
            self._columns, self._unnamed = (named if self._unnamed else self._columns), []

    # ------------------------------------------------------------------ rows in these columns

    def place(self, rows: Rows, *, grow: bool = True, once: bool = False) -> Rows:
        """Put rows into this space's columns.

        Parameters
        ----------
        rows : Rows
            Rows in the columns of their source.
        grow : bool, default True
            Whether new names are added, in order of first sight; else their entries are left out.
        once : bool, default False
            Whether columns will have other numbers soon, so that to remember the translation of a
            source with many names would take longer than to look each entry up.

        Returns
        -------
        Rows
            The same rows in the columns of this space, without names.
        """
        if not rows.checked:
            rows = from_rows(rows)
        if isinstance(rows.names, range) and rows.names == range(rows.width):
            rows = Rows(rows.indptr, rows.indices, rows.values, rows.width, None, rows.labels)
        if grow and once and isinstance(rows.names, NameTable):
            indices = self.columns.add_from(rows.names, rows.indices)
            return Rows(rows.indptr, indices, rows.values, len(self), None, rows.labels)
        return self._seen(rows) if grow else self._known(rows)

    def size_with(self, rows: Rows) -> int:
        """Count the features that there would be if these rows were placed.

        Parameters
        ----------
        rows : Rows
            Rows in the columns of their source.

        Returns
        -------
        int
            The number of features.
        """
        names = {rows.name(column) for column in np.unique(rows.indices).tolist()}
        return len(self) + len(names - self.columns.keys())

    def _seen(self, rows: Rows) -> Rows:
        """All entries; names that are new are now seen."""
        try:
            indices = self._seen_in_order(rows)
            if indices is None:
                indices = self._seen_in_any_order(rows)
        except BaseException:
            # Columns were given out when an interrupt came, but maybe not yet recorded.
            self._sources.take_back(len(self), named=bool(self._columns))
            raise
        return Rows(rows.indptr, indices, rows.values, len(self), None, rows.labels)

    def _seen_in_order(self, rows: Rows) -> Ints | None:
        """The indices as they are, if the columns of this source are the columns here."""
        before = len(self)
        if self._sources.translation(rows).in_order != before:
            return None
        size = size_in_order(rows.indices, before)
        if size < before:
            return None
        self._sources.remember(rows, Translation(in_order=size))
        self._add_columns(rows, np.arange(before, size, dtype=np.int32))
        return rows.indices

    def _seen_in_any_order(self, rows: Rows) -> Ints:
        before, translation = len(self), self._sources.translation(rows).as_array(rows.width)
        self._sources.remember(rows, Translation(OUT_OF_ORDER, translation))
        indices, unknown = translate(rows.indices, translation, before)
        if unknown.size:
            columns = self._add_columns(rows, unknown)
            # They were numbered as if all were new, which most of the time they are.
            if len(self) < before + unknown.size:
                translation[unknown] = columns
                indices = translation[rows.indices]
        return indices

    def _known(self, rows: Rows) -> Rows:
        """Only the entries whose names were seen before.

        What learning uses is not changed: threads may predict side by side.
        """
        source = self._sources.translation(rows)
        if source.in_order == len(self):
            known = rows.indices < len(self)
            placed = Rows(rows.indptr, rows.indices, rows.values, len(self), None, rows.labels)
            return placed if known.all() else placed.select(known)
        translation = source.as_array(rows.width)
        indices, unknown = look_up(rows.indices, translation)
        # Without names, all numbers that were seen are already in their translation.
        if unknown and (rows.names is not None or self._columns):
            occurs = np.zeros(rows.width, np.bool_)
            occurs[rows.indices[indices == UNKNOWN]] = True
            columns = np.flatnonzero(occurs).astype(np.int32)
            translation = translation.copy()
            if isinstance(rows.names, NameTable):
                translation[columns] = self.columns.known_from(rows.names, columns)
            else:
                translation[columns] = self.columns.known([*map(rows.name, columns.tolist())])
            indices, unknown = look_up(rows.indices, translation)
            if rows.names is not None:
                self._sources.remember(rows, Translation(OUT_OF_ORDER, translation))
        placed = Rows(rows.indptr, indices, rows.values, len(self), None, rows.labels)
        return placed.select(indices != UNKNOWN) if unknown else placed

    def _add_columns(self, rows: Rows, unknown: Ints) -> Sequence[int] | Ints:
        if rows.names is None and not self._columns:
            return self._add_numbers(unknown)
        if isinstance(rows.names, NameTable):
            return self.columns.add_from(rows.names, unknown)
        return self.add(rows.name(column) for column in unknown.tolist())

    def forget_sources(self) -> None:
        """Forget how columns of sources are translated, which takes room for all of them."""
        self._sources.forget(named=bool(self.columns))

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of everything that finds their columns."""
        numbers = sum(array.nbytes for array, _ in self._unnamed)
        return self._columns.memory_bytes + numbers + self._sources.memory_bytes
