"""Braid: nanoseconds for each value, beside its prototype and a bare AdaGrad over the same rows.

The budget is a tenth of the features; a value counts whether its feature is held or not.

``python -m benchmarks.braid_cost [sets]`` needs the sets in the folder that BRAIDED_DATA names and
the prototype beside it. What is measured is the time of the processor, so that others who share the
machine matter less.
"""

from __future__ import annotations

import sys
from time import thread_time

import numpy as np
from numba import njit

from benchmarks.braid_table import load
from benchmarks.laboratory import prototype
from braided import Braid, streams
from braided.records import as_rows

SETS = (
    "magic04",
    "spambase",
    "splice",
    "isolet_ab",
    "a8a",
    "sms_spam",
    "20news_rec_vs_sci",
    "imdb",
)
RUNS = 5


@njit(nogil=True, error_model="numpy")
def adagrad(indptr, indices, values, labels, weight, squares):
    """Logistic regression by AdaGrad and nothing else."""
    for row in range(labels.size):
        margin = 0.0
        for i in range(indptr[row], indptr[row + 1]):
            margin += weight[indices[i]] * values[i]
        pull = labels[row] / (1.0 + np.exp(labels[row] * margin))
        for i in range(indptr[row], indptr[row + 1]):
            gradient = pull * values[i]
            squares[indices[i]] += gradient * gradient
            weight[indices[i]] += 0.1 * gradient / np.sqrt(0.01 + squares[indices[i]])


def best(*actions) -> list[float]:
    """The shortest time of each; they take turns, so that slow spells of the machine meet all."""
    seconds = [[] for _ in actions]
    for _ in range(1 + RUNS):
        for action, times in zip(actions, seconds, strict=True):
            start = thread_time()
            action()
            times.append(thread_time() - start)
    return [min(times[1:]) for times in seconds]  # the first time, it is compiled


def main() -> None:
    print(
        "ns a value            prototype    Braid   ratio   AdaGrad   within a budget: both, ratio"
    )
    for name in sys.argv[1:] or SETS:
        stream = streams.fixed(*load(name))
        rows = as_rows(next(stream.blocks(len(stream))))
        weights = np.zeros((2, rows.width))
        budget = max(2, round(0.1 * rows.width))
        theirs, ours, bare, their_limited, limited = best(
            lambda r=rows: prototype(r),
            lambda r=rows: Braid().prequential(r),
            lambda r=rows, w=weights: adagrad(r.indptr, r.indices, r.values, r.labels, w[0], w[1]),
            lambda r=rows, b=budget: prototype(r, b),
            lambda r=rows, b=budget: Braid(budget=b).prequential(r),
        )
        per_value = 1e9 / rows.values.size
        print(
            f"{name:20} {theirs * per_value:10.1f} {ours * per_value:8.1f} "
            f"{ours / theirs:7.2f} {bare * per_value:9.1f} {their_limited * per_value:10.1f} "
            f"{limited * per_value:8.1f} {limited / their_limited:7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
