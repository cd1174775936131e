"""The experts, in one place: to add one, give it a file, a name and two lines here.

Each turns a row into a logit (``score``) and learns from the label (``update``). What it keeps for
a feature and for a bin are columns of ``layout.Experts``, what it keeps of itself a row of ``own``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import Floats, Ints, compiled
from braided.kernels.logistic import sigmoid
from braided.learners.braid.experts import (
    arow,
    bayes,
    binned_adagrad,
    binned_bayes,
    naive_bayes,
    ratio_adagrad,
)
from braided.learners.braid.layout import (
    AROW_WEIGHT,
    BAYES_WEIGHT,
    BINNED_ADAGRAD_WEIGHT,
    BINNED_BAYES_WEIGHT,
    CHANCE,
    INTERCEPT_SPREAD,
    RATIO_WEIGHT,
    Experts,
    Row,
)

__all__ = ["LINEAR", "NAMES", "beginning", "forget_own", "score_experts", "update_experts"]

NAMES = ("ratio AdaGrad", "Bayes", "AROW", "binned Bayes", "binned AdaGrad", "naive Bayes")

LINEAR = {
    0: RATIO_WEIGHT,
    1: BAYES_WEIGHT,
    2: AROW_WEIGHT,
    3: BINNED_BAYES_WEIGHT,
    4: BINNED_ADAGRAD_WEIGHT,
}
"""The experts that are linear in a feature's value, and where they keep its weight."""


def beginning() -> NDArray[np.float64]:
    """What the experts know of themselves before the first row."""
    own = np.zeros((len(NAMES), 5))
    forget_own(own)
    return own


@compiled
def score_experts(experts: Experts, row: Row, columns: Ints, logits: Floats) -> None:
    """Each expert's logit of a row, and the chance of the positive label that it means."""
    own = experts.own
    logits[0] = ratio_adagrad.score(experts, own[0], row, columns)
    logits[1] = bayes.score(experts, own[1], row, columns)
    logits[2] = arow.score(experts, own[2], row, columns)
    logits[3] = binned_bayes.score(experts, own[3], row, columns)
    logits[4] = binned_adagrad.score(experts, own[4], row, columns)
    logits[5] = naive_bayes.score(experts, own[5], row, columns)
    for e in range(logits.size):
        own[e, CHANCE] = sigmoid(logits[e])


@compiled
def update_experts(experts: Experts, row: Row, columns: Ints, label: float, weight: float) -> None:
    """Let each learn the label of the row that they have just scored."""
    own = experts.own
    ratio_adagrad.update(experts, own[0], row, columns, label, weight)
    bayes.update(experts, own[1], row, columns, label, weight)
    arow.update(experts, own[2], row, columns, label, weight)
    binned_bayes.update(experts, own[3], row, columns, label, weight)
    binned_adagrad.update(experts, own[4], row, columns, label, weight)
    naive_bayes.update(experts, own[5], row, columns, label, weight)


@compiled
def forget_own(own: Floats) -> None:
    """Back to the beginning; intercepts begin as the experts that have a use for them want."""
    own[:, :] = 0.0
    for expert in (1, 2, 3):
        own[expert, INTERCEPT_SPREAD] = 1.0
