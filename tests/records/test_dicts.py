"""Rows as dicts."""

from __future__ import annotations

import math
from collections import UserDict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from braided import InputError, as_rows
from tests.support.made_rows import bad_values, dicts

pd = pytest.importorskip("pandas")


def test_a_missing_key_none_and_nan_are_unobserved_and_zero_is_not():
    X = [{"a": 0, "b": None}, {}, {"b": math.nan, "c": -0.0, "d": pd.NA, "e": Decimal("NaN")}]
    assert dicts(X) == [{"a": 0.0}, {}, {"c": 0.0}]


@pytest.mark.parametrize(
    "kind",
    [list, tuple, iter, lambda X: (x for x in X), lambda X: map(UserDict, X), np.array, pd.Series],
)
def test_any_sequence_or_iterable_of_mappings(kind):
    assert dicts(kind([{"a": 1}, {"b": 2, "a": 3}])) == [{"a": 1.0}, {"b": 2.0, "a": 3.0}]


@pytest.mark.parametrize("X", [[], (), iter([]), [{}][:0]])
def test_no_dicts_are_no_rows(X):
    rows = as_rows(X, [])
    assert (len(rows), rows.width, rows.names, rows.labels.size) == (0, 0, [], 0)


@pytest.mark.parametrize("more", [{}, {"d": None}, {"d": "NA"}], ids=str)
def test_rows_are_in_the_order_of_names_and_columns_in_that_of_first_sight(more):
    rows = as_rows([{"c": 1, "b": 2, **more}, {"c": 3, "a": 4}])
    assert rows.names == ["b", "c", "a"]
    assert rows.indices.tolist() == [0, 1, 2, 1]
    assert rows.values.tolist() == [2, 1, 4, 3]
    assert rows.indptr.tolist() == [0, 2, 4]


def test_names_of_different_types_are_in_one_order_however_keys_come():
    x = {"b": 1, 10: 2, "a": 3, 9: 4, ("t", 1): 5, None: 6}
    expected = [(None, 6), (9, 4), (10, 2), ("a", 3), ("b", 1), (("t", 1), 5)]
    for keys in (x, reversed(x), sorted(x, key=str)):
        [row] = dicts([{key: x[key] for key in keys}])
        assert sorted(row.items(), key=repr) == sorted(expected, key=repr)
        assert list(row) == list(dicts([x])[0])


@pytest.mark.parametrize(
    "value",
    [
        True, 3, 2**53 + 1, 2**63, 2**70, 1e100, 5e-324, Decimal("0.1"), Fraction(1, 3),
        np.float32(0.1), np.int8(-3), np.uint64(2**64 - 1), np.bool_(1), np.longdouble(0.1),
        np.array(2.5),
    ],
    ids=repr,
)  # fmt: skip
def test_whatever_is_a_number_is_its_nearest_float(value):
    assert dicts([{"a": value}]) == [{"a": float(value)}]
    assert dicts([{"a": value, "b": 0.5, "c": None, "d": -1}])[0]["a"] == float(value)


@bad_values
def test_a_bad_value_in_a_dict_is_named(bad):
    for row in (
        {"a": bad},
        {"a": bad, "b": 1.0},
        {"b": None, "a": bad},
        {"b": "x" and 1, "a": bad},
    ):
        with pytest.raises(InputError, match="row 1, feature 'a': ") as error:
            as_rows([{"a": 1}, row])
        shown = "inf" if repr(bad) in ("np.float32(inf)", "Decimal('1E+500')") else repr(bad)
        assert f"feature 'a': {shown[:60]}" in str(error.value)
        assert " is not allowed (" in str(error.value)


@pytest.mark.parametrize(
    ("value", "features"),
    [
        ("text", {"a=text": 1.0}),
        ("1", {"a": 1.0}),
        ("", {}),
        ([1.5], {"a.0": 1.5}),
        ((1.5,), {"a.0": 1.5}),
        (np.array([1.0, 2.0]), {"a.0": 1.0, "a.1": 2.0}),
        ({"x": 1}, {"a.x": 1.0}),
        (np.datetime64("2020-01-01"), {"a=2020-01-01": 1.0}),
        (pd.Timestamp("2020-01-01"), {"a=2020-01-01T00:00:00": 1.0}),
        (np.timedelta64(1500, "ms"), {"a": 1.5}),
    ],
    ids=repr,
)
def test_other_values_where_a_number_was_first(value, features):
    assert dicts([{"a": 1}, {"a": value}]) == [{"a": 1.0}, features]


@pytest.mark.parametrize("X", [[{"a": 1}, 5], [{"a": 1}, None], [{"a": 1}, [("a", 1)]], iter([3])])
def test_a_row_that_is_no_dict_is_named(X):
    with pytest.raises(InputError, match=r"row \d: expected a dict, got"):
        as_rows(X)


def test_one_dict_is_not_a_list_of_dicts():
    with pytest.raises(InputError, match="learn_one"):
        as_rows({"a": 1.0})
