"""``braided compare`` by one process and by two: the same figures, sooner."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from braided.streams import FactorModel

LEARNERS = "olsf-i,oco,glsc"  # and braid
SHIPPED = ["magic", "spambase", "splice"]
ROWS, FEATURES = 20_000, 50
RUNS = 2


def written(folder: Path, seed: int) -> str:
    """The path of a stream of a factor model, as svmlight."""
    rows = FactorModel(features=FEATURES, seed=seed).rows(ROWS)
    assert rows.labels is not None
    path = folder / f"factors-{seed}.svm"
    with path.open("w") as file:
        for x, y in zip(rows.dicts(), rows.labels.tolist(), strict=True):
            entries = (f"{i}:{value:.6g}" for i, value in enumerate(x.values(), start=1))
            print(y, *entries, file=file)
    return str(path)


def compared(data: list[str], jobs: int) -> tuple[float, Any]:
    """The seconds that the command took, and what it printed, without the runs' own seconds."""
    options = ["--learners", LEARNERS, "--stream", "capricious", "--repeats", "20"]
    command = [sys.executable, "-m", "braided", "compare", *data, *options]
    start = perf_counter()
    done = subprocess.run(
        [*command, "--jobs", str(jobs), "--json"], check=True, capture_output=True, text=True
    )
    seconds = perf_counter() - start
    return seconds, json.loads(done.stdout, object_hook=_without_seconds)


def _without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "seconds"}


def show(what: str, data: list[str]) -> None:
    """One line; the shortest of some runs, and whether all of them printed the same."""
    _, printed = compared(data, 1)
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(RUNS):
        for jobs in best:
            seconds, again = compared(data, jobs)
            best[jobs] = min(best[jobs], seconds)
            assert again == printed, f"{jobs} jobs print something else"
    ratio = best[1] / best[2]
    print(f"{what:32} {best[1]:6.1f} s {best[2]:7.1f} s {ratio:9.2f} x", flush=True)


def main() -> None:
    print("4 learners, 3 sets, 20 repeats   --jobs 1  --jobs 2   (at least 1.6 x)")
    show("shipped sets, mostly start", SHIPPED)
    with tempfile.TemporaryDirectory() as folder:
        files = [written(Path(folder), seed) for seed in range(3)]
        show(f"factor models, {ROWS:,} rows each", files)


if __name__ == "__main__":
    main()
