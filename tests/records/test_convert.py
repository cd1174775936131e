"""Converter: records become rows; what does not fit is counted, refused or a category."""

from __future__ import annotations

import pytest

from braided import InputError, Schema
from braided.records.convert import Converter
from braided.records.schema import sorted_names
from braided.records.values import NotAllowed


def features(record, **declared):
    return Converter(Schema(**declared)).features(record)


def test_every_kind_in_one_record():
    record = {
        "n": 1, "f": True, "c": "cat", "t": "two words", "d": "1970-01-01", "g": ["a", "b"],
        "v": [1, 2], "o": {"x": {"y": 3}}, "gone": None, "empty": "", "q": "?",
    }  # fmt: skip
    assert features(record) == {
        "c=cat": 1, "d": 0, "d.weekday=thu": 1, "d.month=1": 1, "f": 1, "g=a": 1, "g=b": 1, "n": 1,
        "o.x.y": 3, "t:two": 1, "t:words": 1, "v.0": 1, "v.1": 2,
    }  # fmt: skip


def test_features_are_in_the_order_of_fields_whatever_the_order_of_keys():
    one = features({"b": 1, "a": {"z": 1, "b": "x"}, "C": 2})
    other = features({"a": {"b": "x", "z": 1}, "C": 2, "b": 1})
    assert list(one) == list(other) == ["C", "a.b=x", "a.z", "b"]
    assert sorted_names([10, "a", 9, 2.5]) == [2.5, 9, 10, "a"]


@pytest.mark.parametrize(
    "text",
    ["", "  ", "NULL", "null", "NA", "n/a", "#N/A", "<NA>", "NaN", "None", "?", "-", r"\N", "[]"],
)
def test_words_that_mean_missing_decide_nothing(text):
    converter = Converter(Schema())
    assert converter.features({"a": text, "b": [None], "c": [], "d": float("nan")}) == {}
    assert converter.decided == {}


def test_more_words_that_mean_missing():
    assert features({"a": "Unknown ", "b": "-999"}, null=["unknown", "-999"]) == {}


def test_a_value_that_does_not_fit_is_a_category_and_counted():
    converter = Converter(Schema(number="n", date="d", flag="f", vector="v"))
    record = {"n": "many", "d": "soon", "f": "perhaps", "v": ["a", "b"]}
    found = converter.features(record)
    assert found == {"d=soon": 1, "f=perhaps": 1, "n=many": 1, "v=a": 1, "v=b": 1}
    assert converter.surprises == dict.fromkeys("dfnv", 1)
    assert converter.features({"n": [1, 2]}) == {"n.0": 1, "n.1": 2}
    assert converter.surprises["n"] == 2


@pytest.mark.parametrize("record", [{"n": "many"}, {"n": [1, 2]}, {"d": 5}, {"f": "perhaps"}])
def test_strict_refuses_what_does_not_fit(record):
    with pytest.raises(NotAllowed, match=r"as this field is \(strict"):
        features(record, number="n", date="d", flag="f", strict=True)


def test_lists_of_objects_are_bags():
    items = [{"sku": "a", "price": 2}, {"sku": "b", "price": 4}, {"sku": "a", "more": {"x": 1}}]
    assert features({"items": items}) == {
        "items.more.x": 1, "items.price": 3, "items.sku=a": 2, "items.sku=b": 1,
    }  # fmt: skip
    assert features({"items": items}, ignore="items") == {}
    assert features({"items": items}, ignore="items.sku") == {"items.more.x": 1, "items.price": 3}


def test_a_list_in_a_text_is_the_list_for_fields_of_every_kind():
    for kind in ("category", "tags", "text", "vector", "number", "date", "flag"):
        one, other = Converter(Schema(**{kind: "f"})), Converter(Schema(**{kind: "f"}))
        for items in (["a", "b c"], [1, 2], [None, "x"]):
            text = str(items).replace("None", "null")
            assert one.features({"f": items}) == other.features({"f": text})
        assert one.surprises == other.surprises


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"a": float("inf")}, "feature 'a': inf is not allowed"),
        ({"a": b"x"}, "feature 'a': b'x' is not allowed"),
        ({"a": {"b": 1}, "a.b": 2}, "field 'a.b' is there twice"),
        ({"a": "x", "a=x": 1}, "feature 'a=x' is there twice"),
        ({"a": [1, float("inf")]}, "feature 'a': inf is not allowed"),
        ({"a": "\ud800"}, "is not valid text"),
        ({"\ud800": 1}, "is not valid text"),
    ],
)
def test_what_no_model_may_see_is_refused_by_name(record, message):
    with pytest.raises((NotAllowed, InputError), match=message):
        features(record)


def test_objects_that_are_nested_too_deeply_are_refused():
    record = {"a": 1}
    for _ in range(500):
        record = {"a": record}
    with pytest.raises(NotAllowed, match="nested too deeply"):
        features(record)


def test_what_is_ignored_may_be_anything():
    assert features({"a": b"x", "b": object(), "c": {"d": 1j}}, ignore=["a", "b", "c"]) == {}


def test_roles_are_no_features():
    schema = Schema(label="y", weight="w", key="id")
    records = [
        {"a": 1, "y": "yes", "w": "2.5", "id": 7},
        {"a": 2, "y": " 3.0 ", "w": None, "id": " k "},
        {"a": 3, "y": "NULL"},
        {"a": 4, "y": "True", "w": 0, "id": ""},
        {"a": 5, "y": "007", "w": 1},
    ]
    rows = Converter(schema).rows(records)
    assert list(rows.dicts()) == [{"a": float(i)} for i in range(1, 6)]
    assert rows.labels.tolist() == ["yes", 3, None, True, "007"]
    assert rows.weights.tolist() == [2.5, 1, 1, 0, 1]
    assert rows.keys.tolist() == ["7", "k", None, None, None]


@pytest.mark.parametrize(
    "record", [{"w": -1}, {"w": "heavy"}, {"w": 1e10}, {"y": [1]}, {"y": {"a": 1}}, {"w": b"1"}]
)
def test_labels_and_weights_that_are_none_are_refused(record):
    with pytest.raises(InputError, match=r"row 0, (field|feature) '"):
        Converter(Schema(label="y", weight="w")).rows([record])


def test_a_row_that_is_no_record_is_named():
    with pytest.raises(InputError, match="row 1: expected a dict, got 7"):
        Converter(Schema()).rows([{"a": 1}, 7])
