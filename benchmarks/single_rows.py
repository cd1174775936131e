"""Single dicts: predict_one and learn_one beside river's logistic regression.

Then records of 15 numbers and 5 categories beside those of 20 numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from river import linear_model

import braided
from benchmarks.history import note
from benchmarks.measure import best_by_turns, by_turns, ratio_by_turns

ROWS = 2_000
RUNS = 7
TURNS = 25
CATEGORIES = 5
VALUES = 20
"""The values of a category."""


def dicts(width: int, vocabulary: int, seed: int = 0) -> list[tuple[dict[str, float], bool]]:
    """Rows of ``width`` names out of a vocabulary; all of it if it is as small."""
    rng = np.random.default_rng(seed)
    names = [f"feature_{i}" for i in range(vocabulary)]
    rows = []
    for _ in range(ROWS):
        chosen = rng.permutation(vocabulary)[:width] if vocabulary > width else range(width)
        values = rng.normal(size=width).tolist()
        row = {names[j]: v for j, v in zip(chosen, values, strict=True)}
        rows.append((row, bool(values[0] + values[1] > 0)))
    return rows


def records(width: int, seed: int = 0) -> list[tuple[dict[str, Any], bool]]:
    """The same rows, with texts in place of the last numbers."""
    rng = np.random.default_rng(seed)
    rows = []
    for x, y in dicts(width, width, seed):
        last = [*x][-CATEGORIES:]
        texts = (f"value-{v}" for v in rng.integers(VALUES, size=CATEGORIES))
        rows.append((x | dict(zip(last, texts, strict=True)), y))
    return rows


def run(model, rows) -> None:
    predict, learn = model.predict_one, model.learn_one
    for x, y in rows:
        predict(x)
        learn(x, y)


def main() -> None:
    print("microseconds for predict_one + learn_one      OLSF   Braid   river   OLSF / river")
    for width in (20, 100):
        for vocabulary, kind in ((width, "the same names"), (1000, "changing names")):
            rows = dicts(width, vocabulary)
            models = braided.OLSF(), braided.Braid(), linear_model.LogisticRegression()
            for model in models:
                run(model, rows)
            seconds = best_by_turns(RUNS, *(lambda m=m, r=rows: run(m, r) for m in models))
            olsf, braid, river = (s / ROWS * 1e6 for s in seconds)
            note(f"OLSF / river, {width} of {kind}", olsf / river)
            note(f"Braid / river, {width} of {kind}", braid / river)
            times = f"{olsf:24.2f} {braid:7.2f} {river:7.2f} {olsf / river:14.2f}"
            print(f"{width:4} of {kind:16} {times}")
    print("\n15 numbers and 5 categories              20 numbers   records   records / numbers")
    for learner in (braided.OLSF, braided.Braid):
        cases = []
        for rows in (dicts(20, 20), records(20)):
            model = learner()
            run(model, rows)
            cases.append(lambda m=model, r=rows: run(m, r))
        numbers, others = by_turns(TURNS, *cases)
        times = f"{min(numbers) / ROWS * 1e6:22.2f} {min(others) / ROWS * 1e6:9.2f}"
        print(f"{learner.__name__:28} {times} {ratio_by_turns(others, numbers):19.2f}")


if __name__ == "__main__":
    main()
