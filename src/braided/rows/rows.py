"""Rows: the one form that kernels see."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, cached

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["BLOCK", "Rows", "joined", "offsets"]

PER_ROW = ("labels", "weights", "keys")
"""The fields of Rows that have an item for each row."""

BLOCK = 1024
"""Rows in a block, unless the caller asks for another number."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows of observed features, with labels if there are any.

    Kernels do not check whether an index lies within an array, so rows are checked before they
    reach one: ``as_rows`` does that and marks them ``checked``. Rows made by hand, or changed with
    ``dataclasses.replace``, are not marked.

    Parameters
    ----------
    indptr : ndarray of int64
        Where rows begin and end: row t has the entries ``indptr[t]`` to ``indptr[t + 1]``.
    indices : ndarray of int32
        The column of each entry.
    values : ndarray of float64
        The value of each entry.
    width : int
        The number of columns.
    names : sequence of hashable, optional
        The name of each column; without names, a column's number is its name.
    labels : ndarray, optional
        A label for each row.
    weights : ndarray of float, optional
        A weight for each row.
    keys : ndarray, optional
        A key for each row, by which its label can be found later.
    schema : Decisions, optional
        The kinds of fields that were decided while the rows were read.

    Examples
    --------
    >>> from braided import as_rows
    >>> rows = as_rows([{"age": 31}, {"age": 64, "height": 1.7}], ["no", "yes"])
    >>> rows, rows.names, list(rows[1:].dicts())
    (<2 rows, 2 columns, 3 values, labelled>, ['age', 'height'], [{'age': 64.0, 'height': 1.7}])
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float64]
    width: int
    names: Sequence[Hashable] | None = None
    labels: NDArray[Any] | None = None
    weights: NDArray[np.float64] | None = None
    keys: NDArray[Any] | None = None
    schema: Any = None
    checked: bool = field(default_factory=bool, init=False, repr=False)

    def __len__(self) -> int:
        return self.indptr.size - 1

    def __repr__(self) -> str:
        labelled = "" if self.labels is None else ", labelled"
        return f"<{len(self)} rows, {self.width} columns, {self.values.size} values{labelled}>"

    def __getitem__(self, which: slice | int | Sequence[int] | NDArray[Any]) -> Rows:
        """The rows of a slice, or those of an array of row numbers, in that order.

        As in NumPy, an array of bools says which rows, and negative numbers count from the end.
        """
        if isinstance(which, slice) and which.step in (None, 1):
            start, stop, _ = which.indices(len(self))
            stop = max(start, stop)
            if stop - start == len(self):
                return self
            first, last = self.indptr[start], self.indptr[stop]
            return self.with_arrays(
                indptr=self.indptr[start : stop + 1] - first,
                indices=self.indices[first:last],
                values=self.values[first:last],
                **self._per_row(slice(start, stop)),
            )
        which = np.atleast_1d(np.arange(len(self))[which])
        counts = self.indptr[which + 1] - self.indptr[which]
        indptr = offsets(counts)
        entries = np.repeat(self.indptr[which] - indptr[:-1], counts) + np.arange(indptr[-1])
        return self.with_arrays(
            indptr=indptr,
            indices=self.indices[entries],
            values=self.values[entries],
            **self._per_row(which),
        )

    def _per_row(self, which: Any) -> dict[str, Any]:
        """What there is for each row besides its entries, for some rows."""
        fields = ((name, getattr(self, name)) for name in PER_ROW)
        return {name: each[which] for name, each in fields if each is not None}

    def select(self, keep: NDArray[np.bool_]) -> Rows:
        """Leave out entries.

        Parameters
        ----------
        keep : ndarray of bool
            For each entry, whether it stays observed.

        Returns
        -------
        Rows
            The same rows with these entries only.
        """
        if not keep.shape == self.indices.shape == self.values.shape:
            raise IndexError(f"{keep.size} marks for {self.values.size} entries")
        indptr, indices, values = _selected(self.indptr, self.indices, self.values, keep)
        return self.with_arrays(indptr=indptr, indices=indices, values=values)

    def with_labels(self, labels: NDArray[Any] | None) -> Rows:
        """Replace the labels.

        Parameters
        ----------
        labels : ndarray or None
            A label for each row, or None for rows without labels.

        Returns
        -------
        Rows
            The same rows with these labels.
        """
        return self.with_arrays(labels=labels)

    def marked(self) -> Rows:
        """Mark the rows as checked; only for code that has just checked them.

        Returns
        -------
        Rows
            The same rows, marked.
        """
        rows = replace(self)
        object.__setattr__(rows, "checked", True)
        return rows

    def with_arrays(self, **changes: Any) -> Rows:
        """Replace arrays, in a way that leaves checked rows fit for kernels.

        Parameters
        ----------
        **changes : Any
            New values of fields, by name.

        Returns
        -------
        Rows
            The changed rows, marked as checked if these rows are.
        """
        rows = replace(self, **changes)
        object.__setattr__(rows, "checked", self.checked)
        return rows

    def row_of_entry(self) -> NDArray[np.int64]:
        """Number the rows of entries.

        Returns
        -------
        ndarray of int64
            For each entry, the number of its row.
        """
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    def name(self, column: int) -> Hashable:
        """Return the name of a column.

        Parameters
        ----------
        column : int
            Its number.

        Returns
        -------
        hashable
            Its name; without names, its number.
        """
        return int(column) if self.names is None else self.names[column]

    def dicts(self) -> Iterator[dict[Hashable, float]]:
        """Yield each row as a dict.

        Yields
        ------
        dict
            The value of each observed feature, by name.
        """
        for start, stop in zip(self.indptr[:-1], self.indptr[1:], strict=True):
            columns = self.indices[start:stop].tolist()
            values = self.values[start:stop].tolist()
            yield {self.name(c): v for c, v in zip(columns, values, strict=True)}

    def to_csr(self) -> sp.csr_matrix[np.float64]:
        """Return a SciPy CSR matrix over the same arrays.

        Returns
        -------
        scipy.sparse.csr_matrix
            The matrix; what is not observed is not stored.
        """
        import scipy.sparse as sp

        return sp.csr_matrix(
            (self.values, self.indices, self.indptr), shape=(len(self), self.width)
        )


