"""The kernels of OFS_P (``partial.py``): which features of a row are read, its score and update.

A round explores (reads features drawn at random) or exploits (reads those that have a weight). What
is drawn depends on the seed, the round and the number of features known, but not on which features
a row has. So it can be said before the row is there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, Whole, compiled, compiled_once
from braided.kernels.budget import allowed
from braided.kernels.random_subset import chosen
from braided.kernels.rng import as_uniform, word_at
from braided.kernels.scaled_weights import SQUARES, Weights, project, rescale
from braided.kernels.top_k import (
    NOT_KEPT,
    TopK,
    add,
    dot,
    drop,
    keep_largest,
    move_kept,
    size_of_new,
)

__all__ = ["OFSPartialParameters", "OFSPartialState", "choose", "score", "update"]

LONGEST_ROW = 1e105
"""No row is longer: its values are limited, and so is their number."""

LONGEST_STEP = 1e145
"""Before a step that is longer in units of the scale, the scale is folded into the weights."""


class OFSPartialParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    radius: float
    exploration: float
    budget: float
    perceptron: bool
    random: bool


class OFSPartialState(NamedTuple):
    """What is learned; the size of the weights is the sum of their squares."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    known: NDArray[np.int64]  # features seen before the present row, or named before it
    weights: Weights
    rng: NDArray[np.uint64]  # stays as it is: what is drawn depends on the round


# ------------------------------------------------------------------------ what is read

EXPLORE, KNOWN, NEW, KEEP, WORDS = range(5)
"""The random words of a round, and how many they are."""


class Draw(NamedTuple):
    """What is read of a row."""

    explores: bool
    known: int  # features known before the row
    of_known: int  # how many of them are drawn
    known_key: np.uint64
    new: int  # features that come with it
    of_new: int  # how many of these are drawn
    new_key: np.uint64


@compiled
def _draw(
    state: OFSPartialState, params: OFSPartialParameters, t: Whole, known: Whole, seen: Whole
) -> Draw:
    """What round t (from 0) reads, ``known`` features being known before it, ``seen`` after it."""
    first, budget = WORDS * t, params.budget
    of_known = allowed(budget, known) if known > 0 else 0
    return Draw(
        explores=as_uniform(word_at(state.rng, first + EXPLORE)) < params.exploration,
        known=known,
        of_known=of_known,
        known_key=word_at(state.rng, first + KNOWN),
        new=seen - known,
        of_new=(allowed(budget, seen) if seen > 0 else 0) - of_known,
        new_key=word_at(state.rng, first + NEW),
    )


@compiled
def _is_read(draw: Draw, feature: Whole, slot: Whole) -> bool:
    """Whether a feature in this slot of the weights is read."""
    if not draw.explores:
        return bool(slot != NOT_KEPT)
    if feature < draw.known:
        return chosen(draw.known_key, feature, draw.known, draw.of_known)
    return chosen(draw.new_key, feature - draw.known, draw.new, draw.of_new)


@compiled
def _keep_key(rng: NDArray[np.uint64], t: Whole) -> Whole:
    """The key that chooses the weights that round t keeps, if they are kept at random."""
    return word_at(rng, WORDS * t + KEEP)


@compiled_once
def choose(
    state: OFSPartialState,
    params: OFSPartialParameters,
    columns: Ints,
    is_wanted: NDArray[np.bool_],
) -> int:
    """Mark the columns that the next row should have, and return their number."""
    draw = _draw(state, params, state.rounds[0], state.known[0], state.seen[0])
    count = 0
    for i in range(columns.size):
        is_wanted[i] = _is_read(draw, columns[i], state.weights.kept.slot[columns[i]])
        count += is_wanted[i]
    return count


@compiled
def score(
    state: OFSPartialState, params: OFSPartialParameters, indices: Ints, values: Floats
) -> float:
    """w.x over what is read."""
    kept, scale = state.weights.kept, float(state.weights.scale[0])
    draw = _draw(state, params, state.rounds[0], state.known[0], state.known[0])
    if not draw.explores:
        return dot(kept, indices, values) * scale
    total = 0.0
    for i in range(indices.size):
        slot = kept.slot[indices[i]]
        if slot != NOT_KEPT and _is_read(draw, indices[i], slot):
            total += kept.weight[slot] * values[i]
    return total * scale


