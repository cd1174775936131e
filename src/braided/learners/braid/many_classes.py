"""Braid for many classes, one against the rest: statistics are shared, experts are for each class.

Statistics, bins, first rows and views do not depend on labels, so they are the same for all
classes. Experts, stack and expert weights have one more axis, for classes; those of one class, with
what is shared, are the state of a Braid, whose kernels do the work. All classes share one forest,
whose leaves count each class; pairs and the mixture of all are for each class again.

A class that appears late begins with experts that have learned nothing, but with the statistics of
all rows before. If it appears in the first 64 rows, the replay lets it learn the earlier rows, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, as_written, compiled, inlined
from braided.errors import InputError
from braided.kernels.memory import prefetch
from braided.learner.classes_engine import AlgorithmOfClasses
from braided.learner.state import arrays, capacity_for, grown
from braided.learners.braid import kernels
from braided.learners.braid.expert_weights import Shares, log_odds, mean_half, new_shares
from braided.learners.braid.experts.all_experts import NAMES, OWN_AT_FIRST
from braided.learners.braid.forest.layout import (
    ASKED,
    AT_FIRST,
    BIAS,
    LARGEST,
    MARGIN,
    SQUARES,
    VOTES,
    Forest,
    ForestSize,
    forest_as_in,
    room_of,
    with_forest_room,
)
from braided.learners.braid.forest.layout import WEIGHT as LEAF_WEIGHT
from braided.learners.braid.forest.learning import learn_forest
from braided.learners.braid.forest.walk import score_forest
from braided.learners.braid.interactions import (
    AWAKE,
    INTERACTION_ARRAYS,
    LAST_HALF,
    RESTING,
    ROWS,
    WORTH,
    InteractionParameters,
    Interactions,
    UsedExperts,
    for_each,
    is_awake,
    learn_members,
    new_interactions_of_classes,
    one_against_rest,
    score_members,
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
from braided.learners.braid.pairs import Pairs
from braided.learners.braid.replay import (
    ROWS_KEPT,
    FirstRows,
    keep_row,
    new_first_rows,
    replays_after,
    values_wanted,
)
from braided.learners.braid.stack import (
    LARGEST_LOGIT,
    Stack,
    new_stack,
    remember_label,
    stack_sum,
)
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
    interactions: Interactions  # one forest of all classes
    row: Row
    logits: NDArray[np.float64]


BUFFERS: dict[str, Any] = {"scores": ..., **kernels.BUFFERS}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""


def new_state(
    capacity: int,
    classes: int,
    used: UsedExperts,
    seed: int = 0,
    blocks: int = 8,
    first_values: int = 64,
    forest_room: ForestSize = AT_FIRST,
    largest: ForestSize = LARGEST,
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
        stack=for_each(classes, new_stack(used.additive)),
        shares=for_each(classes, new_shares((*used.additive, True))),
        first=new_first_rows(first_values),
        interactions=new_interactions_of_classes(
            capacity, classes, used, seed, forest_room, largest
        ),
        row=new_row(capacity),
        logits=np.zeros((classes, len(NAMES))),
    )


def _for_classes(classes: int, records: int, width: int) -> NDArray[np.float32]:
    table: NDArray[np.float32] = aligned((classes * records, width), WEIGHT)
    return table.reshape(classes, records, width)


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
        0,
        max(blocks, state.bins.edges.shape[0]),
        max(values, state.first.values.size),
        room_of(state.interactions.forest),
    )
    return grown(state, fresh)


def with_room_for_row(state: ClassesState, used: UsedExperts, columns: int) -> ClassesState:
    """Return the state with room to learn a row of so many columns; the same if it has it."""
    blocks = int(as_written(blocks_wanted)(state.bins, columns, state.seen[0]))
    values = int(as_written(values_wanted)(state.first, columns, state.rounds[0]))
    if blocks > state.bins.edges.shape[0] or values > state.first.values.size:
        state = with_room(state, used, blocks=capacity_for(blocks), values=capacity_for(values))
    parts = state.interactions
    forest = with_forest_room(parts.forest)
    return (
        state
        if forest is parts.forest
        else state._replace(interactions=parts._replace(forest=forest))
    )


def are_sound(state: ClassesState, largest: ForestSize = LARGEST) -> bool:
    """Whether the state of a Braid would be sound, and there is room for the known classes."""
    since = state.since
    known = np.flatnonzero(since != NEVER)
    return bool(
        since.size == room_for_classes(int(known.max(initial=0)) + 1)
        and ((since[known] >= -1) & (since[known] < state.rounds[0])).all()
        and kernels.are_sound(of_class(state, 0), largest)
    )


def of_class(state: ClassesState, number: int) -> BraidState:
    """Return the state of a Braid for one class against the rest, in the same arrays.

    The forest is that of all classes.
    """
    experts, stack, shares = state.experts, state.stack, state.shares
    parts = state.interactions
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
        Interactions(
            parts.forest,
            Pairs(
                parts.pairs.alone[number],
                parts.pairs.together[number],
                parts.pairs.own[number],
                parts.pairs.strongest[number],
                parts.pairs.product[number],
            ),
            Stack(
                parts.stack.weight[number],
                parts.stack.covariance[number],
                parts.stack.labels[number],
                parts.stack.inputs[number],
                parts.stack.moved[number],
            ),
            Shares(
                parts.shares.share[number],
                parts.shares.loss[number],
                parts.shares.luck[number],
                parts.shares.halves[number],
            ),
            parts.logits[number],
            parts.worth[number],
        ),
        state.row,
        state.logits[number],
    )


_of_class = inlined(of_class)


def from_two_labels(
    state: BraidState,
    used: UsedExperts,
    classes: dict[float, int],
    largest: ForestSize = LARGEST,
) -> ClassesState:
    """Return the state in which a Braid of two labels goes on for both, each against the rest."""
    capacity, blocks = state.features.stats.shape[0], state.bins.edges.shape[0]
    forest, values = state.interactions.forest, state.first.values.size
    both = new_state(capacity, len(classes), used, 0, blocks, values, room_of(forest), largest)
    _hand_on_forest(forest, both.interactions.forest, classes)
    shared = state.interactions._replace(forest=both.interactions.forest)
    state = state._replace(interactions=shared)
    both.since[:] = -1  # as if both labels had been declared
    for number in range(len(classes)):
        for old, new in zip(arrays(state), arrays(of_class(both, number)), strict=True):
            new[...] = old
    both.experts.weights[1:, :, COLLECTED] = 0.0
    kept = min(int(state.rounds[0]), ROWS_KEPT)
    labels = [float(classes[sign]) for sign in state.first.labels[:kept].tolist()]
    both.first.labels[:kept] = labels
    return both


def _hand_on_forest(forest: Forest, wide: Forest, classes: dict[float, int]) -> None:
    """Copy a forest of two labels: what it knows of one is, turned around, known of the other."""
    if forest.used.size == 0:
        return
    by_class = ("leaf", "tested", "bias", "logits")
    for field in forest._fields:
        if field not in by_class:
            getattr(wide, field)[...] = getattr(forest, field)
    for sign, number in classes.items():
        side = 1 if sign > 0.0 else 0
        wide.tested[:, :, number] = forest.tested[:, :, side]
        wide.leaf[..., number] = forest.leaf[..., side]
        wide.leaf[:, :, LEAF_WEIGHT, number] = sign * forest.leaf[:, :, LEAF_WEIGHT, 1]
        wide.leaf[:, :, SQUARES, number] = forest.leaf[:, :, SQUARES, 1]
        wide.bias[:, number] = forest.bias[:, 1]
        wide.bias[BIAS, number] *= sign


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
    used = params.braid.interactions
    if (used.forest or used.pairs) and _wake_or_rest(state):
        _score_interactions(state, params, columns, values)
        for number in range(state.since.size):
            if state.since[number] <= rounds:
                score = log_odds(state.interactions.worth[number, LAST_HALF])
                state.scores[number] = -score if number == params.turned else score
    return state.scores, state.since


@inlined
def _wake_or_rest(state: ClassesState) -> bool:
    """Return whether forest and pairs are used for the row: by their worth for all classes."""
    worth, rows, total = state.interactions.worth, 0.0, 0.0
    for number in range(state.since.size):
        rows = max(rows, worth[number, ROWS])
        total += worth[number, WORTH]
    awake = is_awake(state.features.mean_width[0], float(state.seen[0]), rows, total)
    for number in range(state.since.size):
        worth[number, AWAKE] = 1.0 if awake else 0.0
    return awake


@compiled
def _score_interactions(
    state: ClassesState, params: ClassesParameters, columns: Ints, values: Floats
) -> None:
    """Let the forest score the row for all classes at once, then mix all parts of each."""
    rounds, parts, used = state.rounds[0], state.interactions, params.braid.interactions
    told = parts.forest.logits
    if used.forest:
        for number in range(state.since.size):
            known = state.since[number] <= rounds
            sign = -1.0 if number == params.turned else 1.0
            told[ASKED, number] = 1.0 if known else 0.0
            offset = sign * stack_sum(_of_class(state, number).stack) if known else 0.0
            told[MARGIN, number] = max(-LARGEST_LOGIT, min(LARGEST_LOGIT, offset))
        score_forest(parts.forest, columns, values)
    for number in range(state.since.size):
        if state.since[number] > rounds:
            continue
        braid, sign = _of_class(state, number), -1.0 if number == params.turned else 1.0
        votes, margin = 0.0, 0.0
        if used.forest:
            votes, margin = sign * told[VOTES, number], sign * told[MARGIN, number]
        score_members(
            braid.interactions,
            used,
            braid.logits,
            mean_half(braid.shares),
            votes,
            margin,
            params.braid.label_memory,
            columns,
            state.row.main,
        )


@compiled
def _learn_interactions(
    state: ClassesState,
    params: ClassesParameters,
    columns: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    """Let forest and pairs learn the row, or one in some rows while they rest."""
    rounds, used = state.rounds[0], params.braid.interactions
    awake = state.interactions.worth[0, AWAKE] > 0.0
    if not awake and rounds % RESTING == 0:
        _score_interactions(state, params, columns, values)
        awake = True
    for number in range(state.since.size):
        if state.since[number] < rounds:
            parts, side = _of_class(state, number).interactions, _side(label, number, params.turned)
            if awake:
                learn_members(parts, used, columns, state.row.main, side, weight)
            remember_label(parts.stack, side, float(rounds))
    if awake and used.forest:
        learn_forest(state.interactions.forest, columns, values, int(label), weight)


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
    if params.braid.interactions.forest or params.braid.interactions.pairs:
        _learn_interactions(state, params, columns, values, label, weight)
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
        self,
        used: UsedExperts,
        *,
        label_memory: bool = True,
        seed: int = 0,
        largest_forest: ForestSize = LARGEST,
        turned: int = NO_CLASS,
    ) -> None:
        self.used = used
        self.label_memory = label_memory
        self.seed = seed
        self.largest_forest = largest_forest
        self.turned = turned

    def check_parameters(self) -> None:
        """Do nothing: Braid has checked them."""

    def kernel_parameters(self) -> ClassesParameters:
        used = InteractionParameters(self.used.forest, self.used.pairs)
        braid = BraidParameters(bool(self.label_memory), used)
        return ClassesParameters(braid, self.turned)

    def new_state(self, capacity: int) -> ClassesState:
        classes = room_for_classes(1)
        return new_state(capacity, classes, self.used, self.seed, largest=self.largest_forest)

    def with_classes(self, state: ClassesState, arrivals: dict[int, int]) -> ClassesState:
        room = room_for_classes(max(arrivals) + 1)
        if room > state.since.size:
            state = with_room(state, self.used, classes=room)
        for number, row in arrivals.items():
            state.since[number] = state.rounds[0] + row
        return state

    def from_two_labels(self, state: BraidState, classes: dict[float, int]) -> ClassesState:
        return from_two_labels(state, self.used, classes, self.largest_forest)

    def with_capacity(self, state: ClassesState, capacity: int) -> ClassesState:
        return with_room(state, self.used, capacity=capacity)

    def classes_known(self, state: ClassesState) -> set[int]:
        return set(np.flatnonzero(state.since != NEVER).tolist())

    def state_of_class(self, state: ClassesState, number: int) -> BraidState:
        alone, parts = of_class(state, number), state.interactions
        forest = one_against_rest(parts.forest, number, number == self.turned)
        return alone._replace(interactions=alone.interactions._replace(forest=forest))

    def with_room(self, state: ClassesState, columns: Ints) -> ClassesState:
        return with_room_for_row(state, self.used, columns.size)

    def state_as_in(self, length: Callable[..., int], capacity: int, classes: int) -> ClassesState:
        known = length("since")
        if not 0 < known <= room_for_classes(classes):
            raise InputError(f"it has room for {known} classes")
        room = length("bins.edges"), length("first.values")
        trees = forest_as_in(length, self.used.forest, self.largest_forest)
        return new_state(capacity, known, self.used, self.seed, *room, trees, self.largest_forest)

    def is_sound(self, state: ClassesState, capacity: int) -> bool:
        return are_sound(state, self.largest_forest)

    def linear_weights(self, state: Any) -> Any:
        raise NotImplementedError("each class has weights of its own")
