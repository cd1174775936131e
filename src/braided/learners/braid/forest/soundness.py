"""Is a forest from a file one that kernels can walk without leaving its arrays?"""

from __future__ import annotations

import numpy as np

from braided.learners.braid.forest.layout import (
    ABSENT,
    AGE,
    AWAY,
    BEGUN,
    BIAS_SQUARES,
    BRANCHES,
    CANDIDATES,
    CHILD,
    COUNT,
    DRAWN,
    FEATURE,
    GONE,
    NO_BRANCH,
    NODE,
    NODES,
    PREDICTED,
    PRIOR,
    SEEN,
    SLOT,
    SLOTS,
    SQUARES,
    Forest,
)

__all__ = ["is_sound_forest"]


def is_sound_forest(forest: Forest, features: int) -> bool:
    """Whether all indices lie within their arrays and all trees end; ``features`` are known."""
    trees, nodes = forest.threshold.shape
    if trees == 0:
        return True
    slots, classes = forest.cut.shape[1], forest.leaf.shape[3]
    used, growth, leaf = forest.used, forest.growth, forest.leaf
    exists = np.arange(nodes) < used[:, NODES, None]
    feature, children = forest.node[:, :, FEATURE], forest.node[:, :, CHILD:]
    own = np.arange(nodes)[:, None]
    after = (children == 0) | ((children > own) & (children < used[:, NODES, None, None]))
    begun = leaf[0, 0, SQUARES] > 0
    drawn, slot = growth[:, :, DRAWN], growth[:, :, SLOT]
    reached = forest.reached
    return bool(
        nodes <= forest.most[NODES]
        and slots <= forest.most[SLOTS]
        and ((used >= 1) & (used <= (nodes, slots))).all()
        and ((feature >= GONE) & (feature < features))[exists].all()
        and after[exists].all()  # children come after their parents, so that there is no circle
        and ((drawn >= 0) & (drawn <= CANDIDATES)).all()
        and ((slot >= 0) & (slot < used[:, SLOTS, None]))[exists].all()
        and (growth[:, :, SEEN] >= 0).all()
        and ((forest.candidate >= GONE) & (forest.candidate < features)).all()
        and (leaf[:, :, COUNT] >= 0).all()
        and ((leaf[:, :, PRIOR] >= 0) & (leaf[:, :, PRIOR] <= 1)).all()
        and ((leaf[:, :, SQUARES][exists] > 0) == begun).all()
        and forest.rounds[BEGUN] == np.count_nonzero(begun)
        and (forest.health[:, AGE] >= 0).all()
        and ((forest.bias[BIAS_SQUARES] > 0) == begun).all()
        and (forest.value == ABSENT).all()
        and ((reached[:, NODE] >= 0) & (reached[:, NODE] < nodes)).all()
        and ((reached[:, AWAY] >= NO_BRANCH) & (reached[:, AWAY] < BRANCHES)).all()
        and ((reached[:, PREDICTED] >= 0) & (reached[:, PREDICTED] < classes)).all()
    )
