"""Pairs: logistic regression on the products of the strongest features of a row, by AdaGrad.

The 8 values of a row whose features alone tell most of the label, by (sum y v)^2 / sum v^2 of their
main view v, are multiplied with each other and with themselves: 36 products, limited to 3 and -3.
Their weights lie in a square table, a cell for two features; from 256 features on, cells are
shared. All values of the row have a weight of their own as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Index, Ints, Whole, compiled
from braided.kernels.logistic import sigmoid
from braided.learners.braid.experts.steps import FIRST_SQUARES, adagrad
from braided.learners.braid.layout import Singles

__all__ = [
    "LOGIT",
    "PAIRS_BUFFERS",
    "Pairs",
    "forget_pairs",
    "learn_pairs",
    "new_pairs",
    "score_pairs",
]

STRONGEST = 8
PRODUCTS = STRONGEST * (STRONGEST + 1) // 2
LARGEST_PRODUCT = 3.0
WIDEST = 256
"""The width of the table of products at most: half a megabyte."""

# The columns of Pairs.alone; those of Pairs.together are the first two.
WEIGHT, SQUARES, WITH_LABEL, SIZE = range(4)

# The numbers of Pairs.own.
INTERCEPT, INTERCEPT_SQUARES, LOGIT, LENGTH = range(4)
PAIRS_BUFFERS = (..., slice(LOGIT, LENGTH + 1))  # from ``score`` to ``update``


class Pairs(NamedTuple):
    """What was learned; ``strongest`` and ``product`` are buffers for a row."""

    alone: Singles  # by feature, see WEIGHT
    together: Singles  # by both features
    own: NDArray[np.float64]
    strongest: NDArray[np.int32]  # entries of the row, and at the end how many
    product: NDArray[np.float64]


def new_pairs(capacity: int) -> Pairs:
    """Make weights of 0, with room for so many features; no room at all for 0."""
    width, used = min(capacity, WIDEST), int(capacity > 0)
    return Pairs(
        alone=np.zeros((capacity, 4), np.float32),
        together=np.zeros((width, width, 2), np.float32),
        own=np.zeros(4 * used),
        strongest=np.zeros((STRONGEST + 1) * used, np.int32),
        product=np.zeros(PRODUCTS * used),
    )


@compiled
def score_pairs(pairs: Pairs, features: Ints, views: Singles) -> None:
    """Write the logit, the products and the squared length of the row."""
    _find_strongest(pairs, features)
    logit, length = float(pairs.own[INTERCEPT]), 1.0
    for i in range(features.size):
        v = np.float64(views[i])
        logit += pairs.alone[Index(features[i]), WEIGHT] * v
        length += v * v
    width, place = pairs.together.shape[0], 0
    for r in range(pairs.strongest[STRONGEST]):
        i = pairs.strongest[r]
        for s in range(r + 1):
            j = pairs.strongest[s]
            whole = np.float64(views[i]) * np.float64(views[j]) - (1.0 if r == s else 0.0)
            product = max(-LARGEST_PRODUCT, min(LARGEST_PRODUCT, whole))
            row, column = _cell(features[i], features[j], width)
            logit += pairs.together[row, column, WEIGHT] * product
            pairs.product[place] = product
            length += product * product
            place += 1
    pairs.own[LOGIT], pairs.own[LENGTH] = logit, length


@compiled
def learn_pairs(pairs: Pairs, features: Ints, views: Singles, label: float, weight: float) -> None:
    """Learn the label of the row that was just scored; steps are divided by its length."""
    own, alone, together = pairs.own, pairs.alone, pairs.together
    error = weight * (0.5 + 0.5 * label - sigmoid(own[LOGIT]))
    step = np.float32(error), np.float32(1.0 / math.sqrt(own[LENGTH]))
    own[INTERCEPT_SQUARES] += error * error
    root = math.sqrt(FIRST_SQUARES + own[INTERCEPT_SQUARES])
    own[INTERCEPT] += error / math.sqrt(own[LENGTH]) / root
    width, place = together.shape[0], 0
    for r in range(pairs.strongest[STRONGEST]):
        for s in range(r + 1):
            i, j = pairs.strongest[r], pairs.strongest[s]
            row, column = _cell(features[i], features[j], width)
            gradient = step[0] * np.float32(pairs.product[place])
            adagrad(together[row], column, WEIGHT, SQUARES, gradient, step[1])
            place += 1
    for i in range(features.size):
        j, v = Index(features[i]), views[i]
        adagrad(alone, j, WEIGHT, SQUARES, step[0] * v, step[1])
        alone[j, WITH_LABEL] += np.float32(label) * v
        alone[j, SIZE] += v * v


@compiled
def forget_pairs(pairs: Pairs, feature: Whole) -> None:
    """Forget all that is known of a feature, with others too."""
    place = Index(feature) % Index(pairs.together.shape[0])
    pairs.alone[Index(feature)] = 0.0
    pairs.together[place] = 0.0
    pairs.together[:, place] = 0.0


@compiled
def _cell(one: Whole, other: Whole, width: Whole) -> tuple[Whole, Whole]:
    """Return the place of two features in the table, in an order of their own."""
    a, b = Index(one) % Index(width), Index(other) % Index(width)
    return min(a, b), max(a, b)


@compiled
def _find_strongest(pairs: Pairs, features: Ints) -> None:
    """Write which entries of the row have the most evidence, at most STRONGEST."""
    strongest, evidence, count = pairs.strongest, pairs.product, 0
    weakest = 0
    for i in range(features.size):
        j = Index(features[i])
        together, size = np.float64(pairs.alone[j, WITH_LABEL]), np.float64(pairs.alone[j, SIZE])
        if together == 0.0:
            continue
        of_entry = together * together / size
        if count < STRONGEST:
            strongest[count], evidence[count] = i, of_entry
            count += 1
        elif of_entry > evidence[weakest]:
            strongest[weakest], evidence[weakest] = i, of_entry
        else:
            continue
        if count == STRONGEST:
            weakest = 0
            for r in range(1, STRONGEST):
                if evidence[r] < evidence[weakest]:
                    weakest = r
    strongest[STRONGEST] = count
