"""Braid compared with its prototype: 23 real datasets, each as five streams.

``python -m benchmarks.braid_table [datasets]`` writes ``docs/braid_table.md``. It needs the
datasets in the folder BRAIDED_DATA, and ``braid/prototype.py`` beside that folder. The file is
written after each dataset; lines of datasets that are not asked for stay.
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

HEAD = """# Braid compared with its prototype

Error rate (share of rounds with a wrong prediction) on 23 datasets, each as five streams. Mean over
seeds: 5 for datasets below 1000 rows, 3 below 10,000, else 1. The prototype is the script that
Braid was developed from; it is not part of this package. Made by
`python -m benchmarks.braid_table`.

On the first row of a stream nothing is known yet. Braid's score is 0 and counts as wrong. The
prototype's score is a rounding error, and right by chance. So the last column shows the difference
without the first row.
"""

COLUMNS = """| dataset | stream | prototype | Braid | difference | without the first row |
|---|---|---|---|---|---|"""
Results = dict[tuple[str, str], tuple[float, float, float]]


def load(name: str) -> tuple[Rows, NDArray[np.float64]]:
    """A dataset without names; a value missing in a dense dataset is an observed zero."""
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
    """Error rates of prototype and Braid on the same streams; their difference without row 1."""
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
    """The results in the file so far."""
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
        f"Mean of {len(pairs)} pairs of dataset and stream: prototype {pairs[:, 0].mean():.4f}, "
        f"Braid {pairs[:, 1].mean():.4f}, difference\n{difference.mean():+.5f}, without the first "
        f"row {pairs[:, 2].mean():+.5f}. Largest difference: {worst[1]} {worst[2]}, "
        f"{worst[0]:+.4f}\n(not counting colon, which has 62 rows: one mistake is .016).\n"
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
