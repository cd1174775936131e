"""Braid within a budget while ever new names pass by: what it holds after 10 %, 50 % and 100 %.

``python -m benchmarks.braid_memory [names] [budget]``, by default a million names and a budget of a
thousand. Each row has ten names that nobody has seen before, and ten of fifty that return,
some of which tell the label. The rows come in blocks of a thousand; the process's memory is that
of the whole interpreter.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from braided import Braid

NEW, KNOWN, RETURNING, BLOCK = 10, 10, 50, 1000


def rows(
    first: int, count: int, rng: np.random.Generator
) -> tuple[list[dict[str, float]], list[int]]:
    """Rows with names that are numbered from ``first * NEW`` on."""
    labels = rng.choice([-1, 1], count).tolist()
    made = []
    for t, label in enumerate(labels, start=first):
        x = {f"passes by {t * NEW + i}": 1.0 for i in range(NEW)}
        for j in rng.choice(RETURNING, KNOWN, replace=False).tolist():
            x[f"returns {j}"] = float(rng.normal() + (label if j < KNOWN else 0))
        made.append(x)
    return made, labels


def blocks(names: int) -> Iterator[tuple[int, list[dict[str, float]], list[int]]]:
    """How many names have passed after each block, and the block."""
    rng = np.random.default_rng(0)
    for first in range(0, names // NEW, BLOCK):
        count = min(BLOCK, names // NEW - first)
        yield (first + count) * NEW, *rows(first, count, rng)


def resident_bytes() -> int:
    """Of this process, now."""
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def main(names: int = 1_000_000, budget: int = 1_000) -> None:
    model = Braid(budget=budget)
    print(
        "names passed   names remembered   held   model, bytes   process, bytes   error   seconds"
    )
    marks = [names // 10, names // 2, names]
    wrong, seconds = 0, 0.0
    for passed, X, y in blocks(names):
        start = perf_counter()
        wrong += int(np.sum(model.prequential(X, y) * np.array(y) <= 0))
        seconds += perf_counter() - start
        if passed in marks:
            print(
                f"{passed:12,} {len(model.engine.space):18,} {model.features_kept:6,} "
                f"{model.memory_bytes:14,} {resident_bytes():16,} {wrong / model.rounds:7.4f} "
                f"{seconds:9.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
