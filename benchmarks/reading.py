"""Reading svmlight: the whole way to rows, beside scikit-learn's reader of the same file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.measure import best_by_turns
from braided.streams import read

ROWS, FEATURES, RUNS = 100_000, 50, 3
WARM_UP = "from braided import OLSF; OLSF().partial_fit([{'warm': 1.0}], [1])"
STREAM = """
import sys

from braided import OLSF
from braided.streams import read

def megabytes():
    # Not ru_maxrss: a new process starts with that of the one that made it.
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

model = OLSF().partial_fit([{"warm": 1.0}], [1])
before, model = megabytes(), OLSF()
for rows in read(sys.argv[1]).blocks(1024):
    model.partial_fit(rows)
print(f"{model.rounds:,} rows streamed through OLSF: peak {megabytes():.0f} MB (at most 300), "
      f"of which {before:.0f} MB before the first row")
"""


def write_svmlight(path: Path, rows: int) -> None:
    """Rows of normal draws; a line through the space tells the labels apart."""
    draws = np.random.default_rng(0)
    with path.open("w") as file:
        for start in range(0, rows, 10_000):
            X = draws.normal(size=(min(10_000, rows - start), FEATURES))
            for x, label in zip(X.tolist(), np.where(X[:, 0] > X[:, 1], 1, -1), strict=True):
                values = " ".join(f"{i}:{v:.6g}" for i, v in enumerate(x, start=1))
                file.write(f"{label} {values}\n")


def main(rows: int = ROWS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.svm"
        write_svmlight(path, rows)
        size = path.stat().st_size / 1e6
        next(read(path).blocks(1))  # compiled before the clock runs
        ours, theirs = best_by_turns(
            RUNS if rows <= ROWS else 1,
            lambda: [len(block) for block in read(path).blocks(1024)],
            lambda: load_svmlight_file(str(path)),
        )
        print(f"{rows:,} rows x {FEATURES} features, {size:.0f} MB")
        print(f"scikit-learn's load_svmlight_file  {size / theirs:5.0f} MB/s")
        print(f"braided.streams.read               {size / ours:5.0f} MB/s")
        print(f"{theirs / ours:.1f} times as fast (at least 10)")
        # Compiling takes memory of its own, once: the second run shows what streaming takes.
        subprocess.run([sys.executable, "-c", WARM_UP], check=True)
        subprocess.run([sys.executable, "-c", STREAM, str(path)], check=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
