"""Schedules: how steps and thresholds change with the rounds.

Steps are constant or decay. Thresholds are constant or grow, with all rounds (the global clock) or
with the rounds since a feature was first seen (its own clock).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import compiled

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part

__all__ = ["CLOCKS", "DECAYS", "SCHEDULES", "Births", "Schedule", "births_are_sound", "kept_births"]
__all__ += [
    "merged_births",
    "new_births",
    "note_births",
    "owed",
    "schedule",
    "step_of_round",
    "thresholds",
]

DECAYS = ("none", "sqrt")
SCHEDULES = ("constant", "growing")
CLOCKS = ("global", "feature")


class Schedule(NamedTuple):
    """A threshold as kernels see it: a fixed part, and one for each round gone by."""

    fixed: float
    each_round: float
    own_clock: bool  # whether a feature counts the rounds from its own first


class Births(NamedTuple):
    """How many rounds there were before each feature was first seen, if the schedule needs it."""

    noted: NDArray[np.int64]
    rounds_before: NDArray[np.float64]  # by feature, or empty


def schedule(amount: float, kind: str, clock: str) -> Schedule:
    """A threshold of this amount: in all, or for each round."""
    grows = kind == "growing"
    return Schedule(
        fixed=0.0 if grows else amount,
        each_round=amount if grows else 0.0,
        own_clock=grows and clock == "feature",
    )


def new_births(capacity: int, schedule: Schedule) -> Births:
    """No births yet, with room for this many features if the schedule needs them."""
    room = capacity if schedule.own_clock else 0
    return Births(noted=np.zeros(1, np.int64), rounds_before=np.zeros(room))


def kept_births(births: Births, schedule: Schedule) -> Births:
    """The births that a schedule needs.

    Features that were seen under a schedule that needs none count from the first round.
    """
    return births if schedule.own_clock else births._replace(rounds_before=np.zeros(0))


def merged_births(births: Births, seen: int, merge: Merge) -> Births:
    """Rounds since births add up; in a model that does not know a feature there were none."""
    births.noted[0] = seen
    if births.rounds_before.size:
        births.rounds_before[:seen] = merge.total(_rounds_before)[:seen]
    return births


def _rounds_before(part: Part) -> NDArray[np.float64]:
    known = part.state.births.rounds_before
    known = known if known.size else np.zeros(part.columns.size)
    return part.spread(known, elsewhere=part.rounds)


def births_are_sound(births: Births, seen: int, rounds: int) -> bool:
    """Whether these births can have been noted when so many features and rounds were seen."""
    before = births.rounds_before
    in_time = before.min(initial=0.0) >= 0 and before.max(initial=0.0) <= rounds
    return 0 <= int(births.noted[0]) <= seen and bool(in_time)


@compiled
def step_of_round(step: float, decays: bool, round: int) -> float:
    """eta, or eta / sqrt(t)."""
    return step / math.sqrt(round) if decays else step


@compiled
def owed(schedule: Schedule, rounds: float) -> float:
    """The threshold after this many rounds."""
    return schedule.fixed + schedule.each_round * rounds


@compiled
def note_births(births: Births, seen: int, rounds: int) -> None:
    """Note the features first seen in this round; both counts include it.

    Columns are numbered by first sight, so that not every entry need be looked at.
    """
    for feature in range(births.noted[0], min(seen, births.rounds_before.size)):
        births.rounds_before[feature] = rounds - 1
    births.noted[0] = seen


def thresholds(schedule: Schedule, rounds: int, births: Births) -> float | NDArray[np.float64]:
    """The threshold of every feature after this many rounds; one number if all have the same."""
    start = births.rounds_before if schedule.own_clock else 0.0
    return schedule.fixed + schedule.each_round * (rounds - start)
