"""Schema: what is declared, what is decided, and what a model file may say."""

from __future__ import annotations

import pytest

from braided import OLSF, Braid, InputError, Schema, as_rows
from braided.records.schema import Decisions
from tests.records.every_door import file_of, loaded
from tests.support.forge import contents, forge


def test_a_name_goes_before_a_pattern():
    schema = Schema(category="code_*", number="code_7", ignore=["utm_?", "x.[ab]"])
    assert schema.kind("code_1") == "category"
    assert schema.kind("code_7") == "number"
    assert schema.kind("utm_a") == "ignore"
    assert schema.kind("utm_ab") is None
    assert schema.kind("x.a") == "ignore"
    assert schema.kind(7) is None


def test_fields_inside_an_ignored_one_are_ignored():
    schema = Schema(ignore="user", number="user.age")
    assert schema.kind("user.name") == schema.kind("user.home.zip") == "ignore"
    assert schema.kind("user.age") == "number"
    assert schema.kind("username") is None


@pytest.mark.parametrize(
    "declared",
    [
        {"number": "a", "category": "a"},
        {"label": "a", "ignore": ["b", "a"]},
        {"label": "a", "weight": "a"},
        {"label": 3},
        {"number": [3]},
        {"null": [None]},
    ],
)
def test_a_schema_that_contradicts_itself_is_refused(declared):
    with pytest.raises(InputError):
        Schema(**declared)


def test_kinds_are_decided_once_and_by_learning_alone():
    model = OLSF()
    model.learn_one({"a": "cat"}, 0)
    model.predict_one({"b": "two words"})
    model.schema.features({"c": True})
    assert model.schema.kinds == {"a": "category"}
    model.learn_one({"a": "two words", "b": "dog"}, 1)
    assert model.schema.kinds == {"a": "category", "b": "category"}
    assert "a=two words" in model.engine.space


def test_rows_that_are_refused_decide_nothing():
    model = OLSF()
    model.learn_one({"a": 1.0}, 0)
    before = file_of(model)
    for bad in ({"b": "cat", "c": float("inf")}, {"b": "cat", "d": b"x"}):
        with pytest.raises(InputError):
            model.learn_one(bad, 1)
        with pytest.raises(InputError):
            model.partial_fit([{"e": "two words"}, bad], [0, 1])
    with pytest.raises(InputError):
        model.partial_fit([{"e": "two words"}], [[1]])
    assert file_of(model) == before
    assert model.schema.is_blank


def test_a_schema_is_set_before_anything_is_learned():
    model = Braid()
    with pytest.raises(InputError, match=r"made by braided\.Schema"):
        model.schema = {"category": "a"}
    model.schema = Schema(category="a")
    model.learn_one({"a": 5}, "x")
    with pytest.raises(InputError, match="learned already"):
        model.schema = Schema()
    assert model.weights().keys() <= {"a=5"}


def test_rows_that_were_read_in_another_way_are_refused():
    model = OLSF()
    model.learn_one({"zip": "cat"}, 0)
    rows = as_rows([{"zip": "two words"}], [1])
    with pytest.raises(InputError, match="'zip' was read as text, and this model knows it as cat"):
        model.partial_fit(rows)
    declared = OLSF()
    declared.schema = Schema(category="zip")
    with pytest.raises(InputError, match="'zip' was read as text, and this model knows it as cat"):
        declared.partial_fit(rows)


def test_a_schema_in_json_is_the_same_schema():
    schema = Schema(label="y", weight="w", key="id", category=["a", "b*"], null="-1", strict=True)
    schema.adopt(Decisions({"c": "text", 7: "flag", "d": "number", "a": "category"}))
    again = Schema.from_json(schema.to_json())
    assert again == schema
    assert again.kinds == {"c": "text", 7: "flag", "d": "number"}
    assert again.roles == {"y": "label", "w": "weight", "id": "key"}
    assert schema.unlearned().kinds == {}
    assert Schema().is_blank


@pytest.mark.parametrize(
    "item",
    [
        7, [], {"other": 1}, {"kinds": {"colour": ["a"]}}, {"kinds": {"text": "a"}},
        {"kinds": {"text": ["a"], "flag": ["a"]}},
        {"declared": {"text": [7]}}, {"declared": {"text": ["a"], "flag": ["a"]}}, {"null": "a"},
        {"null": [1]}, {"strict": 1}, {"label": 5}, {"label": ["a"]}, {"label": "a", "key": "a"},
        {"kinds": []}, {"declared": 3},
    ],
)  # fmt: skip
def test_forged_schemas_are_refused(item, tmp_path):
    model = OLSF()
    model.schema = Schema(category="a")
    model.learn_one({"a": "x", "b": "two words"}, 1)
    path = tmp_path / "m.braided"
    model.save(path)
    texts, told, arrays = contents(path)
    assert "schema" in told
    told["schema"] = item
    texts.pop("sha256", None)
    forge(path, texts, told, arrays)
    with pytest.raises(InputError):
        loaded(path.read_bytes())


def test_the_order_of_declarations_and_decisions_in_a_file_follows_from_the_names():
    one, other = OLSF(), OLSF()
    one.partial_fit([{"b": "x", "a": "y"}, {"c": True}], [0, 1])
    other.partial_fit([{"a": "y", "b": "x"}, {"c": True}], [0, 1])
    assert file_of(one) == file_of(other)
