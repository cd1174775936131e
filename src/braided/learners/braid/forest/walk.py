"""Score a row by all trees: down to a leaf of each, as far as there are nodes.

Two logits come out for each class: that of the mean probability of the leaves, and the sum of their
weights, which begins at what the rest of Braid says. Where a branch has no child yet, the node
above speaks for it.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.memory import prefetch
from braided.kernels.numerics import LARGEST_VALUE
from braided.learners.braid.forest.layout import (
    ABSENT,
    ASKED,
    AWAY,
    BIAS,
    CHILD,
    COUNT,
    FEATURE,
    FIRST_CHANCE,
    LEAF,
    MARGIN,
    NO_BRANCH,
    NODE,
    PREDICTED,
    PRIOR,
    SLOT,
    SQUARES,
    VOTES,
    WEIGHT,
    Forest,
    place_of,
)

__all__ = ["hide_values", "score_forest", "show_values"]

SUREST = 0.001
"""A tree's probability is at least this, and at most 1 less this."""


@inlined
def show_values(forest: Forest, features: Ints, values: Floats) -> None:
    """Write the values of a row where the trees look for them."""
    for i in range(features.size):
        forest.value[place_of(features[i])] = values[i]


@inlined
def hide_values(forest: Forest, features: Ints) -> None:
    """Make all values absent again."""
    for i in range(features.size):
        forest.value[place_of(features[i])] = ABSENT


@compiled
def score_forest(forest: Forest, features: Ints, values: Floats) -> None:
    """Write both logits of each class, and where the row ended in each tree.

    ``logits`` says which classes are asked for, and in place of MARGIN what the rest of Braid says.
    """
    logits, trees, classes = forest.logits, forest.used.shape[0], forest.leaf.shape[3]
    for c in range(classes):
        logits[VOTES, c] = 0.0
        logits[MARGIN, c] += forest.bias[BIAS, c]
    show_values(forest, features, values)
    _walk(forest)
    for tree in range(trees):
        _vote(forest, Index(tree))
    hide_values(forest, features)
    for c in range(classes):
        if logits[ASKED, c] > 0.0:
            p = logits[VOTES, c] / trees
            logits[VOTES, c] = math.log(p / (1.0 - p))


@inlined
def _walk(forest: Forest) -> None:
    """Find the last node in each tree for the row whose values are shown.

    All trees go down a level at a time: the processor need not wait for one to begin with another.
    """
    node, threshold, value, reached = forest.node, forest.threshold, forest.value, forest.reached
    for tree in range(reached.shape[0]):
        reached[tree, NODE] = 0
    moved = True
    while moved:
        moved = False
        for tree in range(reached.shape[0]):
            q = Index(reached[tree, NODE])
            x = value[place_of(node[tree, q, FEATURE])]
            branch = Index(x > threshold[tree, q]) + Index(x > LARGEST_VALUE)
            child = node[tree, q, Index(CHILD) + branch]  # 0 below a leaf
            moved |= child > 0
            reached[tree, NODE] = child if child > 0 else np.int32(q)
    for tree in range(reached.shape[0]):
        q = Index(reached[tree, NODE])
        feature, reached[tree, AWAY] = node[tree, q, FEATURE], NO_BRANCH
        prefetch(forest.leaf[tree, q], COUNT, 0)
        prefetch(forest.growth[tree], q, SLOT)
        if feature != LEAF:
            x = value[place_of(feature)]
            reached[tree, AWAY] = int(x > threshold[tree, q]) + int(x > LARGEST_VALUE)


@inlined
def _vote(forest: Forest, tree: Whole) -> None:
    """Add what a tree says to the sums, and note which class it would choose."""
    leaf, logits = forest.leaf[tree, Index(forest.reached[tree, NODE])], forest.logits
    total = 1.0
    for c in range(leaf.shape[1]):
        total += leaf[COUNT, c]
    chosen, best, share = 0, 0.0, 1.0 / total
    for c in range(leaf.shape[1]):
        p = (np.float64(leaf[COUNT, c]) + leaf[PRIOR, c]) * share
        if leaf[SQUARES, c] == 0.0 and logits[ASKED, c] > 0.0:  # it begins with this row
            p = FIRST_CHANCE * share
        if p > best:
            chosen, best = c, p
        logits[VOTES, c] += min(max(p, SUREST), 1.0 - SUREST)
        logits[MARGIN, c] += leaf[WEIGHT, c]
    forest.reached[tree, PREDICTED] = chosen
