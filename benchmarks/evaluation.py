"""Prequential evaluation with every metric, beside the bare learning pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.history import note
from benchmarks.measure import by_turns, ratio_by_turns
from benchmarks.sparse_rows import learning
from benchmarks.sparse_stream import sparse_stream
from braided import registry, streams
from braided.evaluate import prequential
from braided.rows.rows import Rows

TURNS, FEW_TURNS = 101, 11
LIMIT = 1.15
SNAPSHOTS = 20

LEARNERS: list[tuple[str, dict[str, Any]]] = [
    ("olsf-i", {}),
    ("olsf-i", {"budget": 0.01}),
    ("fsol", {}),
    ("oco", {}),
]


def evaluating(
    name: str, rows: Rows, parameters: dict[str, Any], **options: Any
) -> Callable[[], dict[str, float]]:
    """A whole evaluation by a fresh learner, compiled, down to the metrics."""
    prequential(registry.create(name, **parameters), streams.given(rows[:10]), **options)
    stream = streams.given(rows)

    def action() -> dict[str, float]:
        return prequential(registry.create(name, **parameters), stream, **options).metric_values

    return action


def main() -> None:
    rows = sparse_stream()
    print(f"{len(rows):,} rows; all of prequential and its metrics, beside all of partial_fit,")
    print(f"turn by turn: the median of {TURNS} turns (and of {FEW_TURNS}), and the best of each\n")
    head = f"{SNAPSHOTS} snapshots     delay 100"
    print(f"learner                    x partial_fit   at most   by the best   {head}")
    for name, parameters in LEARNERS:
        bare = learning(name, rows, **parameters)
        learned, evaluated = by_turns(TURNS, bare, evaluating(name, rows, parameters))
        beside, checked, late = by_turns(
            FEW_TURNS,
            bare,
            evaluating(name, rows, parameters, every=len(rows) // SNAPSHOTS),
            evaluating(name, rows, parameters, delay=100),
        )
        settings = " ".join(f"{key}={value}" for key, value in parameters.items())
        ratio = note(
            f"evaluate / learn, {name} {settings}".strip(), ratio_by_turns(evaluated, learned)
        )
        print(
            f"{name + ' ' + settings:27} {ratio:12.2f} {LIMIT:9g} "
            f"{min(evaluated) / min(learned):13.2f} {ratio_by_turns(checked, beside):16.2f} "
            f"{ratio_by_turns(late, beside):11.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
