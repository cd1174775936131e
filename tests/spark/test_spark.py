"""braided.spark on a real session: exact is exact, merged is the same each time, faults or not."""

import os
from contextlib import suppress

import numpy as np
import pytest

import braided
from braided import OCO, OLSF, Braid, InputError
from braided.spark.packing import rows_of

FIELDS = ["age", "city", "vector", "place", "bag"]


def one_machine(table, learner, fields=FIELDS):
    model = learner()
    model.schema = braided.Schema(label="label")
    chosen = table.select([*fields, "label"]).combine_chunks()
    for batch in chosen.to_batches(700):
        model.partial_fit(rows_of(batch, model.schema, "label"))
    return model


@pytest.mark.parametrize("learner", [Braid, OCO, OLSF])
def test_exact_is_the_model_of_one_machine(spark, table, files, learner):
    df = spark.read.parquet(files).repartition(3, "id")
    model = braided.spark.train(df, learner(), features=FIELDS, order_by="id")
    assert model.rounds == 2000
    assert model.to_bytes() == one_machine(table, learner).to_bytes()


def test_exact_with_numbered_features(spark, table, files):
    df = spark.read.parquet(files)
    model = braided.spark.train(df, OCO(), features="vector", order_by="id")
    assert model.to_bytes() == one_machine(table, OCO, ["vector"]).to_bytes()


def test_predictions_are_those_of_one_machine(spark, table, files):
    model = one_machine(table, Braid)
    df = braided.spark.predict(spark.read.parquet(files), model, features=FIELDS)
    assert df.columns[-3:] == ["prediction", "score", "probability"]
    found = df.orderBy("id").select("prediction", "score", "probability").toArrow().to_pydict()
    rows = rows_of(table.select(FIELDS).combine_chunks().to_batches()[0], model.schema)
    assert found["score"] == model.decision_function(rows).tolist()
    assert found["prediction"] == model.predict(rows).tolist()
    assert found["probability"] == model.predict_proba(rows)[:, 1].tolist()
    with pytest.raises(InputError, match="a column 'prediction' already"):
        braided.spark.predict(df, model)


def test_evaluation_is_that_of_one_machine(spark, table, files):
    df = spark.read.parquet(files)
    found = braided.spark.evaluate(df, Braid(), features=FIELDS, order_by="id")
    model = Braid()
    rows = rows_of(table.select([*FIELDS, "label"]).combine_chunks().to_batches()[0],
                   braided.Schema(), "label")  # fmt: skip
    assert found.scores.tolist() == model.prequential(rows).tolist()


def merged(df, **options):
    return braided.spark.train(df, Braid(), how="merged", features=FIELDS, tail=200, **options)


def dies_once(flag):
    def dying(batches):
        for batch in batches:
            if not os.path.exists(flag):
                open(flag, "w").close()
                os.kill(os.getpid(), 9)
            yield batch

    return dying


def test_merged_is_the_same_each_time_and_when_a_worker_dies(spark, table, files, tmp_path):
    df = spark.read.parquet(files)
    once = merged(df, partitions=3)
    assert once.rounds == 2000
    flag = str(tmp_path / "died")
    other = df.repartition(3, "id").sortWithinPartitions("id")
    first = merged(other)
    again = merged(other.mapInArrow(dies_once(flag), other.schema))
    assert os.path.exists(flag)
    assert again.to_bytes() == first.to_bytes()
    rows = rows_of(table.select([*FIELDS, "label"]).combine_chunks().to_batches()[0],
                   once.schema, "label")  # fmt: skip
    exact = one_machine(table, Braid)
    errors = [np.mean(m.predict(rows) != rows.labels) for m in (exact, once, first)]
    assert errors[1] < errors[0] + 0.03
    assert errors[2] < errors[0] + 0.03


def test_training_goes_on_and_merges_on_the_way(spark, files):
    df = spark.read.parquet(files).where("id < 1000")
    model = braided.spark.train(df, OCO(), features=FIELDS, how="merged", merges=2, tail=100)
    assert model.rounds == 1000
    more = spark.read.parquet(files).where("id >= 1000").select(*FIELDS, "label")
    longer = braided.spark.continue_training(more, model, how="merged", partitions=2)
    assert (model.rounds, longer.rounds) == (1000, 2000)


def test_what_can_not_be_is_refused(spark, files):
    df = spark.read.parquet(files)
    with pytest.raises(InputError, match=r"can not be merged.*use how='exact'"):
        braided.spark.train(df, braided.GLSC(), how="merged")
    with pytest.raises(InputError, match="no column 'y'"):
        braided.spark.train(df, label="y")
    with pytest.raises(InputError, match="is no stream"):
        braided.spark.stream(df, "m")
    with pytest.raises(InputError, match="learned nothing"):
        braided.spark.predict(df, Braid())


def run_stream(spark, files, path, tmp_path, crash=None, after=False):
    """Learn a file a batch; crash in a batch or right after it, as if the driver died."""
    schema = spark.read.parquet(files).schema
    df = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(files)
    place = str(tmp_path / "checkpoint")
    each = braided.spark.streaming.learn_batch(
        path, OCO(), place=place, features=FIELDS, order_by="id"
    )

    def step(batch, number):
        if number == crash and not after:
            raise RuntimeError("crash in a batch")
        each(batch, number)
        if number == crash:
            raise RuntimeError("crash after a batch")

    writer = df.writeStream.foreachBatch(step).option("checkpointLocation", place)
    query = writer.trigger(availableNow=True).start()
    if crash is None:
        query.awaitTermination()
    else:
        with suppress(Exception):  # of the crash, or nothing was left to learn
            query.awaitTermination()


def test_each_batch_is_learned_once_whatever_crashes(spark, files, tmp_path):
    """Ten crashes: in each of four batches and after it, and twice more."""
    path = str(tmp_path / "m.braided")
    crashes = [(number, after) for number in range(4) for after in (False, True)]
    for crash, after in [*crashes[:6], (2, True), *crashes[6:], (3, False)]:
        run_stream(spark, files, path, tmp_path, crash, after)
    run_stream(spark, files, path, tmp_path)
    found = braided.load(path)
    other = tmp_path / "other"
    other.mkdir()
    hadoop = f"file://{other}/m.braided"  # through Hadoop, and without a crash
    run_stream(spark, files, hadoop, other)
    assert found.rounds == 2000
    assert found.to_bytes() == braided.load(other / "m.braided").to_bytes()


def test_a_stream_by_its_own_name(spark, files, tmp_path):
    schema = spark.read.parquet(files).schema
    df = spark.readStream.schema(schema).parquet(files)
    path = str(tmp_path / "m.braided")
    query = braided.spark.stream(df, path, OCO(), features=FIELDS, trigger={"availableNow": True})
    query.awaitTermination()
    assert braided.load(path).rounds == 2000
