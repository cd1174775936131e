"""Labels beside rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from braided import InputError, as_rows

pd = pytest.importorskip("pandas")


def labels(y, n=2):
    return as_rows([{}] * n, y).labels


@pytest.mark.parametrize(
    "y",
    [
        [1, 0],
        (1, 0),
        np.array([1, 0]),
        pd.Series([1, 0]),
        pd.array([1, 0], "Int64"),
        pd.Index([1, 0]),
        ["x", "y"],
        np.array(["x", "y"]),
        pd.Series(["x", "y"], dtype="category"),
        [True, False],
    ],
    ids=lambda y: type(y).__name__,
)
def test_labels_from_lists_arrays_and_series(y):
    assert labels(y).tolist() == list(y)


def test_labels_of_different_types_stay_what_they_are():
    assert labels([1, "a"]).tolist() == [1, "a"]
    assert labels(["a", 1.5]).tolist() == ["a", 1.5]
    assert labels([None, "a"]).tolist() == [None, "a"]
    assert labels([b"a", "a"]).tolist() == [b"a", "a"]
    assert labels(np.ma.array([1, 2], mask=[False, True]))[1] != 2


def test_labels_in_a_column_are_taken_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert labels(np.array([[1], [0]])).tolist() == [1, 0]
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert labels(pd.DataFrame({"y": [1, 0]})).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "why"),
    [
        ([1], "1 labels for 2 rows"),
        ([1, 0, 1], "3 labels for 2 rows"),
        ([[1, 0], [0, 1]], "one value per row"),
        ([[1], [0]], "one value per row"),
        ([[1], [1, 2]], "different lengths"),
        (5, "one value per row"),
        ("ab", "one value per row"),
        ({1: 0}, "one value per row"),
        (iter([1, 0]), "one value per row"),
    ],
)
def test_labels_of_a_wrong_shape_or_number_are_refused(y, why):
    with pytest.raises(InputError, match=why):
        labels(y)


def test_new_labels_replace_those_of_rows():
    rows = as_rows([{"a": 1}, {"b": 1}], [1, 0])
    assert as_rows(rows) is rows
    assert as_rows(rows, ["x", "y"]).labels.tolist() == ["x", "y"]
    assert rows.labels.tolist() == [1, 0]
