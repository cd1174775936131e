"""Columns: the fast form gives the rows, decisions and counts that records give."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import InputError, Schema
from braided.records.columns import rows_of_columns
from braided.records.convert import Converter

EAST = timezone(timedelta(hours=2))
cells = st.one_of(
    st.sampled_from([
        None, "", "NULL", "?", "cat", "dog", "two words", "007", "12", "12.0", "$5", "1_0", "yes",
        "2015-09-12", "[1, 2]", '["a"]', "[]", "inf", True, False, 0, 1, 1.0, 0.0, -0.0, 2**60 + 1,
        float("nan"), date(2015, 9, 12), datetime(2015, 9, 12, 8, tzinfo=timezone.utc),
        datetime(2015, 9, 12, 10, tzinfo=EAST), [1, 2], ["a", "b"], (1, True), [{"x": 1}], {"y": 2},
    ]),
    st.floats(-1e100, 1e100),
    st.text(max_size=5).filter(lambda text: all(c < "\ud800" for c in text)),
)  # fmt: skip
arrays = st.one_of(
    st.lists(st.floats(-1e100, 1e100) | st.just(np.nan), min_size=6, max_size=6).map(np.array),
    st.lists(st.integers(-5, 5), min_size=6, max_size=6).map(np.array),
    st.lists(st.booleans(), min_size=6, max_size=6).map(np.array),
)
names = st.sampled_from(["a", "b", "c", "b=cat", "user.x", "é", "w", "z_1"])
columns_by_name = st.dictionaries(names, st.lists(cells, min_size=6, max_size=6) | arrays)
declarations = st.dictionaries(
    names, st.sampled_from(["number", "flag", "category", "text", "date", "tags", "ignore"])
)


def schema_of(declared, strict):
    by_kind = {}
    for name, kind in declared.items():
        by_kind.setdefault(kind, []).append(name)
    return Schema(**by_kind, strict=strict)


def outcome(make):
    """The rows, decisions and counts, or that they were refused."""
    try:
        rows, converter = make()
    except InputError:
        return "refused"
    each = [[(name, repr(v)) for name, v in row.items()] for row in rows.dicts()]
    counts = +converter.observed, +converter.surprises
    return each, converter.decided, counts, rows.checked


@given(columns_by_name, declarations, st.booleans())
def test_columns_give_what_records_give(columns, declared, strict):
    def by_columns():
        converter = Converter(schema_of(declared, strict))
        return rows_of_columns(columns, 6, converter), converter

    def by_records():
        converter = Converter(schema_of(declared, strict))
        lists = {k: c.tolist() if hasattr(c, "tolist") else c for k, c in columns.items()}
        each = [{name: column[row] for name, column in lists.items()} for row in range(6)]
        return converter.rows(each), converter

    assert outcome(by_columns) == outcome(by_records)


@given(columns_by_name, st.randoms())
def test_the_order_of_columns_means_nothing(columns, draws):
    other = dict(draws.sample([*columns.items()], len(columns)))
    found = []
    for each in (columns, other):
        converter = Converter(Schema())
        found.append(outcome(lambda c=converter, e=each: (rows_of_columns(e, 6, c), c)))
    assert found[0] == found[1]


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(InputError, match="column 'b' has 1 cells; the first has 2"):
        rows_of_columns({"a": [1, 2], "b": [1]}, 2, Converter(Schema()))


def test_a_column_of_no_known_type_is_refused():
    with pytest.raises(InputError, match="column 'a' holds complex128: expected numbers"):
        rows_of_columns({"a": np.array([1j])}, 1, Converter(Schema()))
    rows = rows_of_columns({"a": np.array([1j])}, 1, Converter(Schema(ignore="a")))
    assert list(rows.dicts()) == [{}]
