"""Names: those of all features seen so far, in order of first sight."""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np

from braided.compiled.jit import Ints
from braided.rows.convert import MOST_COLUMNS

__all__ = ["Names"]

_NAMING = threading.Lock()  # predicting dicts may give numbers their names


class Names:
    """Names <-> columns, whatever source they came from."""

    def __init__(self) -> None:
        self._names: list[Hashable] = []
        self._columns: dict[Hashable, int] = {}
        # Columns that are called by their number (without names, or with those of range(width), of
        # which the next rows may have more) need no names. Numbers are kept in arrays, and become
        # Python objects (which take twenty times the room) only when somebody asks for a name.
        self._unnamed: list[Ints] = []
        self._size = 0
        self._weighed = self._weight = 0  # how many names memory_bytes has seen, and their bytes

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

    def numbers(self) -> Ints | None:
        """The names if all of them are numbers that columns can have, else None."""
        names = self._names
        whole = all(type(name) is int and 0 <= name < MOST_COLUMNS for name in names)
        if not whole:
            return None
        return np.concatenate([np.array(names, np.int32), *self._unnamed])

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
        self._weighed = self._weight = 0

    def _add_numbers(self, numbers: Ints) -> range:
        """As ``add``, for numbers that are new, where nothing has a name yet."""
        start, self._size = self._size, self._size + numbers.size
        self._unnamed.append(numbers)
        return range(start, self._size)

    def _name_numbers(self) -> None:
        with _NAMING:
            numbers = [number for array in self._unnamed for number in array.tolist()]
            self._columns.update(zip(numbers, range(len(self._names), self._size), strict=True))
            self._names.extend(numbers)
            self._unnamed = []

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of what finds their columns."""
        known = len(self._names)
        new = self._names[self._weighed : known]
        self._weight += sum(map(sys.getsizeof, new))
        self._weight += sum(map(sys.getsizeof, range(self._weighed, known)))
        self._weighed = known
        containers = sys.getsizeof(self._names) + sys.getsizeof(self._columns)
        return containers + self._weight + sum(numbers.nbytes for numbers in self._unnamed)
