"""What merging costs: the error of models merged from K shards beside one model of all rows.

``python -m benchmarks.spark_table [--orders 1] [--shards 2,4,8,16,64] [--linear] [sets]`` needs the
datasets in the folder BRAIDED_DATA. The shards are learned one after another in this process, by
the merge that ``braided.spark`` uses; no Spark is needed. Rows are put in order by chance; the
first four fifths are learned, and the error is that on the last fifth.

Braid: the first tenth is learned as the base, the shards go on from it, and the last 1,000 rows are
learned by the merged model. Linear learners: one merge, without a base.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.braid_table import load
from braided import FSOL, OCO, OLSF, SSOL, Braid, from_bytes
from braided.rows.rows import Rows

SETS = ("20news_rec_vs_sci", "a8a", "covtype", "imdb", "kddcup99_10pct", "rcv1_sample", "spambase")
TAIL, BASE = 1000, 0.1
LINEAR: dict[str, Callable[[], Any]] = {
    "SSOL": SSOL,
    "OCO adaptive": lambda: OCO(schedule="adaptive"),
    "FSOL": FSOL,
    "OLSF-I": OLSF,
}


def error(model: Any, rows: Rows) -> float:
    return float(np.mean(~(model.decision_function(rows) * model_signs(model, rows) > 0)))


def model_signs(model: Any, rows: Rows) -> Any:
    assert rows.labels is not None
    return np.where(rows.labels == model.classes_[-1], 1.0, -1.0)


def shards_of(rows: Rows, shards: int) -> list[Rows]:
    """Rows dealt out in turn; shards without rows are left out."""
    dealt = [rows[np.arange(k, len(rows), shards)] for k in range(shards)]
    return [shard for shard in dealt if len(shard)]


def with_base(make: Callable[[], Any], rows: Rows, shards: int) -> tuple[Any, float, int]:
    """The merged model, the seconds that merging took, and the bytes of a model."""
    first, last = int(BASE * len(rows)), len(rows) - min(TAIL, len(rows) // 4)
    base = make().partial_fit(rows[:first])
    packed = base.to_bytes()
    models = [from_bytes(packed).partial_fit(s) for s in shards_of(rows[first:last], shards)]
    start = perf_counter()
    merged = models[0].merge(*models[1:], since=base)
    seconds = perf_counter() - start
    return merged.partial_fit(rows[last:]), seconds, len(models[0].to_bytes())


def once(make: Callable[[], Any], rows: Rows, shards: int) -> Any:
    models = [make().count_features().partial_fit(shard) for shard in shards_of(rows, shards)]
    return models[0].merge(*models[1:])


def measure(name: str, orders: int, shards: list[int], linear: bool) -> dict[Any, list[float]]:
    X, y = load(name)
    found: dict[Any, list[float]] = {}
    for seed in range(orders):
        order = np.random.default_rng(seed).permutation(len(X))
        rows = X.with_labels(y)[order]
        cut = len(rows) * 4 // 5
        learned, tested = rows[:cut], rows[cut:]
        makes = LINEAR if linear else {"Braid": Braid}
        for learner, make in makes.items():
            one = error(make().partial_fit(learned), tested)
            found.setdefault((learner, 1), []).append(one)
            for k in shards:
                if linear:
                    merged, told = once(make, learned, k), ""
                else:
                    merged, seconds, size = with_base(make, learned, k)
                    told = f" merged in {seconds:.2f} s, {size} bytes a model"
                found.setdefault((learner, k), []).append(error(merged, tested))
                print(
                    f"{name} {learner} order {seed} K={k}: "
                    f"{found[learner, k][-1]:.4f} beside {one:.4f}{told}",
                    flush=True,
                )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--orders", type=int, default=1)
    parser.add_argument("--shards", default="2,4,8,16,64")
    parser.add_argument("--linear", action="store_true")
    options = parser.parse_args()
    shards = [*map(int, options.shards.split(","))]
    found = {name: measure(name, options.orders, shards, options.linear) for name in options.sets}
    learners = LINEAR if options.linear else ("Braid",)
    print(f"\n| learner | set | sequential | {' | '.join(f'K={k}' for k in shards)} |")
    print("|---" * (3 + len(shards)) + "|")
    for learner in learners:
        lines = {n: [np.mean(f[learner, k]) for k in (1, *shards)] for n, f in found.items()}
        for name, line in {**lines, "**mean**": np.mean([*lines.values()], axis=0)}.items():
            print(f"| {learner} | {name} | {' | '.join(f'{each:.4f}' for each in line)} |")


if __name__ == "__main__":
    main()
