"""Rows as frames of pandas, polars and Arrow."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pytest

from braided import OLSF, InputError, as_rows
from braided.records import from_columns
from tests.support.made_rows import dicts

pd = pytest.importorskip("pandas")


def test_a_frame_of_every_kind_of_column():
    frame = pd.DataFrame(
        {
            "float": [1.5, math.nan],
            "int": [1, 2],
            "bool": [True, False],
            "Int64": pd.array([None, 3], "Int64"),
            "Float64": pd.array([0.5, None], "Float64"),
            "boolean": pd.array([True, None], "boolean"),
            "text": ["x", None],
            "string": pd.array(["", "y"], "string"),
            "category": pd.Categorical(["u", None]),
            "numbers": pd.Categorical([7, 8]),
            "mixed": [1, "one"],
            "decimal": [Decimal("0.5"), None],
            "nothing": [None, None],
            ("a", 1): [1.0, 0.0],
            3: [2.0, 0.0],
        }
    )
    assert dicts(frame) == [
        {"float": 1.5, "int": 1.0, "bool": 1.0, "Float64": 0.5, "boolean": 1.0, "text=x": 1.0}
        | {"category=u": 1.0, "numbers": 7.0, "mixed": 1.0, "decimal": 0.5, ("a", 1): 1.0, 3: 2.0},
        {"int": 2.0, "bool": 0.0, "Int64": 3.0, "string=y": 1.0, "numbers": 8.0}
        | {"mixed=one": 1.0, ("a", 1): 0.0, 3: 0.0},
    ]


POLARS = pytest.importorskip("polars")
ARROW = pytest.importorskip("pyarrow")


def polars_frame(columns):
    return POLARS.DataFrame(columns, strict=False)


def arrow_batch(columns):
    return ARROW.RecordBatch.from_pydict(columns)


@pytest.mark.parametrize("frame_of", [polars_frame, ARROW.table, arrow_batch, pd.DataFrame])
def test_frames_of_every_library_give_the_same_rows(frame_of):
    frame = frame_of(
        {
            "float": [1.5, None, math.nan],
            "int": [1, None, 2**53 + 1],
            "bool": [True, False, None],
            "text": ["x", None, ""],
            "decimal": [Decimal("0.1"), None, Decimal("2.5")],
            "nothing": [None, None, None],
            "whole": [0, 1, 2],
        }
    )
    assert dicts(frame) == [
        {"float": 1.5, "int": 1.0, "bool": 1.0, "text=x": 1.0, "decimal": 0.1, "whole": 0.0},
        {"bool": 0.0, "whole": 1.0},
        {"int": 2.0**53, "decimal": 2.5, "whole": 2.0},
    ]


def test_categories_of_other_libraries():
    words = ["b", None, "a", "b"]
    expected = [{"c=b": 1.0}, {}, {"c=a": 1.0}, {"c=b": 1.0}]
    assert dicts(ARROW.table({"c": ARROW.array(words).dictionary_encode()})) == expected
    assert (
        dicts(POLARS.DataFrame({"c": POLARS.Series(words, dtype=POLARS.Categorical)})) == expected
    )
    kinds = POLARS.Enum(["a", "b"])
    assert dicts(POLARS.DataFrame({"c": POLARS.Series(words, dtype=kinds)})) == expected


def test_labels_of_other_libraries():
    frame = POLARS.DataFrame({"a": [1.0, 2.0]})
    for y in (
        POLARS.Series(["x", "y"]),
        ARROW.array(["x", "y"]),
        ARROW.chunked_array([["x"], ["y"]]),
    ):
        assert as_rows(frame, y).labels.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (POLARS.DataFrame({"c": [b"x"]}), "row 0, feature 'c': b'x' is not allowed"),
        (ARROW.table({"c": [None, b"x"]}), "row 1, feature 'c': b'x' is not allowed"),
        (ARROW.table({"c": [1.0, math.inf]}), "row 1, feature 'c': inf"),
        (ARROW.table([[1.0], [2.0]], names=["a", "a"]), "different names"),
        (POLARS.LazyFrame({"c": [1]}), "collect it first"),
    ],
)
def test_frames_of_other_libraries_that_are_refused(frame, why):
    with pytest.raises(InputError, match=why):
        as_rows(frame)


@pytest.mark.parametrize(
    ("cells", "features"),
    [
        ([[1, 2]], {"c.0": 1.0, "c.1": 2.0}),
        ([["x", "y", "x"]], {"c=x": 2.0, "c=y": 1.0}),
        ([{"x": 1, "y": "z"}], {"c.x": 1.0, "c.y=z": 1.0}),
        ([date(1970, 1, 3)], {"c": 2.0, "c.weekday=sat": 1.0, "c.month=1": 1.0}),
        (
            [datetime(1970, 1, 2, 6)],
            {"c": 1.25, "c.hour=6": 1.0, "c.weekday=fri": 1.0, "c.month=1": 1.0},
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("frame_of", [POLARS.DataFrame, ARROW.table, pd.DataFrame])
def test_lists_structs_and_dates_mean_what_they_mean_in_a_dict(frame_of, cells, features):
    assert dicts(frame_of({"c": cells})) == [features] == dicts([{"c": cell} for cell in cells])


def test_a_frames_index_is_not_a_feature_and_the_order_of_its_columns_means_nothing():
    frame = pd.DataFrame({"b": [1, 2], "a": [3, 4]}, index=[7, 7])
    rows = as_rows(frame, pd.Series([1, 0], index=[3, 1]))
    assert [list(x.items()) for x in rows.dicts()] == [[("a", 3), ("b", 1)], [("a", 4), ("b", 2)]]
    assert rows.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("column", "why"),
    [
        (pd.period_range("2020", periods=2, freq="Y"), "row 0, feature 'c': Period"),
        (np.array([1, 1j]), r"row 0, feature 'c': \(1\+0j\) is not allowed"),
        ([1.0, math.inf], "row 1, feature 'c': inf"),
        ([None, [math.inf]], "row 1, feature 'c': inf is not allowed"),
        ([1, b"1"], "row 1, feature 'c': b'1'"),
    ],
)
def test_a_frame_with_a_column_that_is_refused(column, why):
    with pytest.raises(InputError, match=why):
        as_rows(pd.DataFrame({"a": [1, 2], "c": column}))


def test_times_of_pandas():
    frame = pd.DataFrame({"c": pd.to_timedelta([1500, None], unit="ms")})
    assert dicts(frame) == [{"c": 1.5}, {}]
    moment = {"c": 1.25, "c.hour=6": 1.0, "c.weekday=fri": 1.0, "c.month=1": 1.0}
    for utc in (False, True):
        frame = pd.DataFrame({"c": pd.to_datetime(["1970-01-02 06:00", None], utc=utc)})
        assert dicts(frame) == [moment, {}]


@pytest.mark.parametrize("columns", [["a", "a"], [1, True], [1, 1.0]])
def test_a_frame_with_two_columns_of_one_name_is_refused(columns):
    with pytest.raises(InputError, match="different names"):
        as_rows(pd.DataFrame([[1.0, 2.0]], columns=pd.Index(columns, dtype=object)))


def test_a_text_and_a_column_that_make_the_same_feature():
    with pytest.raises(InputError, match="'pet=cat' is there twice"):
        as_rows(pd.DataFrame({"pet": ["cat"], "pet=cat": [1.0]}))


def test_frames_without_rows_or_columns():
    rows = as_rows(pd.DataFrame(index=range(3)), [1, 0, 1])
    assert (len(rows), rows.width) == (3, 0)
    rows = as_rows(pd.DataFrame({"a": np.empty(0), "b": np.empty(0, object)}))
    assert (len(rows), rows.values.size) == (0, 0)
    assert OLSF().partial_fit(pd.DataFrame(index=range(3)), [1, 0, 1]).rounds == 3


def test_named_columns_of_lists_and_arrays():
    assert list(from_columns({"a": [1, None], "b": ["x", 5]}).dicts()) == [
        {"a": 1.0, "b=x": 1.0},
        {"b=5": 1.0},  # the first value decided that b is a category
    ]
    masked = np.ma.array([1, 2], mask=[True, False])
    assert list(from_columns({"a": masked}, ["x", "y"]).dicts()) == [{}, {"a": 2.0}]
    assert len(from_columns({})) == 0
    for wrong, why in (
        ({"a": [1, 2], "b": [1]}, "column 'b' has 1 cells; the first has 2"),
        ({"a": 5}, r"column 'a' has shape \(\)"),
        ({"a": [[1, 2]]}, r"column 'a' has shape \(1, 2\)"),
    ):
        with pytest.raises(InputError, match=why):
            from_columns(wrong)
