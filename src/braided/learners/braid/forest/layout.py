"""The arrays of the forest, and the meaning of their columns.

Each tree has its own part of every array: the first axis is the tree. What a walk reads (feature,
children, threshold) is apart from what only a leaf needs. A leaf has a slot with its candidates,
which need most of the memory: 24 bytes each, with two classes. The more classes, the fewer slots.

With many classes each is told from the rest, by numbers of its own. A class *begins* with the row
where it is first asked for; until then its numbers are 0, so that they do not depend on how much
room there is. With two classes both have begun, and only the second is ever asked for.

The values of a row lie in ``value``, by feature; all others are ABSENT there, which is above all
thresholds and above LARGEST_VALUE. The two places before those of features, of a leaf and of a
feature that was dropped (GONE), are always ABSENT.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Whole, as_written, compiled, inlined
from braided.errors import InputError
from braided.kernels.rng import new_rng
from braided.learner.state import grown
from braided.learners.braid.layout import Singles

__all__ = [
    "ABSENT",
    "AT_FIRST",
    "CANDIDATES",
    "LARGEST",
    "NO_FOREST",
    "TREES",
    "Forest",
    "ForestSize",
    "forest_as_in",
    "new_forest",
    "place_of",
    "room_of",
    "size_for",
    "slots_allowed",
    "with_forest_room",
]

TREES = 16
CANDIDATES = 48
"""How many candidates for a split a leaf has at most."""

ABSENT = 1e300
"""Stands for a value that is not observed."""

UNKNOWN = 1e9
"""The importance of a feature that was never part of a test."""

BRANCHES = 3
"""Not above the threshold, above it, absent."""

# The columns of Forest.node: the feature, LEAF or GONE, and the children, or 0.
FEATURE, CHILD = 0, 1
LEAF, GONE = -1, -2
BEFORE = 2
"""The places in ``value`` and ``importance`` before those of features."""

# The columns of Forest.growth.
SEEN, DUE, SLOT, DRAWN = range(4)

# The second axis of Forest.leaf; the last axis is the class.
COUNT, PRIOR, WEIGHT, SQUARES = range(4)

# The columns of Forest.used.
NODES, SLOTS = range(2)

# The columns of Forest.health: mean error of late and of longer ago, and the age in rows.
LATE_ERROR, LONG_ERROR, AGE = range(3)

# The rows of Forest.bias.
BIAS, BIAS_SQUARES = range(2)

# The columns of Forest.reached: the node, the branch that has no child yet or NO_BRANCH, the class.
NODE, AWAY, PREDICTED = range(3)
NO_BRANCH = -1

# The rows of Forest.logits: by the mean probability, by the sum of the weights; the errors; and
# whether the class is asked for.
VOTES, MARGIN, ERROR, ASKED = range(4)

# The numbers of Forest.rounds: rows learned, and at the last renewal; how many classes have begun.
LEARNED, RENEWED, BEGUN = range(3)

MOST_NEW_NODES, MOST_NEW_SLOTS = 4, 3
"""What a tree may need to learn a row: a child, which is split."""

FIRST_CHANCE = 0.5
"""The probability of a class before anything was counted: it is told from the rest."""

FEWEST_SLOTS = 32
"""A tree may use so many slots, however many classes there are."""

FIRST_SQUARES = 0.01
FIRST_CHECK = 8
"""A leaf looks at its candidates after so many rows, later less and less often."""


class ForestSize(NamedTuple):
    """How many trees there are, and how many nodes and slots each has, or may have."""

    trees: int
    nodes: int
    slots: int


class Forest(NamedTuple):
    """What the trees learned; ``value``, ``reached`` and ``logits`` are buffers for a row."""

    node: NDArray[np.int32]  # tree, node, see FEATURE and CHILD
    threshold: NDArray[np.float64]  # tree, node
    leaf: Singles  # tree, node, see COUNT, class
    growth: NDArray[np.int32]  # tree, node, see SEEN
    candidate: NDArray[np.int32]  # the feature: tree, slot, candidate
    cut: NDArray[np.float64]  # the threshold: tree, slot, candidate
    tested: NDArray[np.uint16]  # rows: tree, slot, class, branch, candidate
    used: NDArray[np.int32]  # tree, see NODES
    most: NDArray[np.int32]  # that a tree may use with two classes, see NODES
    health: NDArray[np.float64]  # tree, see LATE_ERROR
    bias: NDArray[np.float64]  # see BIAS, class
    rounds: NDArray[np.int64]  # see LEARNED
    importance: Singles  # by place of a feature: mean chi-square for each row of its candidates
    rng: NDArray[np.uint64]
    value: NDArray[np.float64]  # by place of a feature
    reached: NDArray[np.int32]  # tree, see NODE
    logits: NDArray[np.float64]  # see VOTES, class


LARGEST = ForestSize(TREES, 1024, 512)
"""About ten megabytes, with two classes."""

AT_FIRST = ForestSize(TREES, 1, 1)
"""The room of a forest that has learned nothing."""

NO_FOREST = ForestSize(0, 0, 0)


def new_forest(
    capacity: int,
    room: ForestSize = AT_FIRST,
    most: ForestSize = LARGEST,
    classes: int = 2,
    seed: int = 0,
    begun: int = 2,
) -> Forest:
    """Make trees of one leaf each, with room for features, nodes, slots and classes."""
    trees, nodes, slots = room
    node = np.zeros((trees, nodes, 1 + BRANCHES), np.int32)
    node[:, :, FEATURE] = LEAF
    leaf = np.zeros((trees, nodes, 4, classes), np.float32)
    leaf[:, :1, PRIOR, :begun] = FIRST_CHANCE
    leaf[:, :1, SQUARES, :begun] = FIRST_SQUARES
    growth = np.zeros((trees, nodes, 4), np.int32)
    growth[:, :1, DUE] = FIRST_CHECK
    bias = np.zeros((2, classes))
    bias[BIAS_SQUARES, :begun] = FIRST_SQUARES
    return Forest(
        node=node,
        threshold=np.zeros((trees, nodes)),
        leaf=leaf,
        growth=growth,
        candidate=np.zeros((trees, slots, CANDIDATES), np.int32),
        cut=np.zeros((trees, slots, CANDIDATES)),
        tested=np.zeros((trees, slots, classes, BRANCHES, CANDIDATES), np.uint16),
        used=np.ones((trees, 2), np.int32),
        most=np.array(most[1:] if trees else (), np.int32),
        health=np.zeros((trees, 3)),
        bias=bias,
        rounds=np.array([0, 0, begun] if trees else [], np.int64),
        importance=np.full(capacity + BEFORE if trees else 0, UNKNOWN, np.float32),
        rng=new_rng(seed) if trees else np.zeros(0, np.uint64),
        value=np.full(capacity + BEFORE if trees else 0, ABSENT),
        reached=np.zeros((trees, 3), np.int32),
        logits=np.zeros((4, classes)),
    )


@inlined
def place_of(feature: Whole) -> Whole:
    """Return where ``value`` and ``importance`` have a feature."""
    return Index(feature + BEFORE)


@compiled
def slots_allowed(forest: Forest) -> int:
    """Return how many slots a tree may use; their memory is in proportion to the classes."""
    most, begun = forest.most[SLOTS], max(2, forest.rounds[BEGUN])
    return int(min(most, max(FEWEST_SLOTS, 2 * most // begun)))


def room_of(forest: Forest) -> ForestSize:
    """The room of a forest."""
    return ForestSize(forest.used.shape[0], forest.threshold.shape[1], forest.cut.shape[1])


def forest_as_in(
    length: Callable[..., int], used: bool, largest: ForestSize, within: str = ""
) -> ForestSize:
    """The room of the forest in a file, as far as it is allowed."""
    if not used:
        return NO_FOREST
    nodes = length(f"{within}interactions.forest.threshold", 1)
    slots = length(f"{within}interactions.forest.cut", 1)
    if not (1 <= nodes <= largest.nodes and 1 <= slots <= largest.slots):
        raise InputError(f"its trees have room for {nodes} nodes and {slots} leaves")
    return ForestSize(largest.trees, nodes, slots)


def size_for(wanted: int, most: int) -> int:
    """The room for so many nodes or slots: a power of two, or the most that are allowed."""
    return min(most, 1 << max(0, wanted - 1).bit_length())


def with_forest_room(forest: Forest) -> Forest:
    """Return the forest with room for all that a row lets grow; the same if it has it."""
    trees, nodes, slots = forest.used.shape[0], forest.threshold.shape[1], forest.cut.shape[1]
    if trees == 0:
        return forest
    used = forest.used.max(axis=0).tolist()
    room = ForestSize(
        trees,
        max(nodes, size_for(used[NODES] + MOST_NEW_NODES, int(forest.most[NODES]))),
        max(slots, size_for(used[SLOTS] + MOST_NEW_SLOTS, as_written(slots_allowed)(forest))),
    )
    if room == (trees, nodes, slots):
        return forest
    return grown(forest, new_forest(0, room, classes=forest.leaf.shape[3]))
