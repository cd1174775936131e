"""Reading svmlight: the whole way to rows, beside scikit-learn's reader of the same file.

``python -m benchmarks.reading 1000000`` does it with so many rows, and shows how much memory
training takes, when kernels are compiled and when they are found again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.history import note
from benchmarks.measure import best_by_turns
from braided.streams import read

ROWS, FEATURES, RUNS = 100_000, 50, 3
MOST_MEGABYTES = 300
LEARNERS = ("olsf", "braid")
TRAIN = """
import sys

from braided.cli import main

code = main(["train", sys.argv[1], "--model", sys.argv[2], "--learner", sys.argv[3], "--overwrite"])
# Not ru_maxrss: a new process starts with that of the one that made it.
with open("/proc/self/status") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(int(peak) / 1024)
sys.exit(code)
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
        note("reading svmlight / scikit-learn", ours / theirs)
        print(f"{theirs / ours:.1f} times as fast (at least 10)")
        for learner in LEARNERS:
            first, second = (train(path, Path(folder), learner) for _ in range(2))
            print(
                f"braided train --learner {learner}: peak {first:.0f} MB in a first run, which "
                f"compiles, {second:.0f} MB in the next (at most {MOST_MEGABYTES})"
            )


def train(path: Path, folder: Path, learner: str) -> float:
    """Megabytes that a training had at its peak; its compiled kernels are kept in the folder."""
    ran = subprocess.run(
        [sys.executable, "-c", TRAIN, str(path), str(folder / "m.braided"), learner],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / learner)},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(ran.stdout.split()[-1])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
