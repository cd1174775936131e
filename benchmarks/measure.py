"""Timing: the best of several runs, since noise on a shared machine only ever adds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

Action = Callable[[], object]


def best_of(runs: int, action: Action) -> float:
    """The shortest time of an action in seconds."""
    (best,) = best_by_turns(runs, action)
    return best


def best_by_turns(runs: int, *actions: Action) -> list[float]:
    """The shortest time of each action; they take turns, so that all meet the same noise."""
    return [min(times) for times in by_turns(runs, *actions)]


def by_turns(runs: int, *actions: Action) -> list[list[float]]:
    """The times of each action, turn by turn."""
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(runs):
        for action, its_times in zip(actions, times, strict=True):
            start = perf_counter()
            action()
            its_times.append(perf_counter() - start)
    return times


def ratio_by_turns(times: Sequence[float], others: Sequence[float]) -> float:
    """The median over turns of how much longer the first took.

    For two actions that take almost the same time. The best of each may come from different turns,
    and a machine whose speed drifts by a tenth makes more of a difference than they do.
    """
    return median(a / b for a, b in zip(times, others, strict=True))
