"""A real small cluster: an executor that dies in the middle of a job changes nothing.

A session of its own, in a process of its own: one process has one session of Spark.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")

PROGRAM = """
import os, signal, sys
from tests.spark.conftest import made_session
from braided import Braid
import braided

files, flag = sys.argv[1:]
spark = made_session("local-cluster[2,1,1024]")
df = spark.read.parquet(files).repartition(3, "id").sortWithinPartitions("id")


def kills_its_executor(batches):
    for number, batch in enumerate(batches):
        if not os.path.exists(flag):
            open(flag, "w").close()
            java = os.getppid()  # the daemon of Python workers, whose parent is the executor
            executor = int(open(f"/proc/{java}/stat").read().rpartition(")")[2].split()[1])
            os.kill(executor, signal.SIGKILL)
        yield batch


def trained(df):
    fields = ["age", "city", "bag"]
    return braided.spark.train(df, Braid(), how="merged", features=fields, tail=100).to_bytes()


expected = trained(df)
assert not os.path.exists(flag)
found = trained(df.mapInArrow(kills_its_executor, df.schema))
assert os.path.exists(flag)
print("equal" if found == expected else "different")
spark.stop()
"""


def test_an_executor_that_dies_changes_nothing(spark, files, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, files, str(tmp_path / "died")],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.split()[-1:] == ["equal"], done.stderr[-3000:]
