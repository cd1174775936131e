"""Forest and pairs beside the additive experts, and the mixture of all.

A second stack combines the logits of the additive experts, the two of the forest and that of the
pairs. Exponential weights mix the additive part (all that Braid is without forest and pairs), the
forest's logits, the pairs and the second stack; before ENTRY rows the additive part decides alone.

Forest and pairs take time. ``worth`` is how much smaller the log loss is with them, in the mean of
about the last rows. Where rows are sparse (they observe few of the features seen, as texts do) and
forest and pairs are worth little, they rest: predictions are those of the additive part, and they
learn every eighth row only. As soon as they are worth it they are used again.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, Whole, compiled, inlined
from braided.kernels.logistic import sigmoid
from braided.learner.state import paths
from braided.learners.braid.expert_weights import (
    LARGEST_HALF,
    LEAST_PROBABILITY,
    Shares,
    add_losses,
    learn_shares,
    mean_half,
    new_shares,
    stack_chance,
)
from braided.learners.braid.experts.all_experts import NAMES
from braided.learners.braid.forest.growth import forget_feature
from braided.learners.braid.forest.layout import (
    ASKED,
    AT_FIRST,
    BIAS,
    COUNT,
    LARGEST,
    MARGIN,
    NO_FOREST,
    PRIOR,
    SQUARES,
    VOTES,
    WEIGHT,
    Forest,
    ForestSize,
    new_forest,
)
from braided.learners.braid.forest.learning import learn_forest
from braided.learners.braid.forest.soundness import is_sound_forest
from braided.learners.braid.forest.walk import score_forest
from braided.learners.braid.layout import Singles
from braided.learners.braid.pairs import (
    LOGIT,
    PAIRS_BUFFERS,
    Pairs,
    forget_pairs,
    learn_pairs,
    new_pairs,
    score_pairs,
)
from braided.learners.braid.stack import (
    LARGEST_LOGIT,
    Stack,
    learn_stack,
    new_stack,
    no_stack,
    stack_logit,
)

__all__ = [
    "AWAKE",
    "FOREST",
    "INTERACTION_ARRAYS",
    "INTERACTION_BUFFERS",
    "MEMBER_NAMES",
    "NO_INTERACTIONS",
    "PAIRS",
    "RESTING",
    "InteractionParameters",
    "Interactions",
    "NoInteractions",
    "UsedExperts",
    "are_sound_interactions",
    "for_each",
    "forget_interactions",
    "is_awake",
    "learn_interactions",
    "learn_members",
    "new_interactions",
    "new_interactions_of_classes",
    "one_against_rest",
    "score_interactions",
    "score_members",
    "wake_or_rest",
]

Part = TypeVar("Part", bound=tuple[Any, ...])

FOREST, PAIRS = "forest", "pairs"

MEMBER_NAMES = ("forest", "forest margin", "pairs", "second stack")
"""The members of the mixture besides the additive part, as ``Braid.experts`` shows them."""

ADDITIVE_LOGITS = len(NAMES)
ADDITIVE, VOTE_MEMBER, MARGIN_MEMBER, PAIRS_MEMBER, SECOND_STACK = range(5)

ENTRY = 128
"""Rows before forest and pairs count in a prediction."""

TRIAL = 1024
"""Rows before forest and pairs may rest, and about how many are in the mean of their worth."""

LEAST_WORTH = 0.002
"""They rest if the log loss of a row is not smaller by so much."""

RESTING = 8
"""They learn one in so many rows while they rest."""

SPARSE = 32.0
"""Rows are sparse if they observe less than one of so many features seen, in the mean."""

# The numbers of Interactions.worth.
ROWS, WORTH, LAST_HALF, AWAKE = range(4)

_POSITIVE = 1  # the class of the forest


class UsedExperts(NamedTuple):
    """Which experts are used: each of the additive ones, the forest, the pairs."""

    additive: tuple[bool, ...]
    forest: bool
    pairs: bool


class InteractionParameters(NamedTuple):
    """Which parts are used."""

    forest: bool
    pairs: bool


class NoInteractions(InteractionParameters):
    """No part is used: for this type theirs is not compiled."""

    __slots__ = ()


class Interactions(NamedTuple):
    """What was learned; ``logits`` is a buffer for a row."""

    forest: Forest
    pairs: Pairs
    stack: Stack
    shares: Shares
    logits: NDArray[np.float64]
    worth: NDArray[np.float64]


def new_interactions(
    capacity: int,
    used: UsedExperts,
    seed: int = 0,
    room: ForestSize = AT_FIRST,
    most: ForestSize = LARGEST,
) -> Interactions:
    """Make the parts that are used."""
    parts = (used.forest, used.forest, used.pairs)
    return Interactions(
        forest=new_forest(capacity, room if used.forest else NO_FOREST, most, seed=seed),
        pairs=new_pairs(capacity if used.pairs else 0),
        stack=new_stack((*used.additive, *parts)),
        shares=new_shares((True, *parts, True)),
        logits=np.zeros(ADDITIVE_LOGITS + len(parts)),
        worth=np.zeros(4),
    )


def new_interactions_of_classes(
    capacity: int, classes: int, used: UsedExperts, seed: int, room: ForestSize, most: ForestSize
) -> Interactions:
    """Make one forest of all classes; all other arrays have one more axis, for classes."""
    parts = NO_INTERACTIONS
    if used.forest or used.pairs:
        parts = new_interactions(capacity, used, seed, NO_FOREST)
    forest = parts.forest
    if used.forest:
        forest = new_forest(capacity, room, most, classes, seed, begun=0)
    return Interactions(
        forest=forest,
        pairs=for_each(classes, parts.pairs),
        stack=for_each(classes, parts.stack),
        shares=for_each(classes, parts.shares),
        logits=np.stack([parts.logits] * classes),
        worth=np.stack([parts.worth] * classes),
    )


def for_each(classes: int, part: Part) -> Part:
    """Copies of a part, one for each class, along a first axis."""
    return type(part)(*(np.stack([array] * classes) for array in part))


def one_against_rest(forest: Forest, number: int, turned: bool) -> Forest:
    """The forest as one of two classes scores: a class against all others, or turned around."""
    if forest.leaf.shape[3] == 0:
        return forest
    own, sign = forest.leaf[..., number], -1.0 if turned else 1.0
    leaf = np.zeros((*own.shape[:2], own.shape[2], 2), np.float32)
    leaf[:, :, COUNT, 1] = own[:, :, COUNT]
    leaf[:, :, COUNT, 0] = forest.leaf[:, :, COUNT].sum(axis=2) - own[:, :, COUNT]
    leaf[:, :, PRIOR, 1], leaf[:, :, PRIOR, 0] = own[:, :, PRIOR], 1.0 - own[:, :, PRIOR]
    leaf[:, :, SQUARES] = own[:, :, SQUARES, None]  # the class has begun
    if turned:
        leaf = leaf[..., ::-1].copy()
    leaf[:, :, WEIGHT, 1] = sign * own[:, :, WEIGHT]
    bias, logits = np.zeros((2, 2)), np.zeros((4, 2))
    bias[BIAS, 1] = sign * forest.bias[BIAS, number]
    return forest._replace(leaf=leaf, bias=bias, logits=logits)


_NONE = np.zeros(0)

NO_INTERACTIONS = Interactions(
    forest=new_forest(0, NO_FOREST, classes=0),
    pairs=new_pairs(0),
    stack=no_stack(),
    shares=new_shares(()),
    logits=_NONE,
    worth=_NONE.copy(),
)
"""Without forest and pairs no array has any room, so that all models can have the same."""

INTERACTION_ARRAYS = tuple(path for path, _ in paths(NO_INTERACTIONS, "interactions."))
"""The names of the arrays, which older model files do not have."""


INTERACTION_BUFFERS: dict[str, Any] = {
    "forest.reached": ...,
    "forest.logits": ...,
    "pairs.own": PAIRS_BUFFERS,
    "pairs.strongest": ...,
    "pairs.product": ...,
    "stack.inputs": ...,
    "stack.moved": ...,
    "shares.halves": ...,
    "logits": ...,
    "worth": (..., slice(LAST_HALF, AWAKE + 1)),
}
"""The parts that only serve from ``score`` to the end of ``update``."""


def are_sound_interactions(parts: Interactions, features: int, most: ForestSize) -> bool:
    """Whether the forest stays within its arrays, with so many features and at most this size."""
    limits = parts.forest.most.tolist()
    return (not limits or limits == [*most[1:]]) and is_sound_forest(parts.forest, features)


@compiled
def forget_interactions(interactions: Interactions, feature: Whole) -> None:
    """Forget a feature that was dropped: to the trees it is absent from now on."""
    if interactions.forest.used.shape[0] > 0:
        forget_feature(interactions.forest, feature)
    if interactions.pairs.alone.shape[0] > 0:
        forget_pairs(interactions.pairs, feature)


@inlined
def wake_or_rest(interactions: Interactions, mean_width: float, seen: float) -> bool:
    """Return whether forest and pairs are used for the present row, and note it."""
    worth = interactions.worth
    awake = is_awake(mean_width, seen, worth[ROWS], worth[WORTH])
    worth[AWAKE] = 1.0 if awake else 0.0
    return awake


@inlined
def is_awake(mean_width: float, seen: float, rows: float, worth: float) -> bool:
    """Return whether rows are dense, or forest and pairs are young, or worth it."""
    return bool(SPARSE * mean_width >= seen or rows < TRIAL or worth > LEAST_WORTH)


@compiled
def score_interactions(
    interactions: Interactions,
    params: InteractionParameters,
    additive_logits: Floats,
    additive_half: float,
    offset: float,
    label_memory: bool,
    columns: Ints,
    values: Floats,
    views: Singles,
) -> float:
    """Return the probability of the positive label, less 1/2.

    ``offset`` is the logit of the first stack, ``additive_half`` the additive part's probability.
    """
    votes, margin = 0.0, 0.0
    if params.forest:
        told = interactions.forest.logits
        told[ASKED, _POSITIVE] = 1.0
        told[MARGIN, _POSITIVE] = max(-LARGEST_LOGIT, min(LARGEST_LOGIT, offset))
        score_forest(interactions.forest, columns, values)
        votes, margin = told[VOTES, _POSITIVE], told[MARGIN, _POSITIVE]
    return score_members(
        interactions,
        params,
        additive_logits,
        additive_half,
        votes,
        margin,
        label_memory,
        columns,
        views,
    )


@compiled
def score_members(
    interactions: Interactions,
    params: InteractionParameters,
    additive_logits: Floats,
    additive_half: float,
    votes: float,
    margin: float,
    label_memory: bool,
    columns: Ints,
    views: Singles,
) -> float:
    """Return the probability by all members, less 1/2; the forest has told its two logits."""
    logits, halves = interactions.logits, interactions.shares.halves
    for e in range(ADDITIVE_LOGITS):
        logits[e] = additive_logits[e]
    logits[ADDITIVE_LOGITS], logits[ADDITIVE_LOGITS + 1] = votes, margin
    if params.pairs:
        score_pairs(interactions.pairs, columns, views)
        logits[ADDITIVE_LOGITS + 2] = interactions.pairs.own[LOGIT]
    halves[ADDITIVE] = additive_half
    for e in range(3):
        half = sigmoid(logits[ADDITIVE_LOGITS + e]) - 0.5
        halves[VOTE_MEMBER + e] = max(-LARGEST_HALF, min(LARGEST_HALF, half))
    halves[SECOND_STACK] = sigmoid(stack_logit(interactions.stack, logits, label_memory)) - 0.5
    half = additive_half
    if interactions.worth[ROWS] >= ENTRY:
        half = mean_half(interactions.shares)
    interactions.worth[LAST_HALF] = half
    return half


@compiled
def learn_interactions(
    interactions: Interactions,
    params: InteractionParameters,
    columns: Ints,
    values: Floats,
    views: Singles,
    label: float,
    weight: float,
) -> None:
    """Learn the label of the row that was just scored by all parts."""
    learn_members(interactions, params, columns, views, label, weight)
    if params.forest:
        side = 1 if label > 0.0 else 0
        learn_forest(interactions.forest, columns, values, side, weight)


@compiled
def learn_members(
    interactions: Interactions,
    params: InteractionParameters,
    columns: Ints,
    views: Singles,
    label: float,
    weight: float,
) -> None:
    """Learn the label by all parts but the forest."""
    shares, worth = interactions.shares, interactions.worth
    before = max(LEAST_PROBABILITY, 0.5 + label * shares.halves[ADDITIVE])
    after = max(LEAST_PROBABILITY, 0.5 + label * worth[LAST_HALF])
    worth[ROWS] += 1.0
    worth[WORTH] += (math.log(after / before) - worth[WORTH]) / min(worth[ROWS], TRIAL)
    if worth[ROWS] > ENTRY:
        learn_shares(shares, label, weight)
    else:
        add_losses(shares, label, weight)
    learn_stack(interactions.stack, stack_chance(shares), label, weight)
    if params.pairs:
        learn_pairs(interactions.pairs, columns, views, label, weight)
