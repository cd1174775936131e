"""Braid for many classes, one against the rest: statistics are shared, experts are for each class.

Statistics, bins, first rows and views do not depend on labels, so they are the same for all
classes. Experts, stack and expert weights have one more axis, for classes; those of one class, with
what is shared, are the state of a Braid, whose kernels do the work.

A class that appears late begins with experts that have learned nothing, but with the statistics of
all rows before. If it appears in the first 64 rows, the replay lets it learn the earlier rows, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, as_written, compiled, inlined
from braided.errors import InputError
from braided.kernels.memory import prefetch
from braided.learner.classes_engine import AlgorithmOfClasses
from braided.learner.state import arrays, capacity_for, grown
from braided.learners.braid import kernels
from braided.learners.braid.expert_weights import Shares, log_odds, new_shares
from braided.learners.braid.experts.all_experts import NAMES, OWN_AT_FIRST
from braided.learners.braid.interactions import (
    INTERACTION_ARRAYS,
    NO_INTERACTIONS,
    InteractionParameters,
    Interactions,
    UsedExperts,
)
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import (
    BIN_BLOCK,
    BINS,
    CELL_NEGATIVE,
    CELL_POSITIVE,
    COLLECTED,
    NO_CELL,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    WEIGHT,
    Bins,
    Experts,
    Features,
    Row,
    aligned,
    bin_columns,
    feature_columns,
    new_bins,
    new_features,
    new_row,
)
from braided.learners.braid.replay import (
    ROWS_KEPT,
    FirstRows,
    keep_row,
    new_first_rows,
    replays_after,
    values_wanted,
)
from braided.learners.braid.stack import Stack, new_stack
from braided.learners.braid.statistics import blocks_wanted, update_statistics
from braided.targets import NO_CLASS

__all__ = [
    "NEVER",
    "BraidOfClasses",
    "ClassesState",
    "are_sound",
    "new_state",
    "of_class",
    "room_for_classes",
    "with_room",
    "with_room_for_row",
]

NEVER = np.iinfo(np.int64).max

Part = TypeVar("Part", bound=tuple[Any, ...])


class ClassesParameters(NamedTuple):
    """The parameters as the kernels see them."""

    braid: BraidParameters
    turned: int  # the class whose experts have the sign -1 for its own rows


class ClassesState(NamedTuple):
    """The state of Braid; experts, stack, shares and logits have one more axis, for classes."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    since: NDArray[np.int64]  # the round before the first in which a class is scored
    scores: NDArray[np.float64]  # of the present row: a buffer
    features: Features
    bins: Bins
    experts: Experts  # the first class has the numbers of values collected
    stack: Stack
    shares: Shares
    first: FirstRows  # with class numbers as labels
    interactions: Interactions  # without any room
    row: Row
    logits: NDArray[np.float64]


BUFFERS: dict[str, Any] = {"scores": ..., **kernels.BUFFERS}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""


def new_state(
    capacity: int, classes: int, used: UsedExperts, blocks: int = 8, first_values: int = 64
) -> ClassesState:
    """Make an empty state, with room for features, classes, blocks of bins and first rows."""
    cells = blocks * BINS
    return ClassesState(
        rounds=np.zeros(1, np.int64),
        seen=np.zeros(1, np.int64),
        since=np.full(classes, NEVER),
        scores=np.zeros(classes),
        features=new_features(capacity),
        bins=new_bins(blocks),
        experts=Experts(
            weights=_for_classes(classes, capacity, feature_columns()),
            cells=_for_classes(classes, cells, bin_columns()),
            own=np.stack([OWN_AT_FIRST] * classes),
        ),
        stack=_for_each(classes, new_stack(used.additive)),
        shares=_for_each(classes, new_shares((*used.additive, True))),
        first=new_first_rows(first_values),
        interactions=NO_INTERACTIONS,
        row=new_row(capacity),
        logits=np.zeros((classes, len(NAMES))),
    )


def _for_classes(classes: int, records: int, width: int) -> NDArray[np.float32]:
    table: NDArray[np.float32] = aligned((classes * records, width), WEIGHT)
    return table.reshape(classes, records, width)


def _for_each(classes: int, part: Part) -> Part:
    return type(part)(*(np.stack([array] * classes) for array in part))


