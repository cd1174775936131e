"""What executors do, on plain record batches: without Java."""

import numpy as np
import pytest

import braided
from braided import OCO, Braid, InputError
from braided.spark.packing import pack_model, pack_rows, rows_of, unpack_model, unpack_rows
from braided.spark.workers import Held, LearnInOrder, LearnShard, MergeShards, Pack

pa = pytest.importorskip("pyarrow")


def at(part, tries=0):
    return lambda: (part, tries)


def test_rows_are_packed_and_unpacked(table):
    for batch in table.to_batches(300):
        rows = rows_of(batch, braided.Schema(), "label")
        again = unpack_rows(pack_rows(rows))
        assert [*map(list, map(dict.items, again.dicts()))] == [
            *map(list, map(dict.items, rows.dicts()))
        ]
        assert again.labels.tolist() == rows.labels.tolist()
        assert again.schema.kinds == rows.schema.kinds
    numbers = braided.as_rows(np.eye(3), [1.5, 2.0, 1.5])
    again = unpack_rows(pack_rows(numbers))
    assert (again.names, again.width, again.labels.tolist()) == (None, 3, [1.5, 2.0, 1.5])


@pytest.mark.parametrize("labels", [[1, 2], [1.5, 2.5], [1.0, 2.0], ["a", "b"], [True, False]])
def test_labels_mean_what_they_mean_elsewhere(labels):
    batch = pa.record_batch({"x": [1.0, 2.0], "label": labels})
    found = rows_of(batch, braided.Schema(), "label").labels.tolist()
    expected = braided.as_rows(batch, schema=braided.Schema(label="label")).labels.tolist()
    assert found == expected
    assert [*map(type, found)] == [*map(type, expected)]
    with pytest.raises(InputError, match="rows without a label"):
        rows_of(pa.record_batch({"x": [1.0], "label": pa.array([None], pa.int64())}), None, "label")


def test_blocks_are_learned_in_order_as_by_one_machine(table):
    here = Braid()
    here.schema = braided.Schema(label="label")
    for batch in table.to_batches(300):
        here.partial_fit(rows_of(batch, here.schema, "label"))
    start = Braid()
    start.schema = braided.Schema(label="label")
    held = Held(pack_model(start))
    packed = [*Pack(held, "label", at(0))(iter(table.to_batches(300)))]
    assert [batch.column("number")[0].as_py() for batch in packed] == list(range(len(packed)))
    (found,) = LearnInOrder(held, at(0))(iter(packed))
    assert unpack_model(found["data"][0].as_py()).to_bytes() == here.to_bytes()


@pytest.mark.parametrize("learner", [Braid(), OCO(), braided.SSOL()])
def test_shards_are_learned_and_merged_as_by_hand(table, learner):
    base = type(learner)()
    base.schema = braided.Schema(label="label")
    head = rows_of(table.slice(0, 400).combine_chunks().to_batches()[0], base.schema, "label")
    base.partial_fit(head)
    held, shards = Held(pack_model(base)), []
    models, tails = [], []
    for part in range(5):
        mine = table.slice(400 + part * 300, 300).combine_chunks()
        (found,) = LearnShard(held, "label", 20, at(part, int(part == 2)))(
            iter(mine.to_batches(130))
        )
        shards.append(found)
        model = unpack_model(pack_model(base))
        if not isinstance(model, Braid):
            model.count_features()
        rows = [rows_of(batch, model.schema, "label") for batch in mine.to_batches()]
        models.append(model.partial_fit(rows[0][:280]))
        tails.append(rows[0][280:])
    (flat,) = MergeShards(held, 32, True)(iter(shards))
    expected = models[0].merge(*models[1:], since=base)
    for rows in tails:
        expected.partial_fit(rows)
    merged = unpack_model(flat["data"][0].as_py())
    assert merged.to_bytes() == expected.to_bytes()
    told = {name: flat[name][0].as_py() for name in ("read", "learned", "models", "tries")}
    assert told == {"read": 1500, "learned": 1500, "models": 5, "tries": 1}
    tree = [*MergeShards(held, 2)(iter(shards))]
    assert [batch["part"][0].as_py() for batch in tree] == [0, 1, 2]
    (other,) = MergeShards(held, 32, True)(iter(tree))
    rows = rows_of(table.combine_chunks().to_batches()[0], base.schema, "label")
    one, two = (m.decision_function(rows) for m in (unpack_model(other["data"][0].as_py()), merged))
    assert np.mean((one > 0) == (two > 0)) > 0.98
    if not isinstance(learner, Braid):
        assert one == pytest.approx(two, rel=1e-4, abs=1e-4)
