"""Keyed: cells of a column of Arrow that are maps from a name to a number, or lists of numbers.

A map is read as the object of JSON lines that it would be: the field ``x`` with ``{"a": 1.0}`` is
the feature ``x.a``. What a key means is asked once for each different key of a batch; cells are
handled by NumPy alone.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.records.convert import Converter
from braided.records.kinds import NUMBER, VECTOR
from braided.records.schema import sorted_names
from braided.rows.rows import offsets

__all__ = ["Keyed", "keyed_of"]


class Keyed:
    """The cells of a column, each of which holds numbers by key.

    Parameters
    ----------
    native : pyarrow.Array
        The column, which must be a map or a list with numbers as values.
    indptr : ndarray of int64
        Where the entries of each cell begin and end.
    codes : ndarray of int
        The number of the key of each entry.
    keys : list
        The different keys; None for a list, whose keys are positions.
    values : ndarray of float64
        The values; NaN for null.
    """

    def __init__(
        self,
        native: Any,
        indptr: NDArray[np.int64],
        codes: NDArray[np.int64],
        keys: list[Any] | None,
        values: NDArray[np.float64],
    ) -> None:
        self._native = native
        self.indptr, self.codes, self.keys, self.values = indptr, codes, keys, values

    def __len__(self) -> int:
        return self.indptr.size - 1

    def tolist(self) -> list[Any]:
        """Return the cells as Python has them: dicts or lists, None for null."""
        cells = self._native.to_pylist()
        return cells if self.keys is None else [None if c is None else dict(c) for c in cells]

    def sort_key(self, field: Hashable) -> Hashable:
        """Return what stands for the field when features are put in order."""
        return f"{field}." if self.keys is not None else field

    def fits(self, field: Hashable, converter: Converter) -> bool:
        """Return whether all keys mean numbers, so that cells need not be read one by one."""
        if self.keys is None:
            return converter.known_kind(field) in (None, VECTOR)
        names = [f"{field}.{key}" for key in self.keys]
        if len(set(names)) < len(names):
            return False
        return all(converter.known_kind(name) in (None, NUMBER) for name in names)

    def entries(
        self, field: Hashable, converter: Converter, place: dict[Hashable, int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return how many entries each cell has, their features and their values.

        Parameters
        ----------
        field : hashable
            The name of the column, which fits.
        converter : Converter
            Keeps what was decided and observed.
        place : dict
            The column of each feature; new ones are added.

        Returns
        -------
        tuple
            Counts, features and values, in the order of keys.
        """
        observed = ~np.isnan(self.values)
        rows = np.repeat(np.arange(len(self)), np.diff(self.indptr))[observed]
        codes, values = self.codes[observed], self.values[observed]
        counts = np.bincount(rows, minlength=len(self))
        if not codes.size:
            return counts, np.empty(0, np.int32), np.empty(0)
        used, first = np.unique(codes, return_index=True)
        names: list[Hashable] = [f"{field}.{self._key(code)}" for code in used.tolist()]
        if self.keys is None:
            converter.kind(field, [0.0])
            converter.observed[field] += int(np.count_nonzero(counts))
        else:
            for name, times in zip(names, np.bincount(codes)[used].tolist(), strict=True):
                converter.kind(name, 0.0)
                converter.observed[name] += times
            place_of = {name: i for i, name in enumerate(sorted_names(names))}
            rank = np.empty(int(used[-1]) + 1, np.int64)
            rank[used] = [place_of[name] for name in names]
            mark = rows * used.size + rank[codes]
            if not (np.diff(mark) > 0).all():
                order = np.argsort(mark, kind="stable")
                mark, codes, values = mark[order], codes[order], values[order]
                self._refuse_twice(field, mark, codes, used.size)
        column = np.empty(int(used[-1]) + 1, np.int32)
        for i in np.argsort(first, kind="stable").tolist():  # as they are met one by one
            column[used[i]] = place.setdefault(names[i], len(place))
        return counts, column[codes], values

    def _key(self, code: int) -> Any:
        return code if self.keys is None else self.keys[code]

    def _refuse_twice(
        self, field: Hashable, mark: NDArray[np.int64], codes: NDArray[np.int64], keys: int
    ) -> None:
        for entry in np.flatnonzero(np.diff(mark) == 0).tolist():
            name = f"{field}.{self._key(int(codes[entry]))}"
            raise InputError(f"row {int(mark[entry]) // keys}, feature {name!r} is there twice")


def keyed_of(column: Any) -> Keyed | None:
    """Return the cells of a column of Arrow; None if it has no numbers by key.

    Parameters
    ----------
    column : pyarrow.Array
        A column.

    Returns
    -------
    Keyed or None
        The cells of a map from texts or whole numbers to numbers, or of a list of numbers.
    """
    import pyarrow as pa

    kind, types = column.type, pa.types
    if types.is_map(kind):
        keyed, item = True, kind.item_type
        if not (types.is_string(kind.key_type) or types.is_integer(kind.key_type)):
            return None
    elif types.is_list(kind) or types.is_large_list(kind):
        keyed, item = False, kind.value_type
    else:
        return None
    if not (types.is_floating(item) or types.is_integer(item)):
        return None
    begin = column.offsets.to_numpy()
    sizes = np.diff(begin)
    if column.null_count:  # what lies below a null is no value
        sizes = np.where(column.is_valid().to_numpy(zero_copy_only=False), sizes, 0)
        if int(sizes.sum()) != int(begin[-1] - begin[0]):
            return None
    span = int(begin[0]), int(begin[-1] - begin[0])
    numbers = (column.items if keyed else column.values).slice(*span)
    if types.is_integer(item) and numbers.null_count:
        numbers = numbers.cast(pa.float64())
    values = numbers.to_numpy(zero_copy_only=False).astype(np.float64)
    indptr = offsets(sizes.astype(np.int64))
    if not keyed:
        codes = np.arange(span[1]) - np.repeat(indptr[:-1], sizes)
        return Keyed(column, indptr, codes, None, values)
    encoded = column.keys.slice(*span).dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return Keyed(column, indptr, codes, encoded.dictionary.to_pylist(), values)
