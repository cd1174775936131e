"""What forest and pairs buy, and cost: ``Braid(experts="all")`` beside ``Braid()``.

``python -m benchmarks.braid_forest [datasets]`` writes ``docs/braid_forest.md``: the datasets and
streams of ``braid_table``, with the same rows for both. It needs the datasets in the folder
BRAIDED_DATA. The file is written after each dataset; lines of other datasets stay. Times are those
of the processor, for the dataset as a fixed stream.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import thread_time

import numpy as np

from benchmarks.braid_table import DENSE, SHAPES, SPARSE, load
from braided import Braid

OUTPUT = Path(__file__).parents[1] / "docs" / "braid_forest.md"

HEAD = """# Braid with and without forest and pairs

Error rate on the same rows of `Braid()` and of `Braid(experts="all")`. Mean over seeds: 3 for
datasets below 1000 rows, else 1; at most 20,000 rows. The last column compares processor time. Made
by `python -m benchmarks.braid_forest`.
"""

COLUMNS = """| dataset | stream | additive | all | difference | time, all / additive |
|---|---|---|---|---|---|"""

MOST_ROWS = 20_000
Results = dict[tuple[str, str], tuple[float, float, float]]


def measured(name: str, shape: str) -> tuple[float, float, float]:
    """Both error rates, and the ratio of times."""
    X, y = load(name)
    X, y = X[:MOST_ROWS], y[:MOST_ROWS]
    found, seconds = [], np.zeros(2)
    for seed in range(3 if len(X) < 1000 else 1):
        stream = SHAPES[shape](X, y, seed)
        rows = next(stream.blocks(len(stream)))
        errors = []
        for kind, experts in enumerate(("additive", "all")):
            start = thread_time()
            scores = Braid(experts=experts).prequential(rows)
            seconds[kind] += thread_time() - start
            errors.append(np.mean(~(scores * rows.labels > 0)))
        found.append(errors)
    additive, everything = np.mean(found, axis=0).tolist()
    return additive, everything, float(seconds[1] / seconds[0])


def table() -> Results:
    """The results in the file so far."""
    found = {}
    for line in OUTPUT.read_text().splitlines() if OUTPUT.is_file() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 6 and cells[1] in SHAPES:
            found[cells[0], cells[1]] = (float(cells[2]), float(cells[3]), float(cells[5]))
    return found


def write(results: Results) -> None:
    order = [(name, shape) for name in (*DENSE, *SPARSE) for shape in SHAPES]
    order = [key for key in order if key in results]
    pairs = np.array([results[key] for key in order])
    difference = pairs[:, 1] - pairs[:, 0]
    worst = max((d, *key) for key, d in zip(order, difference, strict=True) if key[0] != "colon")
    summary = (
        f"Mean of {len(pairs)} pairs of dataset and stream: additive {pairs[:, 0].mean():.4f}, "
        f"all {pairs[:, 1].mean():.4f}, difference {difference.mean():+.4f}.\n"
        f"Largest difference: {worst[1]} {worst[2]}, {worst[0]:+.4f} (not counting colon, which "
        "has 62 rows: one mistake is .016).\n"
    )
    lines = [
        f"| {name} | {shape} | {before:.4f} | {after:.4f} | {after - before:+.4f} | {ratio:.1f} |"
        for name, shape in order
        for before, after, ratio in [results[name, shape]]
    ]
    OUTPUT.write_text("\n".join([HEAD, summary, COLUMNS, *lines, ""]))


def main() -> None:
    for experts in ("additive", "all"):  # compiled
        Braid(experts=experts).prequential([{"a": 1.0}, {"a": 2.0}], [0, 1])
    results = table()
    for name in sys.argv[1:] or [*DENSE, *SPARSE]:
        for shape in SHAPES:
            results[name, shape] = measured(name, shape)
            print(name, shape, "{:.4f} {:.4f} {:.1f}".format(*results[name, shape]), flush=True)
        write(results)


if __name__ == "__main__":
    main()
