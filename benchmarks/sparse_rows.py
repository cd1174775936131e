"""Learners over a sparse stream whose space grows, beside a bare pass over the same rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from benchmarks.braid_table import load
from benchmarks.history import note
from benchmarks.measure import best_by_turns, best_of
from benchmarks.sparse_stream import sparse_stream
from braided import InputError, Learner, registry, streams
from braided.rows.rows import Rows

RUNS = 7

# A learner with its parameters, and the ratio that it must not exceed.
LEARNERS: list[tuple[tuple[str, dict[str, Any]], float]] = [
    (("oco", {}), 1.6),
    (("fsol", {}), 1.6),
    (("fobos", {}), 1.6),
    (("stg", {}), 1.6),
    (("olsf-i", {"budget": 1.0}), 2),
    (("olsf-i", {"budget": 0.1}), 6),
    (("olsf-i", {"budget": 0.01}), 4),
    (("olsf-i", {"budget": 0.001}), 4),
    (("ofs", {"budget": 0.01}), 5),
    (("ssol", {}), 2.5),
    (("ada-fobos", {}), 2.5),
    (("ada-rda", {}), 2.5),
]


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


def bare(rows: Rows) -> Callable[[], None]:
    """The bare pass over these rows, compiled."""
    assert rows.labels is not None
    labels, weight = rows.labels.astype(np.float64), np.zeros(rows.width)

    def action() -> None:
        weight.fill(0.0)
        bare_pass(rows.indptr, rows.indices, rows.values, labels, weight)

    action()
    return action


def learning(name: str, rows: Rows, **parameters: Any) -> Callable[[], Learner]:
    """All of ``partial_fit`` by a fresh learner, compiled."""
    registry.create(name, **parameters).partial_fit(rows[:10])
    return lambda: registry.create(name, **parameters).partial_fit(rows)


def show_ratios(rows: Rows) -> None:
    print("learner                       x bare pass   at most")
    for (name, parameters), most in LEARNERS:
        settings = " ".join(f"{key}={value}" for key, value in parameters.items())
        show_ratio(f"{name} {settings}", most, rows, name, **parameters)


def show_ratio(shown: str, most: float, rows: Rows, name: str, **parameters: Any) -> None:
    pass_seconds, seconds = best_by_turns(RUNS, bare(rows), learning(name, rows, **parameters))
    ratio = note(f"{shown.strip()} / bare pass", seconds / pass_seconds)
    print(f"{shown:30} {ratio:10.2f} {most:9g}", flush=True)


def show_braid() -> None:
    """Braid over the reviews of imdb, if BRAIDED_DATA has them."""
    try:
        stream = streams.fixed(*load("imdb"))
    except InputError:
        print("braid on imdb: BRAIDED_DATA has no such set")
        return
    show_ratio("braid on imdb", 8, next(stream.blocks(len(stream))), "braid")


GROWING: list[tuple[str, dict[str, Any]]] = [
    ("olsf-i", {"budget": 1000}),
    ("ofs", {"budget": 1000}),
    ("fsol", {}),
    ("ssol", {}),
    ("fobos", {}),
    ("ada-rda", {}),
]


def show_growth(rows: Rows) -> None:
    """Rows late in the stream, when most features were seen, against early ones."""
    print("learner                      a late row / an early one   at most")
    tenth = len(rows) // 10
    early, late = rows[tenth : 2 * tenth], rows[-tenth:]
    for name, parameters in GROWING:
        best = {"early": float("inf"), "late": float("inf")}
        for _ in range(RUNS):
            model = registry.create(name, **parameters).partial_fit(rows[:tenth])
            best["early"] = min(best["early"], best_of(1, lambda m=model: m.partial_fit(early)))
            model.partial_fit(rows[2 * tenth : -tenth])
            best["late"] = min(best["late"], best_of(1, lambda m=model: m.partial_fit(late)))
        ratio = best["late"] / late.values.size * early.values.size / best["early"]
        settings = " ".join(f"{key}={value}" for key, value in parameters.items())
        print(f"{name + ' ' + settings:30} {ratio:24.2f} {1.5:9g}", flush=True)


def main() -> None:
    rows = sparse_stream()
    size = rows.values.size / len(rows)
    print(
        f"{len(rows):,} rows x {size:.1f} values in a space that grows to {rows.width:,} features"
    )
    print("all of partial_fit, beside a bare pass of online gradient descent over the same rows\n")
    show_ratios(rows)
    show_braid()
    print()
    show_growth(rows)


if __name__ == "__main__":
    main()