@compiled
def update(
    state: OFSPartialState,
    params: OFSPartialParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Within the margin step along what was read, project to the ball, truncate."""
    draw = _draw(state, params, state.rounds[0] - 1, state.known[0], state.seen[0])
    state.known[0] = state.seen[0]
    if label * score > (0.0 if params.perceptron else 1.0):
        return
    weights, kept, eta = state.weights, state.weights.kept, params.step * weight
    of_kept, of_known, of_new = _chances(params, draw)
    reach = max(1.0, eta * LONGEST_ROW / min(of_kept, of_known, of_new))
    if reach > LONGEST_STEP * weights.scale[0]:
        rescale(weights, max(1.0, reach / LONGEST_STEP), SQUARES)
    step = eta * label / weights.scale[0]

    outside, first = _list_known(kept, draw, indices)
    size = weights.size[0] + move_kept(kept, indices, values, step / of_kept, first, SQUARES)
    uncut = size + size_of_new(kept, values, step / of_known, outside, SQUARES)
    _drop_zeros(kept, indices, first)
    if params.random:
        size += _drop_random(state, params)
    size += _let_in(state, params, indices, values, step / of_known, outside)
    if draw.explores and draw.of_new > 0:
        outside = _list_new(kept, draw, indices)
        uncut += size_of_new(kept, values, step / of_new, outside, SQUARES)
        size += _let_in(state, params, indices, values, step / of_new, outside)
    weights.size[0] = size
    project(weights, math.sqrt(max(0.0, uncut)), params.radius)


@compiled
def _chances(params: OFSPartialParameters, draw: Draw) -> tuple[float, float, float]:
    """How likely it was that a feature is read: with a weight, without one, and a new one.

    For the perceptron, which does not ask, and for what this round does not read, it is 1.
    """
    of_kept = of_known = of_new = 1.0
    if not params.perceptron:
        explored = params.exploration * draw.of_known / max(1, draw.known)
        of_kept = explored + (1.0 - params.exploration) if draw.known > 0 else 1.0
        if draw.explores:
            of_known = explored if draw.known > 0 else 1.0
            of_new = params.exploration * draw.of_new / draw.new if draw.of_new > 0 else 1.0
    return of_kept, of_known, of_new


@compiled
def _list_known(kept: TopK, draw: Draw, indices: Ints) -> tuple[Whole, Whole]:
    """List the known features that are read, as ``split_row`` does: first those without a weight.

    Returns how many these are, and where the list of the others begins; it ends with the row.
    """
    outside, first = 0, indices.size
    for i in range(indices.size):
        slot = kept.slot[indices[i]]
        if indices[i] >= draw.known or not _is_read(draw, indices[i], slot):
            continue
        if slot == NOT_KEPT:
            kept.row[outside] = i
            outside += 1
        else:
            first -= 1
            kept.row[first] = i
    return outside, first


@compiled
def _list_new(kept: TopK, draw: Draw, indices: Ints) -> int:
    """List the new features that are read, and return their number."""
    outside = 0
    for i in range(indices.size):
        if indices[i] >= draw.known and _is_read(draw, indices[i], NOT_KEPT):
            kept.row[outside] = i
            outside += 1
    return outside


@compiled
def _drop_zeros(kept: TopK, indices: Ints, first: Whole) -> None:
    """Drop features whose weight became 0: they are not read when exploiting."""
    for entry in range(first, indices.size):
        slot = kept.slot[indices[kept.row[entry]]]
        if kept.weight[slot] == 0.0:
            drop(kept, slot)


@compiled
def _let_in(
    state: OFSPartialState,
    params: OFSPartialParameters,
    indices: Ints,
    values: Floats,
    step: float,
    outside: Whole,
) -> float:
    """Keep those of the listed features that are chosen; return the change in size."""
    kept, k = state.weights.kept, allowed(params.budget, state.seen[0])
    if not params.random:
        return keep_largest(kept, k, indices, values, step, outside, SQUARES)
    key, change = _keep_key(state.rng, state.rounds[0] - 1), 0.0
    for entry in range(outside):
        i = kept.row[entry]
        moved = step * values[i]
        if moved != 0.0 and chosen(key, indices[i], state.seen[0], k):
            add(kept, indices[i], moved)
            change += moved * moved
    return change


@compiled
def _drop_random(state: OFSPartialState, params: OFSPartialParameters) -> float:
    """Drop the features that are not among those drawn to be kept; return the change in size."""
    kept, change = state.weights.kept, 0.0
    key = _keep_key(state.rng, state.rounds[0] - 1)
    k = allowed(params.budget, state.seen[0])
    slot = 1
    while slot <= kept.taken[0]:
        if chosen(key, kept.member[slot], state.seen[0], k):
            slot += 1
        else:
            change -= kept.weight[slot] ** 2
            drop(kept, slot)
    return change


kernel_table.register(OFSPartialState, score=score, update=update)
