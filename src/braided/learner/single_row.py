"""SingleRow: buffers through which a single dict quickly reaches the compiled loops."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
from numba import typeof
from numpy.typing import NDArray

from braided.compiled import loops
from braided.compiled.python_api import WORKS
from braided.features.columns import Columns
from braided.kernels.numerics import all_usable
from braided.learner.dict_reader import DictReader
from braided.records.kinds import CATEGORY, FLAG, IGNORE, NUMBER, as_category
from braided.records.schema import Schema, sorted_names

__all__ = ["NOT_A_NUMBER", "QuickFields", "SingleRow", "in_order", "write_values"]

NOT_A_NUMBER = (struct.error, TypeError, ValueError, OverflowError)

_COMPLEX = frozenset((np.complex64, np.complex128, np.clongdouble))
"""Types of which struct would write the real part; one sum finds them quickly."""

_NUMBERS = {int, float}
_OFTEN = 2
"""A plan takes longer than a record: one is made when so many had the same names."""
MANY = 64
"""Compiled code reads records when there were so many: for fewer it would not pay to compile."""
_MOST_VALUES = 4096
"""The values of a category whose columns are remembered; beyond it they are forgotten."""


class QuickFields:
    """Which fields of a record reach the kernels quickly: numbers, flags and categories.

    For each field of categories there is a table from texts to columns. All else takes the way
    through ``records.Converter``, which these tables only repeat.

    Parameters
    ----------
    schema : Schema
        The schema of the model.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._missing = schema.missing
        self._roles = schema.roles
        self._tables: dict[Hashable, dict[str, int]] = {}

    def are_numbers(self, names: Collection[Hashable]) -> bool:
        """Return whether no field is known to be anything else than a number."""
        kinds, roles = self.schema.kinds, self._roles  # most models have learned numbers only
        if self.schema.declared or (kinds and not kinds.keys().isdisjoint(names)):
            return False
        return not roles or roles.keys().isdisjoint(names)

    @property
    def all_are_numbers(self) -> bool:
        """Whether no field is known to be anything else than a number."""
        schema = self.schema
        return not (schema.declared or schema.kinds or self._roles)

    def hold_numbers(self, x: Mapping[Hashable, Any]) -> bool:
        """Return whether a row holds plain numbers, of which none can be another kind."""
        types = {*map(type, x.values())}
        return types <= _NUMBERS and self.are_numbers(x)

    def kind(self, name: Hashable) -> str:
        """Return the kind of a field; number if none is known."""
        if name in self._roles:
            role = self._roles[name]
            return role if role == "weight" else IGNORE  # a row with a weight is no quick one
        return self.schema.kind(name) or NUMBER

    def table(self, name: Hashable) -> dict[str, int]:
        """Return the columns of a category's texts, as far as they are known."""
        return self._tables.setdefault(name, {})

    def remember(self, x: Mapping[Hashable, Any], columns: Columns) -> None:
        """Remember the columns of the categories of a record."""
        for name, value in x.items():
            if type(value) is str and self.schema.kind(name) == CATEGORY:
                text = value.strip()
                column = columns.get(as_category(name, text))
                # A tag in a list may be called "NA"; a text alone that says so is unobserved.
                if column is not None and text.lower() not in self._missing:
                    table = self.table(name)
                    if len(table) >= _MOST_VALUES:
                        table.clear()
                    table[value] = column

    def forget(self) -> None:
        """Forget all columns, since they have other numbers."""
        for table in self._tables.values():
            table.clear()


