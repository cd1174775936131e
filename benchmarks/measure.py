"""Timing: the best of several runs, since noise on a shared machine only ever adds."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def best_of(
    runs: int, action: Callable[[], object], prepare: Callable[[], object] | None = None
) -> float:
    """The shortest time of ``action`` in seconds."""
    best = float("inf")
    for _ in range(runs):
        if prepare is not None:
            prepare()
        start = perf_counter()
        action()
        best = min(best, perf_counter() - start)
    return best
