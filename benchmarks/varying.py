"""Varying feature spaces: what a round of GLSC and of FESL costs."""

from __future__ import annotations

import copy

import numpy as np

from benchmarks.measure import Action, best_by_turns, best_of
from braided import FESL, GLSC, OCO, Learner
from braided.rows.rows import Rows
from braided.streams import FactorModel, linear_switch

RUNS = 5


def half_observed(features: int, rounds: int, seed: int = 0) -> Rows:
    """Rows of a factor model, each with a random half of its features."""
    rows = FactorModel(features=features, seed=seed).rows(rounds)
    half = features // 2
    chosen = np.random.default_rng(seed).random((rounds, features)).argsort(axis=1)[:, :half]
    values = np.take_along_axis(rows.values.reshape(rounds, features), chosen, axis=1)
    indptr = np.arange(rounds + 1, dtype=np.int64) * half
    indices = chosen.ravel().astype(np.int32)
    return Rows(indptr, indices, values.ravel(), features, rows.names, rows.labels)


def show_glsc() -> None:
    print(
        "GLSC, half of the features observed     ms a round   ns an edge   (at 1000: at most 5 ms)"
    )
    for graph in ("regression", "gradient", "multiplicative"):
        for features in (100, 300, 1000):
            rounds = max(30, 20_000_000 // features**2)
            rows = half_observed(features, 20 + rounds)
            model = GLSC(graph=graph, budget=features).partial_fit(rows[:20])
            seconds = best_of(RUNS, lambda m=model, r=rows: m.prequential(r[20:])) / rounds
            edge = seconds / (features * features / 2)
            print(f"{graph:15} {features:5} features {1e3 * seconds:18.3f} {1e9 * edge:12.2f}")


def show_fesl() -> None:
    """Beside OCO, over rows of one generation and over rows after a switch.

    After it, each round takes M M'x: a product with as many factors as pairs of features, against
    as many as features for OCO. So the ratio grows with them.
    """
    print("\nFESL / OCO over the same rows          before a switch   after it   (at most 3)")
    for features in (20, 100):
        stream = linear_switch(generations=2, features=features, rounds=20_000, overlap=200)
        rows = next(stream.blocks(len(stream)))
        ratios = []
        for start, stop in ((100, 19_000), (20_050, 40_000)):
            models = [cls().partial_fit(rows[:start]) for cls in (OCO, FESL)]
            times = best_by_turns(RUNS, *(learning(m, rows[start:stop]) for m in models))
            ratios.append(times[1] / times[0])
        print(f"{features:4} features a generation {ratios[0]:24.2f} {ratios[1]:10.2f}")


def learning(model: Learner, rows: Rows) -> Action:
    """Learn the rows from the same state in each run; copying it is not part of the time."""
    copies = [copy.deepcopy(model) for _ in range(RUNS)]
    return lambda: copies.pop().partial_fit(rows)


def main() -> None:
    show_glsc()
    show_fesl()


if __name__ == "__main__":
    main()
