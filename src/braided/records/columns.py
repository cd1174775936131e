"""Named columns become rows: frames, CSV files and batches of Arrow, a column at a time.

The meaning is that of ``Converter.read`` for each row as a record; this is its fast form, in which
each different value of a column is converted once.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.kernels.numerics import LARGEST_VALUE
from braided.records.coded import Coded
from braided.records.convert import Converter
from braided.records.keyed import Keyed
from braided.records.kinds import FLAG, IGNORE, NUMBER
from braided.records.schema import Schema, sorted_names
from braided.records.values import NotAllowed
from braided.rows.rows import Rows, offsets
from braided.rows.validation import clean

__all__ = ["Cells", "from_columns", "rows_of_columns"]

Cells = NDArray[Any] | Coded | Keyed | Sequence[Any]


class _Column(NamedTuple):
    """The entries of a column: how many each row has, their features and their values."""

    counts: NDArray[np.int64] | None  # None: one for each row, NaN where it is unobserved
    indices: NDArray[np.int32]
    values: NDArray[np.float64]

    @property
    def observed(self) -> int:
        """In how many rows there is something."""
        if self.counts is None:
            return int(np.count_nonzero(~np.isnan(self.values)))
        return int(np.count_nonzero(self.counts))


def from_columns(columns: Mapping[Any, Any], labels: Any = None) -> Rows:
    """Make rows from named columns of one length.

    Parameters
    ----------
    columns : mapping
        The cells of each column, by name.
    labels : array-like, optional
        A label for each row.

    Returns
    -------
    Rows
        The rows, checked.

    Examples
    --------
    >>> rows = from_columns({"age": [31.0, float("nan")], "pet": ["cat", "dog"]})
    >>> list(rows.dicts())
    [{'age': 31.0, 'pet=cat': 1.0}, {'pet=dog': 1.0}]
    """
    from braided.rows.validation import as_array, with_labels

    arrays = {name: as_array(column) for name, column in columns.items()}
    for name, array in arrays.items():
        if array.ndim != 1:
            raise InputError(f"column {name!r} has shape {array.shape}: expected one cell per row")
    n = next((len(array) for array in arrays.values()), 0)
    return with_labels(rows_of_columns(arrays, n, Converter(Schema())), labels)


def rows_of_columns(
    columns: Mapping[Any, Cells], n: int, converter: Converter, *, by_name: bool = True
) -> Rows:
    """Make rows from columns.

    Parameters
    ----------
    columns : mapping
        The cells of each column, by name: an array of numbers, or values of any kind, plain or
        coded.
    n : int
        The number of rows.
    converter : Converter
        Decides what cells mean.
    by_name : bool, default True
        Whether the entries of a row are in the order of names, so that the order of columns means
        nothing; else they are in the order of the columns.

    Returns
    -------
    Rows
        The rows, checked, with labels, weights, keys and decisions.
    """
    for name, cells in columns.items():
        if len(cells) != n:
            raise InputError(f"column {name!r} has {len(cells)} cells; the first has {n}")
    if any(isinstance(cell, Mapping) for cells in columns.values() for cell in _objects(cells)):
        return converter.rows(_records(columns, n))
    if _overlap(columns):
        return converter.rows(_records(columns, n))
    roles: dict[str, Any] = {
        role: columns[field] for field, role in converter.schema.roles.items() if field in columns
    }
    place: dict[Hashable, int] = {}
    parts: dict[Hashable, _Column] = {}
    for field, cells in columns.items():
        if field in converter.schema.roles:
            continue
        if isinstance(cells, Keyed) and not _skipped(field, cells, converter):
            if not cells.fits(field, converter):
                return _one_by_one(columns, n, converter)
            parts[cells.sort_key(field)] = _Column(*cells.entries(field, converter, place))
            continue
        before, part = len(place), _column(field, cells, converter, place)
        if part is None:
            continue
        parts[field] = part
        if converter.known_kind(field) is not None:  # the fields of objects in a list have kinds
            converter.kind(field, None)  # one that was declared is settled now that it is observed
        converter.observed[field] += part.observed
        if part.indices.size and part.indices.min(initial=before) < before:
            # Two columns have a feature of one name; it may be there twice in a row.
            return _one_by_one(columns, n, converter)
    in_order = [parts[field] for field in (sorted_names(parts) if by_name else parts)]
    rows = _assembled(in_order, n, list(place))
    roles |= {role: cells.tolist() for role, cells in roles.items() if isinstance(cells, Keyed)}
    each = [{role: cells[row] for role, cells in roles.items()} for row in range(n)]
    return converter.with_roles(rows, each)


def _one_by_one(columns: Mapping[Any, Cells], n: int, converter: Converter) -> Rows:
    """Begin again, and read each row as a record."""
    converter.surprises.clear()
    converter.observed.clear()
    return converter.rows(_records(columns, n))


def _skipped(field: Hashable, cells: Keyed, converter: Converter) -> bool:
    """Whether a field is ignored; then it is noted that there was something in it."""
    if converter.known_kind(field) != IGNORE:
        return False
    if cells.values.size:
        converter.kind(field, None)
    return True


def _overlap(columns: Mapping[Any, Cells]) -> bool:
    """Whether a column is called as a key inside another one may be: ``x.a`` beside ``x``."""
    prefixes = tuple(f"{field}." for field, cells in columns.items() if isinstance(cells, Keyed))
    return bool(prefixes) and any(str(field).startswith(prefixes) for field in columns)


def _objects(cells: Cells) -> Sequence[Any]:
    """The cells, if there may be objects among them."""
    if isinstance(cells, Coded | Keyed):
        return ()
    if isinstance(cells, np.ndarray):
        return cells.tolist() if cells.dtype.kind == "O" else ()
    return cells if cells and not isinstance(cells[0], str) else ()


def _records(columns: Mapping[Any, Cells], n: int) -> list[dict[Any, Any]]:
    made = np.ndarray | Coded | Keyed
    lists = {k: c.tolist() if isinstance(c, made) else c for k, c in columns.items()}
    return [{name: cells[row] for name, cells in lists.items()} for row in range(n)]


def _column(
    field: Hashable, cells: Cells, converter: Converter, place: dict[Hashable, int]
) -> _Column | None:
    """The entries of a column; None if it has none."""
    if isinstance(cells, Keyed):
        return None
    if converter.known_kind(field) == IGNORE:
        each = cells.values if isinstance(cells, Coded) else cells
        if any(map(converter.is_observed, each)):
            converter.kind(field, None)
        return None
    if isinstance(cells, np.ndarray):
        if cells.dtype.kind in "biuf":
            return _of_numbers(field, cells, converter, place)
        if cells.dtype.kind == "M":
            return _of_values(field, Coded.of_cells(list(cells)), converter, place)
        if cells.dtype.kind not in "OUT":
            raise InputError(f"column {field!r} holds {cells.dtype}: expected {_EXPECTED}")
    if isinstance(cells, Coded):
        return _of_values(field, cells, converter, place)
    values: Sequence[Any] = cells.tolist() if isinstance(cells, np.ndarray) else cells
    if converter.known_kind(field) == NUMBER:
        found = _numbers(values, converter)
        if found is not None:
            return _single(field, found, place)
    return _of_values(field, Coded.of_cells(values), converter, place)


_PLAIN_CELLS = {str, int, float, bool}
_EXPECTED = "numbers, texts, true or false, dates or lists"


def _of_numbers(
    field: Hashable, cells: NDArray[Any], converter: Converter, place: dict[Hashable, int]
) -> _Column | None:
    kind = converter.known_kind(field)
    if kind is None:
        if np.isnan(cells).all():
            return None
        kind = converter.decide(field, FLAG if cells.dtype.kind == "b" else NUMBER)
    if kind not in (NUMBER, FLAG):
        return _of_values(field, Coded.of_numbers(cells), converter, place)
    return _single(field, cells.astype(np.float64), place)


def _single(
    field: Hashable, values: NDArray[np.float64], place: dict[Hashable, int]
) -> _Column | None:
    if np.isnan(values).all():  # a feature that was not observed has no column
        return None
    column = place.setdefault(field, len(place))
    return _Column(None, np.full(values.size, column, np.int32), values)


def _numbers(cells: Sequence[Any], converter: Converter) -> NDArray[np.float64] | None:
    """The cells of a column of numbers; None if some are no plain ones."""
    if not {*map(type, cells)} <= _PLAIN_CELLS:
        return None
    try:
        values = np.array([float(cell) if cell != "" else np.nan for cell in cells])
    except (TypeError, ValueError, OverflowError):
        return None
    too_large = np.abs(values) > LARGEST_VALUE
    if too_large.any() or any(type(cell) is str and "_" in cell for cell in cells):
        return None
    for cell in (cells[row] for row in np.flatnonzero(np.isnan(values)).tolist()):
        if type(cell) is str and not converter.is_missing(cell.strip()):  # -nan is not "nan"
            return None
    return values


def _of_values(
    field: Hashable, cells: Coded, converter: Converter, place: dict[Hashable, int]
) -> _Column | None:
    """Convert each different cell once."""
    indices: list[int] = []
    values: list[float] = []
    ends = [0]
    surprises, times = converter.surprises, None
    before = surprises.copy()
    for code, value in enumerate(cells.values):
        try:
            pairs = converter.pairs(field, value)
        except NotAllowed as error:
            raise InputError(f"row {cells.first[code]}, {error}") from None
        if surprises != before:  # what surprises is counted in each cell
            times = np.bincount(cells.codes) if times is None else times
            for surprised, count in (surprises - before).items():
                surprises[surprised] += count * (int(times[code]) - 1)
            before = surprises.copy()
        indices += [place.setdefault(name, len(place)) for name, _ in pairs]
        values += [number for _, number in pairs]
        ends.append(len(indices))
    if not indices:
        return None
    each = Rows(np.array(ends, np.int64), np.array(indices, np.int32), np.array(values), len(place))
    found = each[cells.codes]
    return _Column(np.diff(found.indptr), found.indices, found.values)


def _assembled(parts: list[_Column], n: int, names: list[Hashable]) -> Rows:
    """The rows of columns, one beside another."""
    if not parts:
        nothing = np.empty(0, np.int32), np.empty(0)
        return Rows(np.zeros(n + 1, np.int64), *nothing, 0, []).marked()
    if all(part.counts is None for part in parts):
        indices = np.stack([part.indices for part in parts], axis=1).ravel()
        values = np.stack([part.values for part in parts], axis=1).ravel()
        indptr = np.arange(n + 1, dtype=np.int64) * len(parts)
        return clean(Rows(indptr, indices, values, len(names), names))
    counts = [np.ones(n, np.int64) if part.counts is None else part.counts for part in parts]
    total = np.sum(counts, axis=0)
    indptr = offsets(total)
    indices, values = np.empty(indptr[-1], np.int32), np.empty(indptr[-1])
    begin = indptr[:-1].copy()  # where the entries of the next column go, in each row
    for part, count in zip(parts, counts, strict=True):
        own = offsets(count)
        targets = np.repeat(begin - own[:-1], count) + np.arange(own[-1])
        indices[targets], values[targets] = part.indices, part.values
        begin += count
    return clean(Rows(indptr, indices, values, len(names), names))
