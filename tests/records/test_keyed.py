"""Maps, lists and structs of Arrow mean what the objects of JSON lines do, without loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import InputError, Schema, as_rows
from tests.support.every_learner import few

pa = pytest.importorskip("pyarrow")

numbers = st.floats(-10, 10, allow_nan=False)
maps = st.dictionaries(
    st.sampled_from(["a", "b", "c!", "z", "a.b", "10", "9"]), st.none() | numbers
)
KINDS = {
    "m": pa.map_(pa.string(), pa.float64()),
    "v": pa.list_(pa.float64()),
    "s": pa.struct({"p": pa.float64(), "q": pa.struct({"r": pa.float64()})}),
    "n": pa.float64(),
}
records = st.fixed_dictionaries(
    {
        "m": st.none() | maps,
        "v": st.none() | st.lists(numbers, max_size=4),
        "s": st.none() | st.fixed_dictionaries({"p": numbers, "q": st.none()}),
        "n": st.none() | numbers,
    }
)


def table(rows, kinds=KINDS):
    return pa.table(
        {
            name: pa.array(
                [
                    list(row[name].items())
                    if isinstance(row[name], dict) and pa.types.is_map(kind)
                    else row[name]
                    for row in rows
                ],
                kind,
            )
            for name, kind in kinds.items()
        }
    )


def same(one, other):
    assert [list(x.items()) for x in one.dicts()] == [list(x.items()) for x in other.dicts()]


@few
@given(st.lists(records, max_size=12), st.integers(0, 3))
def test_a_batch_means_what_its_records_mean(rows, start):
    frame, schema = table(rows), Schema()
    same(as_rows(frame, schema=schema), as_rows(rows, schema=schema))
    same(as_rows(frame.slice(start)), as_rows(rows[start:]))
    for batch in frame.to_batches():
        found, expected = as_rows(batch), as_rows(rows)
        assert found.schema.kinds == expected.schema.kinds


def test_keys_may_be_numbers_and_values_counts():
    kinds = {"m": pa.map_(pa.int32(), pa.int64())}
    frame = table([{"m": {3: 1, 1: 2}}, {"m": {10: 5}}], kinds)
    assert list(as_rows(frame).dicts()) == [{"m.1": 2.0, "m.3": 1.0}, {"m.10": 5.0}]


def test_other_kinds_of_keys_are_read_one_by_one():
    rows = [{"m": {"a": 1.0, "b": 2.0}}, {"m": {"b": 3.0}}]
    frame = table(rows, {"m": KINDS["m"]})
    for schema in (Schema(category="m.a"), Schema(ignore="m.b"), Schema(ignore="m")):
        same(as_rows(frame, schema=schema), as_rows(rows, schema=schema))
    texts = pa.table({"m": pa.array([[("a", "x")], None], pa.map_(pa.string(), pa.string()))})
    assert list(as_rows(texts).dicts()) == [{"m.a=x": 1.0}, {}]
    beside = pa.table({"m": frame["m"], "m.c": [1.0, 2.0]})
    both = [{**row, "m.c": c} for row, c in zip(rows, (1.0, 2.0), strict=True)]
    same(as_rows(beside), as_rows(both))


def test_bad_maps_are_refused_with_row_and_feature():
    twice = pa.table({"m": pa.array([[], [("a", 1.0), ("a", 2.0)]], KINDS["m"])})
    with pytest.raises(InputError, match=r"row 1, feature 'm.a' is there twice"):
        as_rows(twice)
    with pytest.raises(InputError, match=r"row 0, feature 'm.a': inf is not allowed"):
        as_rows(table([{"m": {"a": np.inf}}], {"m": KINDS["m"]}))
