"""Growth: a leaf is split by its best candidate; a child is made when a row first needs it."""

from __future__ import annotations

import numpy as np

from braided.compiled.jit import Index, Whole, compiled
from braided.learners.braid.forest.candidates import best_and_weakest, drop_candidate
from braided.learners.braid.forest.layout import (
    AGE,
    BEGUN,
    BIAS_SQUARES,
    BRANCHES,
    CANDIDATES,
    CHILD,
    COUNT,
    DRAWN,
    DUE,
    FEATURE,
    FIRST_CHANCE,
    FIRST_CHECK,
    FIRST_SQUARES,
    GONE,
    LATE_ERROR,
    LEAF,
    LONG_ERROR,
    MOST_NEW_NODES,
    MOST_NEW_SLOTS,
    NODES,
    PRIOR,
    SEEN,
    SLOT,
    SLOTS,
    SQUARES,
    UNKNOWN,
    WEIGHT,
    Forest,
    place_of,
    slots_allowed,
)

__all__ = [
    "begin_class",
    "check_candidates",
    "forget_feature",
    "has_forest_room",
    "new_child",
    "plant",
]

MOST_COUNTED = 30_000
"""Candidates begin anew after so many rows: they are counted in 16 bits."""

KEPT_SQUARES = 0.5
"""The part of a leaf's squared gradients that its children begin with."""


@compiled
def has_forest_room(forest: Forest) -> bool:
    """Return whether each tree can learn a row, which adds at most a child and then a split."""
    nodes, slots = forest.threshold.shape[1], forest.cut.shape[1]
    if forest.used.shape[0] == 0:
        return True
    most_slots = slots_allowed(forest)
    for tree in range(forest.used.shape[0]):
        used = forest.used[tree]
        if used[NODES] + MOST_NEW_NODES > nodes and nodes < forest.most[NODES]:
            return False
        if used[SLOTS] + MOST_NEW_SLOTS > slots and slots < most_slots:
            return False
    return True


@compiled
def new_child(forest: Forest, tree: Whole, parent: Whole, branch: Whole) -> int:
    """Make the child for a branch, which begins as its parent is; the parent without room."""
    used, most, leaf = forest.used[tree], forest.most, forest.leaf[tree]
    if used[NODES] >= most[NODES] or used[SLOTS] >= slots_allowed(forest):
        return int(parent)
    child = int(used[NODES])
    used[NODES] += 1
    forest.node[tree, parent, CHILD + branch] = child
    total = 1.0
    for c in range(leaf.shape[2]):
        total += leaf[parent, COUNT, c]
    share = 1.0 / total
    for c in range(leaf.shape[2]):
        leaf[child, COUNT, c] = 0.0
        leaf[child, PRIOR, c] = (
            np.float64(leaf[parent, COUNT, c]) + leaf[parent, PRIOR, c]
        ) * share
        leaf[child, WEIGHT, c] = leaf[parent, WEIGHT, c]
        leaf[child, SQUARES, c] = FIRST_SQUARES if leaf[parent, SQUARES, c] > 0.0 else 0.0
    _begin_leaf(forest, tree, child, int(used[SLOTS]))
    used[SLOTS] += 1
    return child


@compiled
def check_candidates(forest: Forest, tree: Whole, q: Whole) -> None:
    """Split a leaf if a candidate is good enough; otherwise drop the weakest, if there are all."""
    growth, used, most = forest.growth[tree, q], forest.used[tree], forest.most
    growth[DUE] = growth[SEEN] + max(FIRST_CHECK, growth[SEEN] >> 3)
    slot, drawn = Index(growth[SLOT]), growth[DRAWN]
    best, weakest = best_and_weakest(forest, tree, slot, drawn)
    has_room = used[NODES] + BRANCHES <= most[NODES] and used[SLOTS] + 2 <= slots_allowed(forest)
    if best >= 0 and has_room:
        _split(forest, tree, q, slot, best)
        return
    if weakest >= 0 and drawn == CANDIDATES:
        growth[DRAWN] = drawn - 1
        drop_candidate(forest, tree, slot, weakest, drawn - 1)
    if growth[SEEN] > MOST_COUNTED:
        growth[DRAWN], growth[SEEN], growth[DUE] = 0, 0, FIRST_CHECK


