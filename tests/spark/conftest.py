"""One session of Spark for all tests, if there is Java and pyspark."""

from __future__ import annotations

import os
import shutil
import sys

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from tests.cli.conftest import braided, refused  # noqa: E402, F401

CONFIG = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "500",
}


def made_session(master):
    """A session; skips the test where there can be none."""
    pytest.importorskip("pyspark", reason="needs pyspark: pip install 'braided[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master)
    for name, value in CONFIG.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@pytest.fixture(scope="session")
def spark():
    session = made_session("local[2,4]")  # tasks are tried up to four times, as on a cluster
    yield session
    session.stop()


WORDS = [f"w{i}" for i in range(60)]


@pytest.fixture(scope="session")
def table():
    """Records with numbers, texts, lists, structs and maps of words; nulls here and there."""
    rng = np.random.RandomState(0)
    n = 2000
    y = rng.choice([-1, 1], n)
    bags = []
    for label in y:
        found = np.unique((rng.zipf(1.3, 8) + (3 if label > 0 else 0)) % 60)
        bags.append([(WORDS[i], float(rng.randint(1, 4))) for i in found])
    age = np.round(40 + 6 * y + rng.randn(n) * 9, 1)
    return pa.table(
        {
            "id": np.arange(n),
            "age": pa.array([None if i % 7 == 0 else a for i, a in enumerate(age.tolist())]),
            "city": [("Bonn", "Graz", "Bern")[i % 3] for i in range(n)],
            "vector": rng.randint(-2, 3, (n, 2)).astype(float).tolist(),
            "place": [{"x": float(i % 5), "y": {"z": float(i % 2)}} for i in range(n)],
            "bag": pa.array(bags, pa.map_(pa.string(), pa.float64())),
            "label": [("no", "yes")[int(each > 0)] for each in y],
        }
    )


@pytest.fixture(scope="session")
def files(table, tmp_path_factory):
    """The table as four files of Parquet."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("rows")
    for k in range(4):
        parquet.write_table(table.slice(k * 500, 500), f"{folder}/{k}.parquet")
    return str(folder)
