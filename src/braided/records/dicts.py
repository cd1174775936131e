"""Dicts as rows: a missing key, None, NaN and texts that mean missing are unobserved."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.kernels.numerics import LARGEST_VALUE
from braided.records.convert import Converter
from braided.records.kinds import NUMBER
from braided.records.schema import sorted_names
from braided.rows.rows import Rows, offsets
from braided.rows.validation import NO_NAME, holds_nan

__all__ = ["from_dicts", "holds_dicts"]

_NUMBERS = {int, float}


def holds_dicts(X: Any) -> bool:
    """Whether X is to be read as dicts, by its first row: an empty list is."""
    if getattr(X, "ndim", 1) != 1 or isinstance(X, str | bytes):
        return False
    if isinstance(X, Sequence | np.ndarray):
        is_list = isinstance(X, Sequence)
        return isinstance(X[0], Mapping) if len(X) else is_list
    return isinstance(X, Iterable)


def from_dicts(dicts: Sequence[Mapping[Hashable, Any]], converter: Converter) -> Rows:
    """Rows from dicts: records of any kind, or numbers by the names of features."""
    rows = _of_numbers(dicts, converter)
    return converter.rows(dicts) if rows is None else rows


def _of_numbers(dicts: Sequence[Mapping[Hashable, Any]], converter: Converter) -> Rows | None:
    """Rows from dicts that hold numbers only; None if one does not, or a field is no number.

    It gives the same rows as ``converter.rows``, in a fraction of the time.
    """
    schema = converter.schema
    if schema.roles or schema.declared:
        return None
    if not {*map(type, dicts)} <= {dict}:
        return None
    cells = list(chain.from_iterable(x.values() for x in dicts))
    if not {*map(type, cells)} <= _NUMBERS:
        return None
    names: list[Hashable] = []
    given: list[Hashable] = []
    order: list[Hashable] = []
    values: list[Any] = []
    for x in dicts:
        keys = [*x]
        if keys != given:
            given, order = keys, sorted_names(keys)
        names += order
        values += x.values() if order == given else map(x.__getitem__, order)
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:  # which row it is, the other way tells
        return None
    if not (np.abs(numbers) <= LARGEST_VALUE).all():
        return None
    columns = {name: column for column, name in enumerate(dict.fromkeys(names))}
    if holds_nan(columns):
        raise InputError(NO_NAME)
    for name in columns:
        kind = converter.known_kind(name)
        if kind is None:
            converter.decide(name, NUMBER)
        elif kind != NUMBER:
            return None
    counts = np.fromiter(map(len, dicts), np.int64, len(dicts))
    indices = np.fromiter(map(columns.__getitem__, names), np.int32, numbers.size)
    rows = Rows(offsets(counts), indices, numbers, len(columns), list(columns)).marked()
    return rows.with_arrays(schema=converter.decisions)
