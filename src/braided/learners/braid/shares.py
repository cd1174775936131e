"""Exponential weights over the experts and the stack, with a fixed share.

Herbster and Warmuth, "Tracking the Best Expert", Machine Learning 1998. The mixture's probability
is the mean of theirs, weighted by how well each has predicted; a little of the weight is shared out
at each round, so that nobody is lost for ever. They protect short streams from the stack, which has
to learn first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import Floats, compiled
from braided.kernels.logistic import sigmoid
from braided.learners.braid.layout import CHANCE
from braided.learners.braid.stack import LARGEST_LOGIT

__all__ = ["Shares", "learn_shares", "mean_losses", "mixture", "new_shares"]

RATE = 0.5
SHARED_OUT = 0.001
LEAST_PROBABILITY = 1e-6
LEAST_LUCK = 1e-200
LARGEST_HALF = 1.0 / (1.0 + math.exp(-LARGEST_LOGIT)) - 0.5


class Shares(NamedTuple):
    """The shares of the members and the sums of their log losses; ``halves`` is scratch."""

    share: NDArray[np.float64]
    loss: NDArray[np.float64]  # and, at the end, the sum of the rows' weights
    luck: NDArray[np.float64]  # the probability of the labels whose loss is not added up yet
    halves: NDArray[np.float64]  # probability - 1/2


def new_shares(members: int) -> Shares:
    """Equal shares."""
    return Shares(
        share=np.full(members, 1.0 / members),
        loss=np.zeros(members + 1),
        luck=np.ones(members),
        halves=np.zeros(members),
    )


def mean_losses(shares: Shares) -> NDArray[np.float64]:
    """The mean log loss of each member so far."""
    means: NDArray[np.float64] = (shares.loss[:-1] - np.log(shares.luck)) / shares.loss[-1]
    return means


@compiled
def mixture(shares: Shares, own: Floats, stack_logit: float) -> float:
    """The log odds of the mean probability; no expert's is near 0 or 1."""
    share, halves, stack = shares.share, shares.halves, shares.share.size - 1
    for e in range(stack):
        halves[e] = max(-LARGEST_HALF, min(LARGEST_HALF, own[e, CHANCE] - 0.5))
    halves[stack] = sigmoid(stack_logit) - 0.5
    total = 0.0
    for e in range(share.size):
        total += share[e] * halves[e]
    return 2.0 * math.atanh(2.0 * total)


@compiled
def learn_shares(shares: Shares, label: float, weight: float) -> None:
    """share *= probability of the label ^ 1/2, normalised, and .001 shared out"""
    share, halves = shares.share, shares.halves
    best = 0.0
    for e in range(share.size):
        best = max(best, 0.5 + label * halves[e])
    total = 0.0
    for e in range(share.size):
        p = max(LEAST_PROBABILITY, 0.5 + label * halves[e])
        fit = p / best
        if weight == 1.0:
            share[e] *= math.sqrt(fit)
            shares.luck[e] *= p
            if shares.luck[e] < LEAST_LUCK:  # a logarithm each round would cost as much as the rest
                shares.loss[e] -= math.log(shares.luck[e])
                shares.luck[e] = 1.0
        else:
            share[e] *= fit ** (RATE * weight)
            shares.loss[e] -= weight * math.log(p)
        total += share[e]
    shares.loss[share.size] += weight
    for e in range(share.size):
        share[e] = (1.0 - SHARED_OUT) * share[e] / total + SHARED_OUT / share.size
