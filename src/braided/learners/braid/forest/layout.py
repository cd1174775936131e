"""The arrays of the forest, and the meaning of their columns.

Each tree has its own part of every array: the first axis is the tree. What a walk reads (feature,
children, threshold) is apart from what only a leaf needs. A leaf has a slot with its candidates,
which need most of the memory: 24 bytes each, with two classes.

The values of a row lie in ``value``, by feature; all others are ABSENT there, which is above all
thresholds and above LARGEST_VALUE.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    "first_class",
    "new_forest",
    "size_for",
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

# The columns of Forest.node: the feature, or LEAF, and the children, or 0.
FEATURE, CHILD = 0, 1
LEAF = -1

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

# The rows of Forest.logits: by the mean probability, by the sum of the weights; and the errors.
VOTES, MARGIN, ERROR = range(3)

# The numbers of Forest.rounds: rows learned, and at the last renewal.
LEARNED, RENEWED = range(2)

MOST_NEW_NODES, MOST_NEW_SLOTS = 4, 3
"""What a tree may need to learn a row: a child, which is split."""

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
    most: NDArray[np.int32]  # that a tree may use, see NODES
    health: NDArray[np.float64]  # tree, see LATE_ERROR
    bias: NDArray[np.float64]  # see BIAS, class
    rounds: NDArray[np.int64]  # see LEARNED
    importance: Singles  # by feature: mean chi-square for each row of its candidates
    rng: NDArray[np.uint64]
    value: NDArray[np.float64]  # by feature
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
) -> Forest:
    """Make trees of one leaf each, with room for features, nodes, slots and classes."""
    trees, nodes, slots = room
    node = np.zeros((trees, nodes, 1 + BRANCHES), np.int32)
    node[:, :, FEATURE] = LEAF
    leaf = np.zeros((trees, nodes, 4, classes), np.float32)
    leaf[:, :1, PRIOR] = 1.0 / max(1, classes)
    leaf[:, :1, SQUARES] = FIRST_SQUARES
    growth = np.zeros((trees, nodes, 4), np.int32)
    growth[:, :1, DUE] = FIRST_CHECK
    bias = np.zeros((2, classes))
    bias[BIAS_SQUARES] = FIRST_SQUARES
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
        rounds=np.zeros(2 if trees else 0, np.int64),
        importance=np.full(capacity if trees else 0, UNKNOWN, np.float32),
        rng=new_rng(seed) if trees else np.zeros(0, np.uint64),
        value=np.full(capacity if trees else 0, ABSENT),
        reached=np.zeros((trees, 3), np.int32),
        logits=np.zeros((3, classes)),
    )


def first_class(classes: int) -> int:
    """The first class with a margin: of two classes, one margin is enough."""
    return 1 if classes == 2 else 0


def size_for(wanted: int, most: int) -> int:
    """The room for so many nodes or slots: a power of two, or the most that are allowed."""
    return min(most, 1 << max(0, wanted - 1).bit_length())


def with_forest_room(forest: Forest) -> Forest:
    """Return the forest with room for all that a row lets grow; the same if it has it."""
    trees, nodes, slots = forest.used.shape[0], forest.threshold.shape[1], forest.cut.shape[1]
    if trees == 0:
        return forest
    used, most = forest.used.max(axis=0).tolist(), forest.most.tolist()
    room = ForestSize(
        trees,
        max(nodes, size_for(used[NODES] + MOST_NEW_NODES, most[NODES])),
        max(slots, size_for(used[SLOTS] + MOST_NEW_SLOTS, most[SLOTS])),
    )
    if room == (trees, nodes, slots):
        return forest
    return grown(forest, new_forest(0, room, classes=forest.leaf.shape[3]))
