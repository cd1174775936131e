"""Kept: the features that hold a weight under a budget, the smallest magnitude on top.

A binary min-heap that knows where each feature stands. What leaves first is the smallest
magnitude and, among equals, the feature seen last.

Keys may be stale, but only too low: a weight that grew needs no work until its feature reaches the
top (``settle`` puts it right there); a weight that shrank below its key is moved at once
(``shrunk``). So most features of a row cost a comparison.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.kernels.budget import allowed, budget_as_number, room_for
from braided.kernels.compiled import compiled

__all__ = [
    "ABSENT",
    "NOBODY",
    "Kept",
    "admit",
    "forget_leavers",
    "holds_all",
    "kept_within",
    "leave",
    "new_kept",
]
__all__ += ["note_leaver", "rebuild", "shrunk", "threshold"]

NOBODY = -1
ABSENT = -1
_LEFT = -3  # and below: left while the present row was learned


class Kept(NamedTuple):
    """The heap's arrays."""

    size: NDArray[np.int64]
    members: NDArray[np.int32]  # by position: the feature
    keys: NDArray[np.float64]  # by position: its magnitude, or less
    place: NDArray[np.int32]  # by feature: its position, or ABSENT, or that it just left
    last_leaver: NDArray[np.int64]


def new_kept(capacity: int, room: int) -> Kept:
    """An empty heap over ``capacity`` features with room for ``room`` of them."""
    return Kept(
        size=np.zeros(1, np.int64),
        members=np.zeros(room, np.int32),
        keys=np.zeros(room),
        place=np.full(capacity, ABSENT, np.int32),
        last_leaver=np.full(1, NOBODY, np.int64),
    )


def kept_within(weight: NDArray[np.float64], seen: int, budget: float) -> Kept:
    """The heap of the largest weights that a budget allows; all others are set to 0."""
    kept = new_kept(weight.size, room_for(budget, weight.size))
    if budget_as_number(budget) == 1.0:
        return kept
    order = np.argsort(-np.abs(weight), kind="stable")
    weight[order[allowed(budget_as_number(budget), seen) :]] = 0.0
    members = np.flatnonzero(weight)
    kept.size[0] = members.size
    kept.members[: members.size] = members
    rebuild(kept, weight)
    return kept


def holds_all(kept: Kept, weight: NDArray[np.float64]) -> bool:
    """Whether the heap holds the features that have a weight, each once, and knows where."""
    size = int(kept.size[0])
    if not 0 <= size <= kept.members.size or kept.last_leaver[0] != NOBODY:
        return False
    weighty = np.flatnonzero(weight) if kept.members.size else np.empty(0, np.int64)
    place = np.full(kept.place.size, ABSENT, np.int32)
    if not np.array_equal(np.sort(kept.members[:size]), weighty):
        return False
    place[kept.members[:size]] = np.arange(size)
    return np.array_equal(kept.place, place)


@compiled
def _leaves_before(key: float, feature: int, other_key: float, other: int) -> bool:
    return key < other_key or (key == other_key and feature > other)


@compiled
def _put(kept: Kept, position: int, feature: int, key: float) -> None:
    kept.members[position] = feature
    kept.keys[position] = key
    kept.place[feature] = position


@compiled
def _rise(kept: Kept, position: int, feature: int, key: float) -> None:
    """Put a feature at a free position or above it."""
    while position > 0:
        parent = (position - 1) >> 1
        if not _leaves_before(key, feature, kept.keys[parent], kept.members[parent]):
            break
        _put(kept, position, kept.members[parent], kept.keys[parent])
        position = parent
    _put(kept, position, feature, key)


@compiled
def _sink(kept: Kept, position: int, feature: int, key: float) -> None:
    """Put a feature at a free position or below it."""
    size = kept.size[0]
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        right = child + 1
        if right < size and _leaves_before(
            kept.keys[right], kept.members[right], kept.keys[child], kept.members[child]
        ):
            child = right
        if not _leaves_before(kept.keys[child], kept.members[child], key, feature):
            break
        _put(kept, position, kept.members[child], kept.keys[child])
        position = child
    _put(kept, position, feature, key)


@compiled
def shrunk(kept: Kept, feature: int, magnitude: float) -> None:
    """Tell that the weight of a kept feature became smaller."""
    position = kept.place[feature]
    if magnitude < kept.keys[position]:
        _rise(kept, position, feature, magnitude)


@compiled
def threshold(kept: Kept, budget: int) -> float:
    """A magnitude below which ``admit`` lets nothing in: most features of a row stop here.

    The top's key may be too low, but never too high.
    """
    return kept.keys[0] if kept.size[0] >= budget else 0.0


@compiled
def admit(kept: Kept, feature: int, key: float, budget: int, weight: NDArray[np.float64]) -> int:
    """Let a feature in if it belongs to the ``budget`` largest; return who is out for it.

    That is the feature itself, one that was kept, or NOBODY when there was room for all. A feature
    that left while the present row was learned is not let in again: all that it had was weighed
    when it left.
    """
    if key == 0.0 or kept.place[feature] != ABSENT:
        return feature
    if kept.size[0] < budget:
        kept.size[0] += 1
        _rise(kept, kept.size[0] - 1, feature, key)
        return NOBODY
    _settle(kept, weight)
    top = int(kept.members[0])
    if not _leaves_before(kept.keys[0], top, key, feature):
        return feature
    note_leaver(kept, top)
    _sink(kept, 0, feature, key)
    return top


@compiled
def leave(kept: Kept, feature: int) -> None:
    """Take a feature out."""
    position = kept.place[feature]
    note_leaver(kept, feature)
    kept.size[0] -= 1
    last = kept.size[0]
    if position < last:
        member, key = kept.members[last], kept.keys[last]
        _rise(kept, position, member, key)
        _sink(kept, kept.place[member], member, key)


@compiled
def _settle(kept: Kept, weight: NDArray[np.float64]) -> None:
    """Make the top the feature that must leave first, with its true key."""
    while True:
        top = kept.members[0]
        magnitude = abs(weight[top])
        if magnitude == kept.keys[0]:
            return
        _sink(kept, 0, top, magnitude)


@compiled
def note_leaver(kept: Kept, feature: int) -> None:
    """Tell that a feature is out, until ``forget_leavers`` not to be let in again."""
    # The leavers of a row form a list, each one's place telling who left before it.
    kept.place[feature] = _LEFT - kept.last_leaver[0]
    kept.last_leaver[0] = feature


@compiled
def forget_leavers(kept: Kept) -> None:
    """End a row: those who left in it may come again."""
    while kept.last_leaver[0] != NOBODY:
        feature = kept.last_leaver[0]
        kept.last_leaver[0] = _LEFT - kept.place[feature]
        kept.place[feature] = ABSENT


@compiled
def rebuild(kept: Kept, weight: NDArray[np.float64]) -> None:
    """Take all keys anew from the weights; features whose weight became 0 are out."""
    size = 0
    for position in range(kept.size[0]):
        feature = kept.members[position]
        if weight[feature] == 0.0:
            kept.place[feature] = ABSENT
        else:
            _put(kept, size, feature, abs(weight[feature]))
            size += 1
    kept.size[0] = size
    for position in range(size // 2 - 1, -1, -1):
        _sink(kept, position, kept.members[position], kept.keys[position])
