"""Learners over a sparse stream whose space grows, as a ratio to a bare pass over the same rows."""

from __future__ import annotations

import numpy as np
from numba import njit

import braided
from benchmarks.measure import best_of
from benchmarks.sparse_stream import sparse_stream
from braided.rows import Rows

RUNS = 3


@njit(nogil=True, error_model="numpy")
def bare_pass(indptr, indices, values, labels, weight):
    """Online gradient descent on hinge loss and nothing else: no growth, no names, no budget."""
    for row in range(labels.size):
        score = 0.0
        for i in range(indptr[row], indptr[row + 1]):
            score += weight[indices[i]] * values[i]
        if labels[row] * score < 1.0:
            for i in range(indptr[row], indptr[row + 1]):
                weight[indices[i]] += 0.1 * labels[row] * values[i]


def bare_seconds(rows: Rows) -> float:
    labels = rows.labels.astype(np.float64)
    weight = np.zeros(rows.width)
    bare_pass(rows.indptr, rows.indices, rows.values, labels[:0], weight)
    return best_of(
        RUNS,
        lambda: bare_pass(rows.indptr, rows.indices, rows.values, labels, weight),
        prepare=lambda: weight.fill(0.0),
    )


def main() -> None:
    rows = sparse_stream()
    print(
        f"{len(rows):,} rows x {rows.values.size / len(rows):.1f} values, {rows.width:,} features"
    )
    bare = bare_seconds(rows)
    print(f"bare pass: {bare * 1e9 / rows.values.size:.1f} ns a value\n")
    braided.OLSF(budget=0.5).partial_fit(rows[:10])
    print("learner                    ratio to the bare pass (partial_fit, all included)")
    for budget in (1.0, 0.1, 0.01, 0.001):
        seconds = best_of(RUNS, lambda b=budget: braided.OLSF(budget=b).partial_fit(rows))
        print(f"OLSF-I budget={budget:<8}     {seconds / bare:5.2f}")


if __name__ == "__main__":
    main()
