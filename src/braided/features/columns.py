"""Columns: the column of each name, for names of any kind."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Ints
from braided.features.name_table import FREE, NameTable
from braided.features.names_in_json import names_in_json

__all__ = ["Columns"]


class Columns(Mapping[Hashable, int]):
    """Name -> column, in the order in which names were added.

    Texts, which nearly all names are, lie in a ``NameTable``. Other names (and texts that UTF-8 can
    not encode) are in a dict, and hold their place in the table by an entry that no text can have.

    Examples
    --------
    >>> columns = Columns()
    >>> columns.add(["age", 7, "age", "height"])
    [0, 1, 0, 2]
    >>> columns[7], columns.name(2), columns.names(), "weight" in columns
    (1, 'height', ['age', 7, 'height'], False)
    """

    def __init__(self) -> None:
        self.table = NameTable()
        self._others: dict[Hashable, int] = {}
        self._other_names: dict[int, Hashable] = {}

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names())

    def __repr__(self) -> str:
        return repr(dict(self))

    @property
    def has_text(self) -> bool:
        """Whether one of the names lies in the table."""
        return len(self) > len(self._others)

    def __getitem__(self, name: Hashable) -> int:
        if isinstance(name, str):
            column = self.table.find(name)
            if column != FREE:
                return column
        return self._others[name]

    def of(self, names: list[Hashable]) -> list[int]:
        """Return the columns of names.

        Parameters
        ----------
        names : list of hashable
            The names.

        Returns
        -------
        list of int
            The column of each.

        Raises
        ------
        KeyError
            If a name has no column.
        """
        found = self.known(names)
        if FREE in found:
            raise KeyError(names[found.index(FREE)])
        return found

    def known(self, names: list[Hashable]) -> list[int]:
        """Return the columns of names; -1 for names without a column.

        Parameters
        ----------
        names : list of hashable
            The names.

        Returns
        -------
        list of int
            The column of each, or -1.
        """
        if _are_texts(names):
            found: list[int] = self.table.find_all(names).tolist()
            if not self._others or FREE not in found:
                return found
        return [self.get(name, FREE) for name in names]

    def add(self, names: Iterable[Hashable]) -> list[int]:
        """Give columns to names that have none.

        Parameters
        ----------
        names : iterable of hashable
            Names in any number and order.

        Returns
        -------
        list of int
            The column of each.
        """
        names = [*names]
        if _are_texts(names):
            with suppress(UnicodeEncodeError):
                added: list[int] = self.table.add(names).tolist()
                return added
        return [self._add_one(name) for name in names]

    def add_others(self, names: Sequence[Hashable]) -> None:
        """Give columns to names that are no texts, differ, and have no column yet."""
        for column, name in zip(self.table.add_unreadable(len(names)), names, strict=True):
            self._others[name] = column
            self._other_names[column] = name

    def _add_one(self, name: Hashable) -> int:
        if isinstance(name, str):
            with suppress(UnicodeEncodeError):
                return self.table.add([name]).item()
        if name not in self._others:
            self.add_others([name])
        return self._others[name]

    def add_from(self, table: NameTable, numbers: Ints) -> Ints:
        """Give columns to names of a table, if they have none; return the column of each."""
        return self.table.add_from(table, numbers)

    def known_from(self, table: NameTable, numbers: Ints) -> Ints:
        """Return the columns of names of a table; -1 for names without a column."""
        return self.table.find_from(table, numbers)

    def name(self, column: int) -> Hashable:
        """Return the name of a column."""
        if column in self._other_names:
            return self._other_names[column]
        return self.table[column]

    def names(self) -> list[Hashable]:
        """Return the name of each column, in a new list."""
        if not self._other_names:
            return [*self.table]
        return [self.name(column) for column in range(len(self))]

    def as_json(self, first: int) -> NDArray[np.uint8] | None:
        """Write the names from ``first`` on as a list of JSON, if all of them are text."""
        return None if self._others else names_in_json(self.table, first)

    def kept(self, columns: Sequence[int]) -> Columns:
        """Make the same for some columns, which are 0, 1, ... in this order.

        Parameters
        ----------
        columns : sequence of int
            Columns that differ.

        Returns
        -------
        Columns
            New columns.
        """
        kept = Columns()
        if self._other_names:
            kept.add(self.name(column) for column in columns)
        else:
            kept.table = self.table.kept(np.asarray(columns, np.int32))
        return kept

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of everything that finds their columns."""
        others = sys.getsizeof(self._others) + sys.getsizeof(self._other_names)
        others += sum(map(sys.getsizeof, self._others))
        others += sum(map(sys.getsizeof, self._other_names))
        return self.table.memory_bytes + others


def _are_texts(names: list[Hashable]) -> TypeGuard[list[str]]:
    return {*map(type, names)} <= {str}
