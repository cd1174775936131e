"""Braid with a budget: only the features that are held are scored and learned.

The kernels of Braid see slots instead of columns; ``held_features.py`` decides which features have
a slot.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled, inlined
from braided.kernels.budget import allowed
from braided.kernels.rng import new_rng
from braided.learners.braid import kernels
from braided.learners.braid.forest.growth import has_forest_room
from braided.learners.braid.forest.layout import AT_FIRST, LARGEST, ForestSize
from braided.learners.braid.heap import NO_INDEX, update_key
from braided.learners.braid.held_features import (
    USED,
    Places,
    add_evidence,
    admit,
    are_sound_places,
    drop_beyond_budget,
    end_trials,
    first_to_join,
    new_places,
    share_of_positives,
    usefulness,
)
from braided.learners.braid.interactions import UsedExperts
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import BIRTH, COUNT, MEAN, SPREAD
from braided.learners.braid.replay import ROWS_KEPT, keep_row, replays_after, values_wanted
from braided.learners.braid.statistics import blocks_wanted

__all__ = [
    "BUFFERS",
    "BudgetParameters",
    "BudgetState",
    "are_sound",
    "fit_budget",
    "new_state",
    "with_room",
]


class BudgetParameters(NamedTuple):
    """The parameters as the kernels see them."""

    braid: BraidParameters
    budget: float


class BudgetState(NamedTuple):
    """What was learned, by slot. ``slots`` and ``values`` are buffers for the present row."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    forgotten: NDArray[np.int64]  # how many names were dropped
    places: Places
    braid: BraidState
    rng: NDArray[np.uint64]
    slots: NDArray[np.int32]
    values: NDArray[np.float64]


BUFFERS: dict[str, Any] = {
    "slots": ...,
    "values": ...,
    **{f"braid.{path}": index for path, index in kernels.BUFFERS.items()},
}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""


def new_state(
    capacity: int,
    slots: int,
    held: int,
    used: UsedExperts,
    seed: int,
    blocks: int = 8,
    first_values: int = 64,
    forest_room: ForestSize = AT_FIRST,
    largest: ForestSize = LARGEST,
) -> BudgetState:
    """Make an empty state, with room for columns, slots and held features."""
    return BudgetState(
        rounds=np.zeros(1, np.int64),
        seen=np.zeros(1, np.int64),
        forgotten=np.zeros(1, np.int64),
        places=new_places(capacity, slots, held),
        braid=kernels.new_state(slots, used, seed, blocks, first_values, forest_room, largest),
        rng=new_rng(seed),
        slots=np.zeros(capacity, np.int32),
        values=np.zeros(capacity),
    )


def with_room(state: BudgetState, columns: int) -> BudgetState:
    """Return the state with room to learn a row of so many columns; the same if it has it."""
    braid = kernels.with_room(state.braid, columns, int(state.places.heap.size[0]))
    return state if braid is state.braid else state._replace(braid=braid)


def fit_budget(state: BudgetState, budget: float) -> None:
    """Drop the features that a new budget does not allow."""
    drop_beyond_budget(state, now_allowed(state, budget))


def are_sound(state: BudgetState, budget: float, largest: ForestSize = LARGEST) -> bool:
    """Whether all indices lie within their arrays, and the budget is kept."""
    places, braid, used = state.places, state.braid, int(state.places.line[USED])
    return bool(
        state.forgotten[0] >= 0
        and are_sound_places(places, int(state.seen[0]))
        and places.heap.size[0] <= now_allowed(state, budget)
        and braid.rounds[0] == state.rounds[0]
        and braid.seen[0] == used
        and (places.labels >= 0).all()
        and places.labels.sum() == state.rounds[0]
        and ((state.slots >= 0) & (state.slots < max(1, used))).all()
        and kernels.are_sound(braid, largest)
    )


@inlined
def score(state: BudgetState, params: BudgetParameters, columns: Ints, values: Floats) -> float:
    """Return the log odds of the positive label, from the features that are held."""
    size = _write_row(state, columns, values, True)
    return kernels.score(state.braid, params.braid, state.slots[:size], state.values[:size])


