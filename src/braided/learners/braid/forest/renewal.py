"""Renewal: a tree whose errors have risen begins anew.

Only half of the trees are ever renewed, the others remember. The mean error of about the last 128
rows is compared with that of about the last 2,000; of the trees in which it has risen by more than
4 standard errors, the worst begins anew, at most one in 32 rows.
"""

from __future__ import annotations

from braided.compiled.jit import Whole, compiled, inlined
from braided.learners.braid.forest.growth import plant
from braided.learners.braid.forest.layout import (
    AGE,
    LATE_ERROR,
    LEARNED,
    LONG_ERROR,
    RENEWED,
    Forest,
)

__all__ = ["note_error", "renew_worst"]

LATE, LONG = 128.0, 2000.0
"""About how many rows are in the two mean errors."""

YOUNGEST = 1024.0
"""A tree is not compared before it has learned so many rows."""

RISEN = 16.0
"""The square of how many standard errors the error must have risen by."""

LEAST_VARIANCE = 0.01
APART = 32
"""Rows between two renewals, at least."""


@inlined
def note_error(forest: Forest, tree: Whole, wrong: bool) -> None:
    """Add a row to the mean errors of a tree."""
    health, error = forest.health[tree], 1.0 if wrong else 0.0
    health[AGE] += 1.0
    health[LATE_ERROR] += (error - health[LATE_ERROR]) / min(health[AGE], LATE)
    health[LONG_ERROR] += (error - health[LONG_ERROR]) / min(health[AGE], LONG)


@compiled
def renew_worst(forest: Forest) -> None:
    """Let the worst of the trees that became worse begin anew, if none did so lately."""
    rounds = forest.rounds
    if rounds[LEARNED] - rounds[RENEWED] < APART:
        return
    worst, most = -1, RISEN
    for tree in range(forest.used.shape[0] // 2):
        health = forest.health[tree]
        late, long = health[LATE_ERROR], health[LONG_ERROR]
        if health[AGE] > YOUNGEST and late > long:
            risen = (late - long) ** 2 * LATE / max(long * (1.0 - long), LEAST_VARIANCE)
            if risen > most:
                worst, most = tree, risen
    if worst >= 0:
        plant(forest, worst)
        rounds[RENEWED] = rounds[LEARNED]
