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


def test_names_are_in_order_of_first_sight_and_rows_keep_their_order():
    rows = as_rows([{"b": 1, "a": 2}, {"c": 3, "b": 4}])
    assert rows.names == ["b", "a", "c"]
    assert rows.indices.tolist() == [0, 1, 2, 0]
    assert rows.indptr.tolist() == [0, 2, 4]


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
        as_float = "inf" if isinstance(bad, np.float32 | Decimal) else repr(bad)
        assert repr(bad) in str(error.value) or as_float in str(error.value)


@pytest.mark.parametrize("X", [[{"a": 1}, 5], [{"a": 1}, None], [{"a": 1}, [("a", 1)]], iter([3])])
def test_a_row_that_is_no_dict_is_named(X):
    with pytest.raises(InputError, match=r"row \d: expected a dict, got"):
        as_rows(X)


def test_one_dict_is_not_a_list_of_dicts():
    with pytest.raises(InputError, match="learn_one"):
        as_rows({"a": 1.0})
