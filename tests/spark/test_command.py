"""``braided train --engine spark``."""

import braided as library
from tests.spark.test_spark import one_machine


def train(run, files, *options):
    return run("train", files, "--model", "m.braided", "--engine", "spark", "--format", "parquet",
               "--master", "local[2]", *options)  # fmt: skip


def test_a_folder_is_learned_exactly_and_merged(spark, table, files, braided, tmp_path):
    code, out, err = train(braided, files, "--learner", "oco", "--order-by", "id")
    assert code == 0, err
    assert "2000 rows read, 2000 learned" in out
    assert "on local[2], exact, 0 tasks tried again" in out
    fields = [name for name in table.column_names if name != "label"]
    here = one_machine(table, library.OCO, fields)
    assert library.load(tmp_path / "m.braided").weights() == here.weights()
    options = ("--how", "merged", "--partitions", "3", "--overwrite")
    code, out, err = train(braided, files, *options)
    assert code == 0, err
    assert "2000 learned" in out
    assert "merged, 3 models merged in 1" in out
    assert "learning in 3 partitions" in err
    assert library.load(tmp_path / "m.braided").rounds == 2000


def test_what_is_not_for_spark_is_refused(spark, files, refused):
    told = refused("train", files, "--model", "m", "--engine", "spark", "--resume")
    assert told == "--resume does not go with --engine spark"
    assert "local or spark" in refused("train", files, "--model", "m", "--engine", "ray")
    told = refused("train", "x.svm", "--model", "m", "--engine", "spark", "--master", "local[2]")
    assert "Spark reads files of one format" in told
