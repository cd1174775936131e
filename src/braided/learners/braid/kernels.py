"""The kernels of Braid: they score and learn a row by views, experts, stack and expert weights."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import INLINED, Floats, Ints, as_written, compiled, inlined
from braided.learner.state import capacity_for, grown
from braided.learners.braid.expert_weights import (
    Shares,
    learn_shares,
    log_odds,
    mean_half,
    mixture,
    new_shares,
    stack_chance,
)
from braided.learners.braid.experts.all_experts import (
    NAMES,
    OWN_AT_FIRST,
    forget_own,
    score_experts,
    update_experts,
)
from braided.learners.braid.forest.growth import has_forest_room
from braided.learners.braid.forest.layout import AT_FIRST, LARGEST, ForestSize, with_forest_room
from braided.learners.braid.interactions import (
    AWAKE,
    INTERACTION_BUFFERS,
    NO_INTERACTIONS,
    RESTING,
    InteractionParameters,
    Interactions,
    NoInteractions,
    UsedExperts,
    are_sound_interactions,
    learn_interactions,
    new_interactions,
    score_interactions,
    wake_or_rest,
)
from braided.learners.braid.layout import (
    ADDED_FIELDS,
    BIN_BLOCK,
    BINNED,
    BINNED_SCALE,
    BINS,
    BIRTH_VARIANCE,
    COLLECTED,
    COUNT,
    EXPERT_FIELDS,
    FIRST_VALUES,
    KNOWN,
    MAIN_SQUARES,
    NO_CELL,
    OWN_BUFFERS,
    SCALE,
    Bins,
    Experts,
    Features,
    Row,
    new_bins,
    new_experts,
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
from braided.learners.braid.stack import (
    Stack,
    learn_stack,
    new_stack,
    remember_label,
    stack_logit,
    stack_sum,
)
from braided.learners.braid.statistics import blocks_wanted, update_statistics
from braided.learners.braid.views import fill_views

__all__ = [
    "BUFFERS",
    "BraidParameters",
    "BraidState",
    "are_sound",
    "forget_experts",
    "learn",
    "learn_label",
    "new_state",
    "relearn",
    "relearn_label",
    "score",
    "score_views",
    "update",
    "view_earlier_row",
    "view_row",
    "with_room",
]

PRIOR_VARIANCE = 3.0
"""The variance of a margin before anything was learned."""


class BraidParameters(NamedTuple):
    """The parameters as the kernels see them."""

    label_memory: bool
    interactions: InteractionParameters


class BraidState(NamedTuple):
    """What was learned; the last two are buffers from ``score`` to ``update``."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    features: Features
    bins: Bins
    experts: Experts
    stack: Stack
    shares: Shares
    first: FirstRows
    interactions: Interactions
    row: Row
    logits: NDArray[np.float64]


BUFFERS: dict[str, Any] = {
    "experts.own": OWN_BUFFERS,
    "stack.inputs": ...,
    "stack.moved": ...,
    "shares.halves": ...,
    **{f"interactions.{path}": index for path, index in INTERACTION_BUFFERS.items()},
    "row": ...,
    "logits": ...,
}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""


def new_state(
    capacity: int,
    used: UsedExperts,
    seed: int = 0,
    blocks: int = 8,
    first_values: int = 64,
    forest_room: ForestSize = AT_FIRST,
    largest: ForestSize = LARGEST,
) -> BraidState:
    """Make an empty state, with room for features, for blocks of bins and for the first rows."""
    interactions = NO_INTERACTIONS
    if used.forest or used.pairs:
        interactions = new_interactions(capacity, used, seed, forest_room, largest)
    return BraidState(
        rounds=np.zeros(1, np.int64),
        seen=np.zeros(1, np.int64),
        features=new_features(capacity),
        bins=new_bins(blocks),
        experts=new_experts(capacity, blocks, OWN_AT_FIRST.copy()),
        stack=new_stack(used.additive),
        shares=new_shares((*used.additive, True)),
        first=new_first_rows(first_values),
        interactions=interactions,
        row=new_row(capacity),
        logits=np.zeros(len(NAMES)),
    )


_blocks_wanted, _values_wanted = as_written(blocks_wanted), as_written(values_wanted)


def with_room(state: BraidState, columns: int, features: int) -> BraidState:
    """Return the state with room to learn a row of so many columns; the same if it has it.

    ``features`` is the number of features that may have bins.
    """
    blocks = capacity_for(int(_blocks_wanted(state.bins, columns, features)))
    values = capacity_for(int(_values_wanted(state.first, columns, state.rounds[0])))
    if blocks > state.bins.edges.shape[0]:
        experts = new_experts(0, blocks, state.experts.own)
        state = state._replace(
            bins=grown(state.bins, new_bins(blocks)), experts=grown(state.experts, experts)
        )
    if values > state.first.values.size:
        state = state._replace(first=grown(state.first, new_first_rows(values)))
    forest = state.interactions.forest
    if forest.used.size:
        grown_forest = with_forest_room(forest)
        if grown_forest is not forest:
            state = state._replace(interactions=state.interactions._replace(forest=grown_forest))
    return state