def room_for_classes(classes: int) -> int:
    """Return the room for so many classes, at most an eighth more: a class takes much memory."""
    step = 1 << max(0, classes.bit_length() - 4)
    return -(-classes // step) * step


def with_room(
    state: ClassesState,
    used: UsedExperts,
    *,
    capacity: int = 0,
    classes: int = 0,
    blocks: int = 0,
    values: int = 0,
) -> ClassesState:
    """Return the state with at least so much room."""
    has_classes, has_capacity, _ = state.experts.weights.shape
    fresh = new_state(
        max(capacity, has_capacity),
        max(classes, has_classes),
        used,
        max(blocks, state.bins.edges.shape[0]),
        max(values, state.first.values.size),
    )
    return grown(state, fresh)


def with_room_for_row(state: ClassesState, used: UsedExperts, columns: int) -> ClassesState:
    """Return the state with room to learn a row of so many columns; the same if it has it."""
    blocks = int(as_written(blocks_wanted)(state.bins, columns, state.seen[0]))
    values = int(as_written(values_wanted)(state.first, columns, state.rounds[0]))
    if blocks <= state.bins.edges.shape[0] and values <= state.first.values.size:
        return state
    return with_room(state, used, blocks=capacity_for(blocks), values=capacity_for(values))


def are_sound(state: ClassesState) -> bool:
    """Whether the state of a Braid would be sound, and there is room for the known classes."""
    since = state.since
    known = np.flatnonzero(since != NEVER)
    return bool(
        since.size == room_for_classes(int(known.max(initial=0)) + 1)
        and ((since[known] >= -1) & (since[known] < state.rounds[0])).all()
        and kernels.are_sound(of_class(state, 0))
    )


def of_class(state: ClassesState, number: int) -> BraidState:
    """Return the state of a Braid for one class against the rest, in the same arrays."""
    experts, stack, shares = state.experts, state.stack, state.shares
    return BraidState(
        state.rounds,
        state.seen,
        state.features,
        state.bins,
        Experts(experts.weights[number], experts.cells[number], experts.own[number]),
        Stack(
            stack.weight[number],
            stack.covariance[number],
            stack.labels[number],
            stack.inputs[number],
            stack.moved[number],
        ),
        Shares(
            shares.share[number],
            shares.loss[number],
            shares.luck[number],
            shares.halves[number],
        ),
        state.first,
        state.interactions,
        state.row,
        state.logits[number],
    )


_of_class = inlined(of_class)


def from_two_labels(
    state: BraidState, used: UsedExperts, classes: dict[float, int]
) -> ClassesState:
    """Return the state in which a Braid of two labels goes on for both, each against the rest."""
    capacity, blocks = state.features.stats.shape[0], state.bins.edges.shape[0]
    both = new_state(capacity, len(classes), used, blocks, state.first.values.size)
    state = state._replace(interactions=both.interactions)
    both.since[:] = -1  # as if both labels had been declared
    for number in range(len(classes)):
        for old, new in zip(arrays(state), arrays(of_class(both, number)), strict=True):
            new[...] = old
    both.experts.weights[1:, :, COLLECTED] = 0.0
    kept = min(int(state.rounds[0]), ROWS_KEPT)
    labels = [float(classes[sign]) for sign in state.first.labels[:kept].tolist()]
    both.first.labels[:kept] = labels
    return both


@inlined
def score(
    state: ClassesState, params: ClassesParameters, columns: Ints, values: Floats
) -> kernel_table.OfClasses:
    """Return the log odds of each class, and since when it is known."""
    rounds = state.rounds[0]
    kernels.view_row(_of_class(state, 0), columns, values)
    for number in range(state.since.size):
        if state.since[number] <= rounds:  # including a class that first appears in this row
            _prefetch_class(state, number + 1, columns)
            half = kernels.score_views(_of_class(state, number), params.braid, columns)
            score = log_odds(half)
            state.scores[number] = -score if number == params.turned else score
    return state.scores, state.since


@inlined
def update(
    state: ClassesState,
    params: ClassesParameters,
    columns: Ints,
    values: Floats,
    square: float,
    label: float,
    score: kernel_table.OfClasses,
    weight: float,
) -> None:
    """Learn for each class whether it is the label, update statistics, and replay if it is time."""
    rounds = int(state.rounds[0])
    for number in range(state.since.size):
        if state.since[number] < rounds:
            _prefetch_class(state, number + 1, columns)
            side = _side(label, number, params.turned)
            kernels.learn_label(_of_class(state, number), columns, side, weight)
    blocks = state.bins.used[0]
    experts = _of_class(state, 0).experts
    update_statistics(state.features, state.bins, experts, columns, values, float(rounds - 1))
    if state.bins.used[0] > blocks:
        _inherit(state, columns, blocks)
    keep_row(state.first, columns, values, label, weight, rounds - 1)
    if replays_after(rounds):
        _replay(state, rounds, params.turned)


@inlined
def room(state: ClassesState, columns: Ints) -> bool:
    """Return whether there is room to learn a row: for bins of its features, and to keep it."""
    return kernels.room(_of_class(state, 0), columns)


@inlined
def _side(label: float, number: int, turned: int) -> float:
    return 1.0 if (label == number) != (number == turned) else -1.0


@inlined
def _prefetch_class(state: ClassesState, number: int, columns: Ints) -> None:
    """Prefetch what a class has learned about the features of the row."""
    if number < state.since.size:
        weights, cells = state.experts.weights[number], state.experts.cells[number]
        for i in range(columns.size):
            prefetch(weights, columns[i], 0)
            if state.row.cell[i] != NO_CELL:
                prefetch(cells, state.row.cell[i], 0)


@compiled
def _inherit(state: ClassesState, columns: Ints, blocks: int) -> None:
    """Copy what was counted without bins to the lowest new bin, for each class."""
    weights, cells = state.experts.weights, state.experts.cells
    for j in columns:
        block = int(state.features.stats[j, BIN_BLOCK]) - 1
        if block >= blocks:
            for number in range(1, state.since.size):  # for the first class it is done
                counts = weights[number, j]
                cells[number, block * BINS, CELL_NEGATIVE] = counts[PRESENT_NEGATIVE]
                cells[number, block * BINS, CELL_POSITIVE] = counts[PRESENT_POSITIVE]


@compiled
def _replay(state: ClassesState, rounds: int, turned: int) -> None:
    """Forget what the experts learned, then learn the first rows again, for each class."""
    first = state.first
    for number in range(state.since.size):
        kernels.forget_experts(_of_class(state, number), first.columns[: first.indptr[rounds]])
    for row in range(rounds):
        start, stop = first.indptr[row], first.indptr[row + 1]
        columns, values = first.columns[start:stop], first.values[start:stop]
        kernels.view_earlier_row(_of_class(state, 0), columns, values, rounds)
        for number in range(state.since.size):
            if state.since[number] < rounds:
                side = _side(first.labels[row], number, turned)
                kernels.relearn_label(_of_class(state, number), columns, side, first.weights[row])


kernel_table.register(ClassesState, score=score, update=update, room=room)


class BraidOfClasses(AlgorithmOfClasses):
    """The algorithm of ``OneVsRest(Braid())``: a Braid for each class, with shared statistics."""

    scores_are_log_odds = True
    scores_in_state = True
    score_buffers = BUFFERS
    arrays_added_later = INTERACTION_ARRAYS

    def __init__(
        self, used: UsedExperts, *, label_memory: bool = True, turned: int = NO_CLASS
    ) -> None:
        self.used = used
        self.label_memory = label_memory
        self.turned = turned

    def check_parameters(self) -> None:
        """Do nothing: Braid has checked them."""

    def kernel_parameters(self) -> ClassesParameters:
        braid = BraidParameters(bool(self.label_memory), InteractionParameters(False, False))
        return ClassesParameters(braid, self.turned)

    def new_state(self, capacity: int) -> ClassesState:
        return new_state(capacity, room_for_classes(1), self.used)

    def with_classes(self, state: ClassesState, arrivals: dict[int, int]) -> ClassesState:
        room = room_for_classes(max(arrivals) + 1)
        if room > state.since.size:
            state = with_room(state, self.used, classes=room)
        for number, row in arrivals.items():
            state.since[number] = state.rounds[0] + row
        return state

    def from_two_labels(self, state: BraidState, classes: dict[float, int]) -> ClassesState:
        return from_two_labels(state, self.used, classes)

    def with_capacity(self, state: ClassesState, capacity: int) -> ClassesState:
        return with_room(state, self.used, capacity=capacity)

    def classes_known(self, state: ClassesState) -> set[int]:
        return set(np.flatnonzero(state.since != NEVER).tolist())

    def state_of_class(self, state: ClassesState, number: int) -> BraidState:
        return of_class(state, number)

    def with_room(self, state: ClassesState, columns: Ints) -> ClassesState:
        return with_room_for_row(state, self.used, columns.size)

    def state_as_in(self, length: Callable[..., int], capacity: int, classes: int) -> ClassesState:
        known = length("since")
        if not 0 < known <= room_for_classes(classes):
            raise InputError(f"it has room for {known} classes")
        room = length("bins.edges"), length("first.values")
        return new_state(capacity, known, self.used, *room)

    def is_sound(self, state: ClassesState, capacity: int) -> bool:
        return are_sound(state)

    def linear_weights(self, state: Any) -> Any:
        raise NotImplementedError("each class has weights of its own")