class SingleRow:
    """Buffers for one row, which are used again for each row.

    ``struct`` fills a buffer in a fraction of the time that NumPy needs to make an array of a short
    list. Names are looked up only if they differ from those of the last row: often the same row is
    predicted and then learned, and often all rows have the same names.
    """

    __slots__ = (
        "_categories",
        "_columns",
        "_dicts",
        "_filled",
        "_learn",
        "_names",
        "_order",
        "_score",
        "_times",
        "_values_of",
        "_write_indices",
        "_write_values",
        "fits",
        "indices",
        "indptr",
        "label",
        "score_before",
        "values",
        "weight",
    )

    def __init__(self, state: Any, parameters: Any, scores: NDArray[np.float64]) -> None:
        self.indptr = np.zeros(2, np.int64)
        self.indices = np.empty(16, np.int32)
        self.values = np.empty(16, np.float64)
        self.label = np.ones(1)
        self.weight = np.ones(1)
        self.score_before = scores
        self.fits = type(state)
        self._names: list[Hashable] | None = None
        self._dicts: DictReader | None = None
        self._filled = 0  # how many records Python has read
        self._order: list[Hashable] = []
        self._times = 0  # how many records had these names
        self._columns: list[int] = []
        self._categories: list[tuple[int, dict[str, int]]] = []
        self._values_of: Callable[[Any], Any] = dict.values
        self._write_indices, self._write_values = _writers(0)
        scoring = (state, parameters, self.indptr, self.indices, self.values)
        learning = (*scoring, self.label, self.weight, self.score_before)
        self._learn = _specialised(loops.learn_rows, *learning)
        self._score: Callable[..., int] | None = None  # many only learn

    def fill(self, x: dict[Hashable, Any], columns: Columns, fields: QuickFields) -> bool:
        """Write a record to the buffers; return False if a value is no number (NaN and inf are).

        Raises KeyError for a name or a category without a column, and for a field that is neither
        a number nor a category.
        """
        dicts = self._dicts
        if dicts is not None and (
            dicts.read(id(x), dicts.keys, self.values, self.indices)
            or self._planned(x, dicts, columns, fields)
        ):
            return True
        names = [*x]
        if names != self._names:
            self._prepare(names, columns, fields)
        elif dicts is not None and self._times == _OFTEN:
            self._plan(names, dicts)
        self._times += 1
        self._filled += 1
        if self._filled == MANY and WORKS:
            self._dicts, self._times = DictReader(), 0
        values = self._values_of(x)
        try:
            if self._categories:
                values, found = [*values], self._columns
                for place, table in self._categories:
                    found[place] = table[values[place]]
                    values[place] = 1.0
                self._write_indices(self.indices, 0, *found)
            if type(sum(values, 0.0)) in _COMPLEX:
                return False
            self._write_values(self.values, 0, *values)
        except NOT_A_NUMBER:
            return False
        return True

    def _planned(
        self,
        x: dict[Hashable, Any],
        dicts: DictReader,
        columns: Columns,
        fields: QuickFields,
    ) -> bool:
        """Write a record of other names than the last one, if all are known to be numbers."""
        if not fields.all_are_numbers:
            return False
        self._forget()
        self._make_room(len(x))
        if not dicts.plan_numbers(x, columns.table, self.indices):
            return False
        self.indptr[1] = len(x)
        return dicts.read(id(x), dicts.keys, self.values, self.indices)

    def _prepare(self, names: list[Hashable], columns: Columns, fields: QuickFields) -> None:
        """Find the columns of names; they serve all records with the same names."""
        order = sorted_names(names)
        categories: list[tuple[int, dict[str, int]]] = []
        found: Sequence[int]
        if fields.are_numbers(order):
            values_of = _getter(order)
            found = columns.of(order)
        else:
            kinds = [fields.kind(name) for name in order]
            order = [n for n, kind in zip(order, kinds, strict=True) if kind != IGNORE]
            found = self._columns = []
            for name, kind in zip(order, (kind for kind in kinds if kind != IGNORE), strict=True):
                if kind == CATEGORY:
                    categories.append((len(found), fields.table(name)))
                    found.append(0)
                elif kind in (NUMBER, FLAG):
                    found.append(columns[name])
                else:
                    raise KeyError(name)
            values_of = _getter(order)
        self._write_columns(found)
        self._categories = categories
        self._values_of = dict.values if order == names else values_of
        self._names = names
        self._order, self._times = order, 0

    def _plan(self, names: list[Hashable], dicts: DictReader) -> None:
        """Let compiled code read the next records with these names."""
        place_of = {name: place for place, name in enumerate(self._order)}
        places = [place_of.get(name, -1) for name in names]
        dicts.plan(names, places, dict(self._categories))

    def _write_columns(self, found: Sequence[int]) -> None:
        self._forget()  # until all of them are written, the buffers fit no names
        self._make_room(len(found))
        self._write_indices, self._write_values = _writers(len(found))
        self._write_indices(self.indices, 0, *found)
        self.indptr[1] = len(found)

    def fill_features(self, features: Mapping[Hashable, float], columns: Columns) -> None:
        """Write numbers by the names of features, in their order; KeyError for one unknown."""
        self._write_columns(columns.of([*features]))
        self._write_values(self.values, 0, *features.values())

    def forget_names(self) -> None:
        """Look up names again for the next row, since columns have other numbers."""
        self._forget()

    def _forget(self) -> None:
        self._names = None
        if self._dicts is not None:
            self._dicts.forget()

    def fit_like(self, other: SingleRow) -> None:
        """Fit the state that another row fits; what is in the buffers stays."""
        self.fits, self.score_before = other.fits, other.score_before
        self._learn, self._score = other._learn, other._score

    def can_hold(self, x: Mapping[Hashable, Any]) -> bool:
        """Return whether all values are numbers, observed and in range, and no name is NaN."""
        if any(name != name for name in x):
            return False
        self._make_room(len(x))
        try:
            write_values(self.values, x.values())
        except NOT_A_NUMBER:
            return False
        return all_usable(self.values[: len(x)])

    def is_usable(self) -> bool:
        """Return whether all values in the buffers are observed and in range."""
        return all_usable(self.values[: self.indptr[1]])

    def _make_room(self, size: int) -> None:
        if size > self.indices.size:
            self.indices = np.empty(2 * size, np.int32)
            self.values = np.empty(2 * size, np.float64)
            self._forget()

    def learn(self, state: Any, parameters: Any, sign: float) -> bool:
        """Learn the row in the buffers; return False if a value is not usable."""
        self.label[0] = sign
        learned = self._learn(
            state,
            parameters,
            self.indptr,
            self.indices,
            self.values,
            self.label,
            self.weight,
            self.score_before,
        )
        return learned == 1

    def label_and_learn(self, state: Any, parameters: Any, sign: float, confidence: float) -> bool:
        """As ``learn``; NaN stands for the model's own prediction, if it is confident enough."""
        self.label[0] = sign
        scoring = (state, parameters, self.indptr, self.indices, self.values)
        learning = (*scoring, self.label, self.weight, self.score_before)
        return loops.label_rows(*learning, confidence) == 1

    def score(self, state: Any, parameters: Any) -> Any:
        """Return the score of the row in the buffers; None if a value is not usable."""
        scoring = (state, parameters, self.indptr, self.indices, self.values, self.score_before)
        if self._score is None:
            self._score = _specialised(loops.score_rows, *scoring)
        scored = self._score(*scoring)
        return self.score_before.tolist()[0] if scored else None


