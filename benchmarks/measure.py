"""Timing: the best of several runs, since noise on a shared machine only ever adds."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

Action = Callable[[], object]


def best_of(runs: int, action: Action) -> float:
    """The shortest time of an action in seconds."""
    (best,) = best_by_turns(runs, action)
    return best


def best_by_turns(runs: int, *actions: Action) -> list[float]:
    """The shortest time of each action; they take turns, so that all meet the same noise."""
    best = [float("inf")] * len(actions)
    for _ in range(runs):
        for i, action in enumerate(actions):
            start = perf_counter()
            action()
            best[i] = min(best[i], perf_counter() - start)
    return best