@inlined
def update(
    state: BudgetState,
    params: BudgetParameters,
    columns: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Give new names slots, learn held features, update the evidence, and replay if it is time."""
    places, braid, rounds = state.places, state.braid, int(state.rounds[0])
    most = now_allowed(state, params.budget)
    start = first_to_join(state.rng, rounds - 1, columns.size)
    if admit(places, columns, start, most):
        _score_again(state, params, columns, values)
    held_slots, held_values = _held(state, columns, values)
    braid.rounds[0], braid.seen[0] = rounds, places.line[USED]
    kernels.learn(braid, params.braid, held_slots, held_values, label, weight)
    share, now = share_of_positives(places), float(rounds - 1)
    _update_evidence(state, columns, values, label, share, now)
    if rounds <= ROWS_KEPT:
        size = _write_row(state, columns, values, False)
        keep_row(braid.first, state.slots[:size], state.values[:size], label, weight, rounds - 1)
    end_trials(state, most, share, now)
    places.labels[1 if label > 0.0 else 0] += 1
    if replays_after(rounds):
        _replay(state, rounds)


@inlined
def room(state: BudgetState, columns: Ints) -> bool:
    """Return whether there is room to learn a row: for bins of its features, and to keep it."""
    braid = state.braid
    blocks = blocks_wanted(braid.bins, columns.size, state.places.heap.size[0])
    values = values_wanted(braid.first, columns.size, state.rounds[0])
    return (
        blocks <= braid.bins.edges.shape[0]
        and values <= braid.first.values.size
        and has_forest_room(braid.interactions.forest)
    )


@compiled
def now_allowed(state: BudgetState, budget: float) -> int:
    """Return how many features the budget allows now."""
    return allowed(budget, state.seen[0] + state.forgotten[0])


@inlined
def _write_row(state: BudgetState, columns: Ints, values: Floats, held: bool) -> int:
    """Write the slots and values of held (or also waiting) features to buffers; return how many."""
    size, places = 0, state.places
    for i in range(columns.size):
        slot = places.slot[columns[i]]
        if slot != NO_INDEX and (not held or places.heap.position[slot] != NO_INDEX):
            state.slots[size] = slot
            state.values[size] = values[i]
            size += 1
    return size


@compiled
def _held(state: BudgetState, columns: Ints, values: Floats) -> tuple[Ints, Floats]:
    size = _write_row(state, columns, values, True)
    return state.slots[:size], state.values[:size]


@compiled
def _score_again(
    state: BudgetState, params: BudgetParameters, columns: Ints, values: Floats
) -> None:
    """Score the row again, since some of its features are held from now on."""
    kernels.score(state.braid, params.braid, *_held(state, columns, values))


@compiled
def _update_evidence(
    state: BudgetState, columns: Ints, values: Floats, label: float, share: float, now: float
) -> None:
    """Add the row to the evidence of features that are held or wait."""
    places, stats, target = state.places, state.braid.features.stats, 0.5 + 0.5 * label
    for i in range(columns.size):
        slot, x = places.slot[columns[i]], values[i]
        if slot == NO_INDEX:
            continue
        held = places.heap.position[slot] != NO_INDEX
        if not held:
            _update_waiting(stats, slot, x, now)
        add_evidence(places, stats, slot, x, target, share)
        if held:
            update_key(places.heap, slot, usefulness(places, stats, slot, share, now))


@compiled
def _update_waiting(stats: Floats, slot: int, x: float, now: float) -> None:
    """Update the statistics of a feature that waits: without different values and bins."""
    if stats[slot, COUNT] == 0.0:
        stats[slot, BIRTH] = now
    stats[slot, COUNT] += 1.0
    step = x - stats[slot, MEAN]
    stats[slot, MEAN] += step / stats[slot, COUNT]
    stats[slot, SPREAD] += step * (x - stats[slot, MEAN])


@compiled
def _replay(state: BudgetState, rounds: int) -> None:
    """Replay as without a budget, with the features that are held now.

    A slot may have another feature than in an early row; that feature was first seen after it.
    """
    places, braid = state.places, state.braid
    heap, first, stats = places.heap, braid.first, braid.features.stats
    kernels.forget_experts(braid, heap.order[: heap.size[0]])
    for row in range(rounds):
        size = 0
        for i in range(first.indptr[row], first.indptr[row + 1]):
            slot = first.columns[i]
            if heap.position[slot] != NO_INDEX and stats[slot, BIRTH] <= row:
                state.slots[size] = slot
                state.values[size] = first.values[i]
                size += 1
        slots, values = state.slots[:size], state.values[:size]
        kernels.relearn(braid, slots, values, first.labels[row], first.weights[row], rounds)


kernel_table.register(BudgetState, score=score, update=update, room=room)