def in_order(x: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
    """The same row in the order of its names, so that the order of keys means nothing."""
    names = [*x]
    order = sorted_names(names)
    return {name: x[name] for name in order} if order != names else dict(x)


def write_values(array: NDArray[np.float64], values: Collection[Any]) -> None:
    """Write values to an array; raise one of NOT_A_NUMBER if one is no number."""
    if type(sum(values, 0.0)) in _COMPLEX:
        raise TypeError("a complex number")
    _writers(len(values))[1](array, 0, *values)


def _getter(names: list[Hashable]) -> Callable[[Any], Any]:
    """A function that returns the values of these names, in their order."""
    if len(names) < 2:  # where an itemgetter returns no tuple
        return lambda mapping: [mapping[name] for name in names]
    return itemgetter(*names)


@lru_cache(maxsize=4096)
def _writers(size: int) -> tuple[Any, Any]:
    return struct.Struct(f"{size}i").pack_into, struct.Struct(f"{size}d").pack_into


def _specialised(function: Any, *arguments: Any) -> Callable[..., int]:
    """The function compiled for arguments of these types, to be called with no others.

    It skips Numba's search for the version of these types, which for a named tuple of arrays
    takes longer than to learn a short row.
    """
    entry: Callable[..., int] = function.compile(tuple(map(typeof, arguments)))
    return entry
