"""One record, one meaning: the same records through every door leave the same model file."""

from __future__ import annotations

import io

import pytest

from braided import OLSF, Braid, Schema
from braided.streams import read
from tests.records.every_door import check, file_of, loaded

for library in ("pandas", "polars", "pyarrow"):
    pytest.importorskip(library)


SCHEMAS = 40


@pytest.mark.parametrize("first", range(0, SCHEMAS, 5))
def test_random_records_leave_the_same_model_through_every_door(first):
    for seed in range(first, first + 5):
        check(seed)


def learned_one_by_one(model, records, labels):
    for x, y in zip(records, labels, strict=True):
        model.learn_one(x, y)
    return model


def test_names_that_a_budget_drops_leave_the_same_schema_in_any_blocks():
    records = [
        {**{f"n{row}_{i}": i for i in range(8)}, "pet": f"cat{row}", f"c{row}": "x"}
        for row in range(300)
    ]
    labels = [row % 2 for row in range(300)]
    one_by_one = learned_one_by_one(Braid(budget=4), records, labels)
    blocks = Braid(budget=4)
    for start in range(0, 300, 7):
        blocks.partial_fit(records[start : start + 7], labels[start : start + 7])
    at_once = Braid(budget=4).partial_fit(records, labels)
    assert file_of(one_by_one) == file_of(blocks) == file_of(at_once)
    assert len(one_by_one.engine.space) < 1100 < one_by_one.features_seen


def test_weights_in_records_count_one_by_one_as_in_blocks():
    records = [{"a": 1.0, "w": 3}, {"a": 2.0, "w": "0.5"}, {"b": 1.0}, {"b": 1.0, "w": 0}]
    labels = ["x", "y", "x", "y"]
    models = []
    for _ in range(2):
        model = OLSF()
        model.schema = Schema(weight="w")
        models.append(model)
    learned_one_by_one(models[0], records, labels)
    models[1].partial_fit(records, labels)
    by_hand = OLSF().partial_fit(
        [{k: v for k, v in x.items() if k != "w"} for x in records], labels, None, [3, 0.5, 1, 0]
    )
    assert file_of(models[0]) == file_of(models[1])
    assert models[0].weights() == by_hand.weights()


def test_an_ignored_object_is_ignored_as_columns_with_dotted_names():
    schema = Schema(ignore="user")
    models = [Braid(), Braid()]
    json = b'{"user": {"id": 7, "name": "x y"}, "a": 1, "label": "p"}\n{"a": 2, "label": "q"}\n'
    table = b"user.id,user.name,a,label\n7,x y,1,p\n,,2,q\n"
    for model, data, format in zip(models, (json, table), ("jsonl", "csv"), strict=True):
        model.schema = schema.copy()
        model.partial_fit(read(io.BytesIO(data), format=format, schema=model.schema).rows())
    assert file_of(models[0]) == file_of(models[1])
    assert models[0].weights().keys() <= {"a"}


def test_a_schema_that_was_declared_is_in_the_file_and_counts_after_loading():
    model = OLSF()
    model.schema = Schema(category=["zip", "code_*"], null="unknown", ignore="id")
    model.learn_one({"zip": 10115, "code_1": 3, "id": 9, "age": "unknown"}, "yes")
    model.learn_one({"zip": 80331, "note": "new phone"}, "no")
    again = loaded(file_of(model))
    assert again.schema == model.schema
    assert file_of(again) == file_of(model)
    record = {"zip": "10115", "code_2": 4.0, "id": 3, "age": 5, "note": "new"}
    assert again.schema.features(record) == {
        "age": 5.0,
        "code_2=4": 1.0,
        "note:new": 1.0,
        "zip=10115": 1.0,
    }
    assert again.score_one(record) == model.score_one(record)