@compiled
def plant(forest: Forest, tree: Whole) -> None:
    """Let a tree begin anew, as one leaf."""
    leaf = forest.leaf[tree, 0]
    forest.used[tree] = 1
    forest.health[tree, LATE_ERROR] = forest.health[tree, LONG_ERROR] = 0.0
    forest.health[tree, AGE] = 0.0
    for c in range(leaf.shape[1]):
        begun = leaf[SQUARES, c] > 0.0
        leaf[COUNT, c] = leaf[WEIGHT, c] = 0.0
        leaf[PRIOR, c] = FIRST_CHANCE if begun else 0.0
        leaf[SQUARES, c] = FIRST_SQUARES if begun else 0.0
    _begin_leaf(forest, tree, 0, 0)


@compiled
def begin_class(forest: Forest, number: Whole) -> None:
    """Let a class begin in all nodes: no row of it has come there yet."""
    for tree in range(forest.used.shape[0]):
        for q in range(forest.used[tree, NODES]):
            forest.leaf[tree, q, PRIOR, number] = FIRST_CHANCE
            forest.leaf[tree, q, SQUARES, number] = FIRST_SQUARES
    forest.bias[BIAS_SQUARES, number] = FIRST_SQUARES
    forest.rounds[BEGUN] += 1


@compiled
def forget_feature(forest: Forest, feature: Whole) -> None:
    """Let a feature that was dropped be absent for ever: another may get its number."""
    forest.importance[place_of(feature)] = UNKNOWN
    for tree in range(forest.used.shape[0]):
        for q in range(forest.used[tree, NODES]):
            if forest.node[tree, q, FEATURE] == feature:
                forest.node[tree, q, FEATURE] = GONE
            elif forest.node[tree, q, FEATURE] == LEAF:
                slot, drawn = forest.growth[tree, q, SLOT], forest.growth[tree, q, DRAWN]
                for i in range(drawn):
                    if forest.candidate[tree, slot, i] == feature:
                        forest.candidate[tree, slot, i] = GONE


@compiled
def _split(forest: Forest, tree: Whole, q: Whole, slot: Whole, best: Whole) -> None:
    """Make a leaf an inner node; a child takes what was counted, if any row came its way."""
    used, leaf, tested = forest.used[tree], forest.leaf[tree], forest.tested[tree, slot]
    forest.node[tree, q, FEATURE] = forest.candidate[tree, slot, best]
    forest.threshold[tree, q] = forest.cut[tree, slot, best]
    total = 1.0
    for c in range(leaf.shape[2]):
        total += leaf[q, COUNT, c]
    share = 1.0 / total
    own_slot = slot  # the first child goes on with the slot of the leaf
    for branch in range(BRANCHES):
        rows = 0
        for c in range(leaf.shape[2]):
            rows += tested[c, branch, best]
        if rows == 0:
            continue
        child = int(used[NODES])
        used[NODES] += 1
        forest.node[tree, q, CHILD + branch] = child
        for c in range(leaf.shape[2]):
            leaf[child, COUNT, c] = tested[c, branch, best]
            leaf[child, PRIOR, c] = (np.float64(leaf[q, COUNT, c]) + leaf[q, PRIOR, c]) * share
            leaf[child, WEIGHT, c] = leaf[q, WEIGHT, c]
            squares = np.float64(leaf[q, SQUARES, c])
            kept = FIRST_SQUARES + KEPT_SQUARES * (squares - FIRST_SQUARES)
            leaf[child, SQUARES, c] = kept if squares > 0.0 else 0.0
        _begin_leaf(forest, tree, child, own_slot)
        own_slot = used[SLOTS]
        used[SLOTS] += 1
    used[SLOTS] -= 1  # the last child took none


@compiled
def _begin_leaf(forest: Forest, tree: Whole, q: Whole, slot: Whole) -> None:
    """Make a node a leaf without candidates."""
    growth, node = forest.growth[tree, q], forest.node[tree, q]
    growth[SEEN], growth[DUE], growth[SLOT], growth[DRAWN] = 0, FIRST_CHECK, slot, 0
    forest.threshold[tree, q] = 0.0
    node[:] = 0
    node[FEATURE] = LEAF
