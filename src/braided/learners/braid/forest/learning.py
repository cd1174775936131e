"""Let all trees learn the label of the row that was just scored.

The sum of the weights of the leaves is moved by AdaGrad (Duchi, Hazan and Singer, JMLR 2011): a
forest of leaf weights learns what the rest of Braid does not know. Counts and candidates count
rows, whatever their sample weights are.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, Ints, compiled
from braided.kernels.logistic import sigmoid
from braided.learners.braid.forest.candidates import count_row, draw, prefetch_candidates
from braided.learners.braid.forest.growth import begin_class, check_candidates, new_child
from braided.learners.braid.forest.layout import (
    ASKED,
    AWAY,
    BIAS,
    BIAS_SQUARES,
    COUNT,
    DRAWN,
    DUE,
    ERROR,
    FEATURE,
    LEAF,
    LEARNED,
    MARGIN,
    NO_BRANCH,
    NODE,
    PREDICTED,
    SEEN,
    SLOT,
    SQUARES,
    WEIGHT,
    Forest,
)
from braided.learners.braid.forest.renewal import note_error, renew_worst
from braided.learners.braid.forest.walk import hide_values, show_values

__all__ = ["learn_forest"]


@compiled
def learn_forest(
    forest: Forest,
    features: Ints,
    values: Floats,
    label: int,
    weight: float,
) -> None:
    """Learn the class of the row, for all classes that were asked for."""
    classes, logits, bias = forest.leaf.shape[3], forest.logits, forest.bias
    rate = 1.0 / math.sqrt(1.0 + forest.used.shape[0])
    for c in range(classes):
        if logits[ASKED, c] == 0.0:
            continue
        if bias[BIAS_SQUARES, c] == 0.0:
            begin_class(forest, c)
        error = weight * ((1.0 if c == label else 0.0) - sigmoid(logits[MARGIN, c]))
        logits[ERROR, c] = error
        bias[BIAS_SQUARES, c] += error * error
        bias[BIAS, c] += rate * error / math.sqrt(bias[BIAS_SQUARES, c])
    show_values(forest, features, values)
    trees = forest.used.shape[0]
    for tree in range(trees):
        if tree + 1 < trees:
            ahead = forest.reached[tree + 1, NODE]
            slot = Index(forest.growth[tree + 1, ahead, SLOT])
            prefetch_candidates(forest, Index(tree + 1), slot, label)
        q = int(forest.reached[tree, NODE])
        if forest.reached[tree, AWAY] != NO_BRANCH:
            q = new_child(forest, tree, q, forest.reached[tree, AWAY])
        leaf, growth = forest.leaf[tree, Index(q)], forest.growth[tree, Index(q)]
        for c in range(classes):
            if logits[ASKED, c] == 0.0:
                continue
            error = logits[ERROR, c]
            leaf[SQUARES, c] += error * error
            leaf[WEIGHT, c] += rate * error / math.sqrt(np.float64(leaf[SQUARES, c]))
        leaf[COUNT, label] += 1.0
        growth[SEEN] += 1
        if tree < trees // 2:
            note_error(forest, tree, forest.reached[tree, PREDICTED] != label)
        if forest.node[tree, Index(q), FEATURE] != LEAF:
            continue
        slot, drawn = Index(growth[SLOT]), growth[DRAWN]
        count_row(forest, Index(tree), slot, drawn, label)
        if features.size > 0:
            growth[DRAWN] = draw(forest, features, values, Index(tree), slot, drawn)
        if growth[SEEN] >= growth[DUE]:
            check_candidates(forest, Index(tree), Index(q))
    hide_values(forest, features)
    forest.rounds[LEARNED] += 1
    renew_worst(forest)
