"""Braid beside the laboratory's prototype: 23 real sets, each as five streams.

``python -m benchmarks.braid_table [sets]`` writes ``docs/braid_table.md``. It needs the sets in the
folder that BRAIDED_DATA names, and beside that folder ``braid/prototype.py``. The file is written
after each set; what it has of sets that were not asked for stays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.laboratory import prototype
from braided import Braid, datasets, streams
from braided.rows.rows import Rows
from braided.streams.stream import Stream

OUTPUT = Path(__file__).parents[1] / "docs" / "braid_table.md"

DENSE = ("wpbc", "wbc", "colon", "australian", "credit-a", "diabetes", "ionosphere", "wdbc",
         "german", "svmguide3", "kr-vs-kp", "spambase", "dna", "splice", "isolet_ab",
         "magic04")  # fmt: skip
SPARSE = ("pcmac", "sms_spam", "rcv1_sample", "a8a", "20news_rec_vs_sci", "ijcnn1", "imdb")

SHAPES: dict[str, Callable[[Rows, NDArray[np.float64], int], Stream]] = {
    "fixed": lambda X, y, seed: streams.fixed(X, y, seed=seed),
    "trapezoidal": lambda X, y, seed: streams.trapezoidal(X, y, seed=seed),
    "capricious .5": lambda X, y, seed: streams.capricious(X, y, missing=0.5, seed=seed),
    "capricious .9": lambda X, y, seed: streams.capricious(X, y, missing=0.9, seed=seed),
    "evolvable": lambda X, y, seed: streams.evolvable(X, y, overlap=0.05, seed=seed),
}

HEAD = """# Braid beside its prototype

Share of rounds on the wrong side, mean over seeds (5 under 1000 rows, 3 under 10,000, else 1).
Made by `python -m benchmarks.braid_table`. Of a stream's first row nobody knows anything: Braid's
score is 0 and counts as wrong, the prototype's is a rounding error, right by chance. So the last
column shows the difference on all rows but the first.
"""

COLUMNS = """| set | shape | prototype | Braid | difference | from the second row on |
|---|---|---|---|---|---|"""
Results = dict[tuple[str, str], tuple[float, float, float]]


def load(name: str) -> tuple[Rows, NDArray[np.float64]]:
    """A set without names; what a dense set does not write is an observed zero."""
    data = datasets.load(name)
    labels = np.where(data.y == max(data.y), 1.0, -1.0)
    rows = data.X
    if name not in DENSE:
        return Rows(rows.indptr, rows.indices, rows.values, rows.width), labels
    values = rows.to_csr()[:, np.unique(rows.indices)].toarray()
    n, d = values.shape
    columns = np.tile(np.arange(d, dtype=np.int32), n)
    return Rows(np.arange(n + 1) * d, columns, values.ravel(), d), labels


def errors(X: Rows, y: NDArray[np.float64], shape: str) -> tuple[float, float, float]:
    """The prototype's and ours over the same streams; the difference without first rows."""
    seeds = 5 if len(X) < 1000 else 3 if len(X) < 10_000 else 1
    found = []
    for seed in range(seeds):
        stream = SHAPES[shape](X, y, seed)
        rows = next(stream.blocks(len(stream)))
        theirs = ~(prototype(rows) * rows.labels > 0)
        ours = ~(Braid().prequential(rows) * rows.labels > 0)
        found.append((theirs.mean(), ours.mean(), ours[1:].mean() - theirs[1:].mean()))
    means = np.mean(found, axis=0)
    return float(means[0]), float(means[1]), float(means[2])


def table() -> Results:
    """What the file holds so far."""
    found = {}
    for line in OUTPUT.read_text().splitlines() if OUTPUT.is_file() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[1] in SHAPES:
            found[cells[0], cells[1]] = (float(cells[2]), float(cells[3]), float(cells[5]))
    return found


def write(results: Results) -> None:
    pairs = np.array(list(results.values()))
    difference = pairs[:, 1] - pairs[:, 0]
    worst = max((d, *key) for key, d in zip(results, difference, strict=True) if key[0] != "colon")
    summary = (
        f"Over {len(pairs)} pairs: prototype {pairs[:, 0].mean():.4f}, "
        f"Braid {pairs[:, 1].mean():.4f}, difference {difference.mean():+.5f},\n"
        f"from the second row on {pairs[:, 2].mean():+.5f}. The worst is "
        f"{worst[1]} {worst[2]}, {worst[0]:+.4f}, leaving aside colon: of its 62 rows, "
        "one mistake is .016.\n"
    )
    order = [(name, shape) for name in (*DENSE, *SPARSE) for shape in SHAPES]
    lines = [
        f"| {name} | {shape} | {results[name, shape][0]:.4f} | {results[name, shape][1]:.4f} "
        f"| {results[name, shape][1] - results[name, shape][0]:+.4f} "
        f"| {results[name, shape][2]:+.4f} |"
        for name, shape in order
        if (name, shape) in results
    ]
    OUTPUT.write_text("\n".join([HEAD, summary, COLUMNS, *lines, ""]))


def main() -> None:
    chosen = sys.argv[1:] or [*DENSE, *SPARSE]
    results = table()
    for name in chosen:
        X, y = load(name)
        for shape in SHAPES:
            results[name, shape] = errors(X, y, shape)
            print(name, shape, "{:.4f} {:.4f} {:+.4f}".format(*results[name, shape]), flush=True)
        write(results)


if __name__ == "__main__":
    main()