def are_sound(state: BraidState, largest: ForestSize = LARGEST) -> bool:
    """Whether blocks of bins, first values, first rows and trees lie within their arrays."""
    used, given_back = int(state.bins.used[0]), int(state.bins.used[1])
    spare, seen, first = state.bins.spare, int(state.seen[0]), state.first
    stats, kept = state.features.stats, min(int(state.rounds[0]), ROWS_KEPT)
    block, collected = stats[:, BIN_BLOCK], state.experts.weights[:, COLLECTED]
    stop = int(first.indptr[kept])
    cells = np.stack((state.row.cell, state.row.bin))
    return bool(
        0 <= given_back <= used <= state.bins.edges.shape[0]
        and ((spare >= 0) & (spare < max(1, used))).all()
        and ((block >= 0) & (block <= used) & (block == np.floor(block))).all()
        and np.unique(np.concatenate((block[block > 0] - 1, spare[:given_back]))).size == used
        and ((collected >= 0) & (collected <= FIRST_VALUES)).all()
        and (collected == np.floor(collected)).all()
        and used <= seen
        and ((cells >= NO_CELL) & (cells < state.experts.cells.shape[0])).all()
        and (stats[:, COUNT] >= 0).all()
        and first.indptr[0] == 0
        and (np.diff(first.indptr[: kept + 1]) >= 0).all()
        and stop <= first.values.size
        and ((first.columns[:stop] >= 0) & (first.columns[:stop] < max(1, seen))).all()
        and (np.diff(first.indptr[: kept + 1]) <= state.row.main.size).all()
        and are_sound_interactions(state.interactions, max(1, seen), largest)
    )


@inlined
def score(state: BraidState, params: BraidParameters, columns: Ints, values: Floats) -> float:
    """Return the log odds of the positive label."""
    view_row(state, columns, values)
    half = score_views(state, params, columns)
    if params.interactions.forest or params.interactions.pairs:
        width, seen = state.features.mean_width[0], float(state.seen[0])
        if wake_or_rest(state.interactions, width, seen):
            half = _score_interactions(state, params, columns, values)
    return log_odds(half)


