"""Speed on Spark in ``local[2]``, beside one process of ``braided train`` and ``predict``.

``python -m benchmarks.spark_speed [rows] [fields]`` writes a Parquet file (2,000,000 rows x 40
fields by default: 30 numbers, 10 categories), and times: one process; exact and merged training and
prediction on Spark. All of it in one run; each ratio is to the one process. The session is made and
all kernels are compiled before anything is timed; the one process takes its start along.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter

import numpy as np

ROWS, FIELDS, PART = 2_000_000, 40, 100_000


def write(folder: str, rows: int, fields: int) -> str:
    """Rows whose label follows from some of the fields."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    weights = rng.normal(size=fields * 3 // 4)
    path, writer = f"{folder}/rows.parquet", None
    for start in range(0, rows, PART):
        n = min(PART, rows - start)
        numbers = rng.normal(size=(n, weights.size)).round(3)
        y = numbers @ weights + rng.normal(size=n) > 0
        columns = {f"n{i}": numbers[:, i] for i in range(weights.size)}
        names = np.array([f"kind {i}" for i in range(50)])
        for i in range(fields - weights.size):
            columns[f"c{i}"] = pa.array(names[rng.integers(0, 50, n)]).dictionary_encode()
        batch = pa.table({**columns, "label": y.astype(np.int64)})
        writer = writer or pq.ParquetWriter(path, batch.schema)
        writer.write_table(batch)
    if writer is not None:
        writer.close()
    return path


def timed(what: str, run: Callable[[], object], rows: int, baseline: float = 0.0) -> float:
    start = perf_counter()
    run()
    seconds = perf_counter() - start
    ratio = f", {baseline / seconds:.2f} times one process" if baseline else ""
    print(f"{what}: {seconds:.1f} s, {rows / seconds:,.0f} rows a second{ratio}", flush=True)
    return seconds


def command(*arguments: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "braided", *arguments], check=True, stdout=subprocess.DEVNULL
    )


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    fields = int(sys.argv[2]) if len(sys.argv) > 2 else FIELDS
    from braided import Braid
    from braided.spark import predict, train
    from braided.spark.frames import session

    with tempfile.TemporaryDirectory() as folder:
        path, small = write(folder, rows, fields), f"{folder}/small"
        os.mkdir(small)
        warm = write(small, 20_000, fields)
        model = f"{folder}/m.braided"
        spark = session("local[2]")
        spark.sparkContext.setLogLevel("ERROR")
        for how in ("exact", "merged"):
            train(spark.read.parquet(warm), Braid(), how=how, partitions=2)
        command("train", warm, "--model", f"{folder}/w.braided")
        one = timed("braided train", lambda: command("train", path, "--model", model), rows)
        df = spark.read.parquet(path)
        found = {}
        for how in ("exact", "merged"):
            timed(how, lambda how=how: found.update({how: train(df, Braid(), how=how)}), rows, one)
        one = timed("braided predict", lambda: command("predict", model, path), rows)
        written = predict(df, found["exact"]).select("prediction", "score")
        sink = written.write.format("noop").mode("overwrite")
        timed("predict", sink.save, rows, one)
        spark.stop()


if __name__ == "__main__":
    main()