@cached
def _selected(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    keep: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """The entries marked in ``keep``, and where each row starts among them.

    Every entry is written, and the next one over it if it is not kept: a branch that the processor
    mispredicts would take longer. Hence a place more than is needed.
    """
    kept, end = np.empty(indptr.size, np.int64), np.count_nonzero(keep)
    kept_indices, kept_values = np.empty(end + 1, np.int32), np.empty(end + 1)
    start, place = Index(0), Index(0)
    kept[0] = 0
    for row in range(indptr.size - 1):
        # Rows that were not checked may end anywhere.
        stop = max(start, Index(min(max(0, indptr[row + 1]), keep.size)))
        for entry in range(start, stop):
            kept_indices[place] = indices[entry]
            kept_values[place] = values[entry]
            place += Index(keep[entry])
        start = stop
        kept[row + 1] = place
    return kept, kept_indices[:end], kept_values[:end]


def offsets(counts: NDArray[np.int64] | NDArray[np.bool_]) -> NDArray[np.int64]:
    """Compute ``indptr`` from the sizes of rows.

    Parameters
    ----------
    counts : ndarray of int or bool
        How many entries each row has.

    Returns
    -------
    ndarray of int64
        Where each row starts, and where the last one ends.

    Examples
    --------
    >>> import numpy as np
    >>> from braided.rows import offsets
    >>> offsets(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


def joined(parts: Sequence[Rows]) -> Rows:
    """Join rows one after another; columns of one name become one.

    Parameters
    ----------
    parts : sequence of Rows
        The rows to join.

    Returns
    -------
    Rows
        The rows of all parts. They have labels if all parts have.

    Examples
    --------
    >>> from braided import as_rows
    >>> rows = joined([as_rows([{"a": 1, "b": 2}]), as_rows([{"b": 3, "c": 4}])])
    >>> list(rows.dicts()), rows.names
    ([{'a': 1.0, 'b': 2.0}, {'b': 3.0, 'c': 4.0}], ['a', 'b', 'c'])
    """
    if len(parts) == 1:
        return parts[0]
    names, width, indices = _joined_columns(parts)
    counts = [np.diff(part.indptr) for part in parts]
    rows = Rows(
        offsets(np.concatenate(counts)) if parts else np.zeros(1, np.int64),
        np.concatenate(indices) if parts else np.empty(0, np.int32),
        np.concatenate([part.values for part in parts]) if parts else np.empty(0),
        width,
        names,
        **{name: _joined_items(parts, name) for name in PER_ROW},
        schema=_joined_decisions(parts),
    )
    return rows.marked() if all(part.checked for part in parts) else rows


def _joined_columns(parts: Sequence[Rows]) -> tuple[Sequence[Hashable] | None, int, list[Any]]:
    """The names and the number of all columns, and the indices of each part in these columns."""
    width = max((part.width for part in parts), default=0)
    indices: list[NDArray[Any]] = [part.indices for part in parts]
    shared = parts[0].names if parts else None
    if all(part.names is shared for part in parts):  # of a table that grows, the latest has most
        return shared, width, indices
    if all(part.names == range(part.width) for part in parts):
        return range(width), width, indices
    place: dict[Hashable, int] = {}
    for i, part in enumerate(parts):
        own: Sequence[Hashable] = range(part.width) if part.names is None else part.names
        if getattr(own, "grows", False):  # a table, with the names of many other rows
            occur, indices[i] = np.unique(part.indices, return_inverse=True)
            own = [own[column] for column in occur.tolist()]
        columns = [place.setdefault(name, len(place)) for name in own]
        indices[i] = np.array(columns, np.int32)[indices[i]]
    return list(place), len(place), indices


def _joined_items(parts: Sequence[Rows], name: str) -> Any:
    """What there is for each row, if all parts have it; rows without weights weigh 1."""
    items = [getattr(part, name) for part in parts]
    if name == "weights" and any(each is not None for each in items):
        items = [np.ones(len(p)) if w is None else w for p, w in zip(parts, items, strict=True)]
    return np.concatenate(items) if parts and all(each is not None for each in items) else None


def _joined_decisions(parts: Sequence[Rows]) -> Any:
    """The decisions of all parts; in a field that two decided, the first counts."""
    decisions = [part.schema for part in parts if part.schema is not None]
    if not decisions:
        return None
    kinds: dict[Hashable, str] = {}
    for each in decisions:
        for name, kind in each.kinds.items():
            kinds.setdefault(name, kind)
    return decisions[0]._replace(kinds=kinds)