@inlined
def update(
    state: BraidState,
    params: BraidParameters,
    columns: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Learn the row, keep it if it is one of the first, and replay if it is time."""
    rounds = int(state.rounds[0])
    learn(state, params, columns, values, label, weight)
    keep_row(state.first, columns, values, label, weight, rounds - 1)
    if replays_after(rounds):
        _replay(state, rounds)


@inlined
def room(state: BraidState, columns: Ints) -> bool:
    """Return whether there is room to learn a row: for bins, to keep it, and for trees to grow."""
    blocks = blocks_wanted(state.bins, columns.size, state.seen[0])
    values = values_wanted(state.first, columns.size, state.rounds[0])
    return (
        blocks <= state.bins.edges.shape[0]
        and values <= state.first.values.size
        and has_forest_room(state.interactions.forest)
    )


@inlined
def learn(
    state: BraidState,
    params: BraidParameters,
    columns: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    """Learn the label of the row that was just scored, then update the statistics."""
    now = float(state.rounds[0] - 1)
    if params.interactions.forest or params.interactions.pairs:
        _learn_interactions(state, params, columns, values, label, weight)
    learn_label(state, columns, label, weight)
    update_statistics(state.features, state.bins, state.experts, columns, values, now)


@inlined
def view_row(state: BraidState, columns: Ints, values: Floats) -> None:
    """Compute the views of a new row."""
    now = float(state.rounds[0])
    fill_views(state.features, state.bins, state.experts, state.row, columns, values, now, True)
    _scale(state)
    _share_variance(state, state.row.facts[KNOWN])  # new features must not change a score


@inlined
def view_earlier_row(state: BraidState, columns: Ints, values: Floats, rounds: int) -> None:
    """Compute the views of an earlier row, with the statistics after so many rounds."""
    now = float(rounds - 1)
    fill_views(state.features, state.bins, state.experts, state.row, columns, values, now, False)
    _scale(state)
    _share_variance(state, float(columns.size))


@inlined
def score_views(state: BraidState, params: BraidParameters, columns: Ints) -> float:
    """Return the additive part's probability of the row whose views were computed, less 1/2."""
    score_experts(state.experts, state.row, columns, state.logits)
    logit = stack_logit(state.stack, state.logits, params.label_memory)
    return mixture(state.shares, state.experts.own, logit)


@inlined
def learn_label(state: BraidState, columns: Ints, label: float, weight: float) -> None:
    """Update expert weights, stack and experts with the label of the row that was scored."""
    learn_shares(state.shares, label, weight)
    learn_stack(state.stack, stack_chance(state.shares), label, weight)
    remember_label(state.stack, label, float(state.rounds[0]))
    _share_variance(state, float(columns.size))
    update_experts(state.experts, state.row, columns, label, weight)


@inlined
def relearn_label(state: BraidState, columns: Ints, label: float, weight: float) -> None:
    """Update the experts only, with the label of an earlier row."""
    score_experts(state.experts, state.row, columns, state.logits)
    update_experts(state.experts, state.row, columns, label, weight)


def _score_interactions(
    state: BraidState, params: BraidParameters, columns: Ints, values: Floats
) -> float:
    """Return the probability by all parts, less 1/2, when the additive part has scored the row."""
    raise NotImplementedError("resolved when compiled")


def _resolve_score(state, params, columns, values):  # type: ignore[no-untyped-def]
    if _uses_none(params):
        return lambda state, params, columns, values: 0.0
    return lambda state, params, columns, values: _score_all(state, params, columns, values)


def _learn_interactions(
    state: BraidState,
    params: BraidParameters,
    columns: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    """Let forest and pairs learn the row, or one in some rows while they rest."""
    raise NotImplementedError("resolved when compiled")


def _resolve_learn(state, params, columns, values, label, weight):  # type: ignore[no-untyped-def]
    if _uses_none(params):
        return lambda state, params, columns, values, label, weight: None
    return lambda state, params, columns, values, label, weight: _learn_all(
        state, params, columns, values, label, weight
    )


def _uses_none(params: Any) -> bool:
    """Whether there is neither forest nor pairs: then theirs is not compiled, half of all code."""
    of_parts = params.types[params.fields.index("interactions")]
    return of_parts.instance_class is NoInteractions


overload(_score_interactions, jit_options=INLINED)(_resolve_score)
overload(_learn_interactions, jit_options=INLINED)(_resolve_learn)


@inlined
def _score_all(state: BraidState, params: BraidParameters, columns: Ints, values: Floats) -> float:
    """Return the probability by all parts, less 1/2, when the additive part has scored the row."""
    return score_interactions(
        state.interactions,
        params.interactions,
        state.logits,
        mean_half(state.shares),
        stack_sum(state.stack),
        params.label_memory,
        columns,
        values,
        state.row.main,
    )


@inlined
def _learn_all(
    state: BraidState,
    params: BraidParameters,
    columns: Ints,
    values: Floats,
    label: float,
    weight: float,
) -> None:
    """Let forest and pairs learn the row, or one in some rows while they rest."""
    rounds = state.rounds[0]
    awake = state.interactions.worth[AWAKE] > 0.0
    if not awake and rounds % RESTING == 0:
        _score_interactions(state, params, columns, values)
        awake = True
    if awake:
        parts, main = state.interactions, state.row.main
        learn_interactions(parts, params.interactions, columns, values, main, label, weight)
    remember_label(state.interactions.stack, label, float(rounds))


@compiled
def forget_experts(state: BraidState, columns: Ints) -> None:
    """Forget what the experts learned, of their own and about these columns."""
    experts = state.experts
    forget_own(experts.own)
    for j in columns:
        experts.weights[j, :EXPERT_FIELDS] = 0.0
        experts.weights[j, ADDED_FIELDS:] = 0.0
        block = int(state.features.stats[j, BIN_BLOCK]) - 1
        if block >= 0:
            experts.cells[block * BINS : (block + 1) * BINS] = 0.0


@compiled
def relearn(
    state: BraidState, columns: Ints, values: Floats, label: float, weight: float, rounds: int
) -> None:
    """Learn an earlier row again, with the statistics after so many rounds."""
    view_earlier_row(state, columns, values, rounds)
    relearn_label(state, columns, label, weight)


@inlined
def _scale(state: BraidState) -> None:
    """Compute the factor that scales a row to the mean width of the rows before."""
    facts, mean_width = state.row.facts, state.features.mean_width[0]
    squares = facts[MAIN_SQUARES] + 1.0
    facts[SCALE] = math.sqrt((mean_width + 1.0) / squares)
    facts[BINNED_SCALE] = math.sqrt((mean_width + 1.0) / (squares + facts[BINNED]))


@inlined
def _share_variance(state: BraidState, width: float) -> None:
    """Compute the variance of new weights: the weights of a row share the prior variance."""
    state.row.facts[BIRTH_VARIANCE] = PRIOR_VARIANCE / (width + 1.0)


@compiled
def _replay(state: BraidState, rounds: int) -> None:
    """Forget what the experts learned, then learn the first rows again."""
    first = state.first
    forget_experts(state, first.columns[: first.indptr[rounds]])
    for row in range(rounds):
        start, stop = first.indptr[row], first.indptr[row + 1]
        columns, values = first.columns[start:stop], first.values[start:stop]
        relearn(state, columns, values, first.labels[row], first.weights[row], rounds)


kernel_table.register(BraidState, score=score, update=update, room=room)
