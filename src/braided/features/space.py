"""FeatureSpace: rows of any source in the columns of all features seen so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from braided.compiled.jit import Ints
from braided.features.names import Names
from braided.features.sources import Sources
from braided.features.translation import (
    OUT_OF_ORDER,
    UNKNOWN,
    Translation,
    look_up,
    size_in_order,
    translate,
)
from braided.rows.convert import as_rows
from braided.rows.rows import Rows

__all__ = ["FeatureSpace"]

_SPARSEST = 64  # numbers up to which a translation has room, for each that was seen


class FeatureSpace(Names):
    """Names <-> columns. A name gets the next column when it is first observed, and keeps it.

    Only ``keep`` takes columns away, and numbers those that stay anew.

    >>> from braided.rows.convert import as_rows
    >>> space = FeatureSpace()
    >>> space.place(as_rows([{"b": 1.0}, {"a": 2.0, "b": 3.0}])).indices
    array([0, 1, 0], dtype=int32)
    >>> space.names, space.columns["a"], "c" in space
    (['b', 'a'], 1, False)
    """

    def __init__(self) -> None:
        super().__init__()
        self._sources = Sources()

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
        space._add_numbers(numbers)
        space._sources = Sources(Translation.of_numbers(numbers))
        return space

    def keep(self, columns: Sequence[int]) -> None:
        """Forget all names but those of these columns, which are 0, 1, ... from now on."""
        super().keep(columns)
        self.forget_sources()

    def forget_sources(self) -> None:
        """Forget how columns of sources were translated, which takes room for all of them."""
        self._sources.forget(named=bool(self.columns))

    def place(self, rows: Rows, *, grow: bool = True) -> Rows:
        """The same rows in this space's columns.

        New names are added in order of first sight; without ``grow`` their entries are left out.
        """
        if not rows.checked:
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
            # Columns were given out when an interrupt came, but maybe not yet recorded.
            self._sources.take_back(self._size, named=bool(self._columns))
            raise
        return Rows(rows.indptr, indices, rows.values, self._size, None, rows.labels)

    def _seen_in_order(self, rows: Rows) -> Ints | None:
        """The indices as they are, if the columns of this source are the columns here."""
        before = self._size
        if self._sources.translation(rows).in_order != before:
            return None
        size = size_in_order(rows.indices, before)
        if size < before:
            return None
        self._sources.remember(rows, Translation(in_order=size))
        self._add_columns(rows, np.arange(before, size, dtype=np.int32))
        return rows.indices

    def _seen_in_any_order(self, rows: Rows) -> Ints:
        before, translation = self._size, self._sources.translation(rows).as_array(rows.width)
        self._sources.remember(rows, Translation(OUT_OF_ORDER, translation))
        indices, unknown = translate(rows.indices, translation, before)
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
        source = self._sources.translation(rows)
        if source.in_order == self._size:
            known = rows.indices < self._size
            placed = Rows(rows.indptr, rows.indices, rows.values, self._size, None, rows.labels)
            return placed if known.all() else placed.select(known)
        translation = source.as_array(rows.width)
        indices, unknown = look_up(rows.indices, translation)
        # Without names, all numbers that were seen are already in their translation.
        if unknown and (rows.names is not None or self._columns):
            occurs = np.zeros(rows.width, np.bool_)
            occurs[rows.indices[indices == UNKNOWN]] = True
            columns, column_of = np.flatnonzero(occurs), self.columns.get
            translation = translation.copy()
            translation[columns] = [column_of(rows.name(c), UNKNOWN) for c in columns.tolist()]
            indices, unknown = look_up(rows.indices, translation)
            if rows.names is not None:
                self._sources.remember(rows, Translation(OUT_OF_ORDER, translation))
        placed = Rows(rows.indptr, indices, rows.values, self._size, None, rows.labels)
        return placed.select(indices != UNKNOWN) if unknown else placed

    def _add_columns(self, rows: Rows, unknown: Ints) -> Sequence[int]:
        if rows.names is None and not self._columns:
            return self._add_numbers(unknown)
        return self.add(rows.name(column) for column in unknown.tolist())

    @property
    def memory_bytes(self) -> int:
        """Bytes of the names and of everything that finds them."""
        return super().memory_bytes + self._sources.memory_bytes
