"""The experts, in one place: to add one, give it a file, a name and four lines here.

An expert is four small functions. To score a row it goes over its values (``add``) and makes a
``logit`` of the sum; to learn the label it decides on a step (``begin``) and makes it with each
value (``learn``). What it keeps for a feature and for a bin are columns of ``layout.Experts``, what
it keeps of itself a row of ``own``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, Ints, as_written, compiled, inlined
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
    value_of,
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
    as_written(forget_own)(own)
    return own


@inlined
def score_experts(experts: Experts, row: Row, columns: Ints, logits: Floats) -> None:
    """Each expert's logit of a row, and the chance of the positive label that it means.

    All go over the row together, so that what is kept of a feature is fetched once.
    """
    own, facts, nothing = experts.own, row.facts, (0.0, 0.0)
    a, b, c, d, e, f = 0.0, nothing, nothing, nothing, 0.0, naive_bayes.no_odds(own[5])
    for i in range(columns.size):
        value = value_of(row, columns, i)
        a = ratio_adagrad.add(a, experts, facts, value)
        b = bayes.add(b, experts, facts, value)
        c = arow.add(c, experts, facts, value)
        d = binned_bayes.add(d, experts, facts, value)
        e = binned_adagrad.add(e, experts, facts, value)
        f = naive_bayes.add(f, experts, facts, value)
    logits[0] = ratio_adagrad.logit(a, own[0], facts)
    logits[1] = bayes.logit(b, own[1], facts)
    logits[2] = arow.logit(c, own[2], facts)
    logits[3] = binned_bayes.logit(d, own[3], facts)
    logits[4] = binned_adagrad.logit(e, own[4], facts)
    logits[5] = naive_bayes.logit(f, own[5], facts)
    for expert in range(len(NAMES)):
        own[expert, CHANCE] = sigmoid(logits[expert])


@inlined
def update_experts(experts: Experts, row: Row, columns: Ints, label: float, weight: float) -> None:
    """Let each learn the label of the row that they have just scored."""
    own, facts = experts.own, row.facts
    a = ratio_adagrad.begin(own[0], facts, label, weight)
    b = bayes.begin(own[1], facts, label, weight)
    c = arow.begin(own[2], facts, label, weight)
    d = binned_bayes.begin(own[3], facts, label, weight)
    e = binned_adagrad.begin(own[4], facts, label, weight)
    f = naive_bayes.begin(own[5], facts, label, weight)
    for i in range(columns.size):
        value = value_of(row, columns, i)
        ratio_adagrad.learn(a, experts, value)
        bayes.learn(b, experts, value)
        arow.learn(c, experts, value)
        binned_bayes.learn(d, experts, value)
        binned_adagrad.learn(e, experts, value)
        naive_bayes.learn(f, experts, value)


@compiled
def forget_own(own: Floats) -> None:
    """Back to the beginning; intercepts begin as the experts that have a use for them want."""
    own[:, :] = 0.0
    for expert in (1, 2, 3):
        own[expert, INTERCEPT_SPREAD] = 1.0
