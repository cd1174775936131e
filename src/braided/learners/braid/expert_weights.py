"""Expert weights: exponential weights over the experts and the stack, with a fixed share.

Herbster and Warmuth, "Tracking the Best Expert", Machine Learning 1998. The probability of the
mixture is the mean of their probabilities, weighted by how well each has predicted. In each round a
little of all weights is shared equally, so that no expert is lost for ever. On short streams the
stack, which has to learn first, gets little weight.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, compiled, inlined
from braided.kernels.logistic import sigmoid
from braided.learners.braid.experts.all_experts import NAMES
from braided.learners.braid.layout import CHANCE
from braided.learners.braid.stack import LARGEST_LOGIT

__all__ = ["Shares", "learn_shares", "mean_losses", "mixture", "new_shares", "stack_chance"]

MEMBERS = len(NAMES) + 1
"""The experts and, last, the stack."""

RATE = 0.5
SHARED_OUT = 0.001
LEAST_PROBABILITY = 1e-6
LEAST_LUCK = 1e-200
LARGEST_HALF = 1.0 / (1.0 + math.exp(-LARGEST_LOGIT)) - 0.5


class Shares(NamedTuple):
    """The weights of experts and stack, the sums of their log losses; ``halves`` is a buffer."""

    share: NDArray[np.float64]
    loss: NDArray[np.float64]  # and, at the end, the sum of the rows' weights
    luck: NDArray[np.float64]  # the product of the probabilities whose loss is not in ``loss`` yet
    halves: NDArray[np.float64]  # probability - 1/2


def new_shares() -> Shares:
    """Make equal shares."""
    return Shares(
        share=np.full(MEMBERS, 1.0 / MEMBERS),
        loss=np.zeros(MEMBERS + 1),
        luck=np.ones(MEMBERS),
        halves=np.zeros(MEMBERS),
    )


def mean_losses(shares: Shares) -> NDArray[np.float64]:
    """Return the mean log loss of each expert and the stack so far."""
    means: NDArray[np.float64] = (shares.loss[:-1] - np.log(shares.luck)) / shares.loss[-1]
    return means


@inlined
def mixture(shares: Shares, own: Floats, stack_logit: float) -> float:
    """Return the log odds of the mean probability; probabilities near 0 and 1 are limited."""
    share, halves = shares.share, shares.halves
    for e in range(MEMBERS - 1):
        halves[e] = max(-LARGEST_HALF, min(LARGEST_HALF, own[e, CHANCE] - 0.5))
    halves[MEMBERS - 1] = sigmoid(stack_logit) - 0.5
    total = 0.0
    for e in range(MEMBERS):
        total += share[e] * halves[e]
    return math.log((0.5 + total) / (0.5 - total))


@inlined
def stack_chance(shares: Shares) -> float:
    """Return the stack's probability of the positive label."""
    return float(0.5 + shares.halves[MEMBERS - 1])


@inlined
def learn_shares(shares: Shares, label: float, weight: float) -> None:
    """share *= probability of the label ^ 1/2, normalised, and .001 shared out"""
    share, luck, halves = shares.share, shares.luck, shares.halves
    best = 0.0
    for e in range(MEMBERS):
        best = max(best, 0.5 + label * halves[e])
    if weight == 1.0:
        for e in range(MEMBERS):
            p = max(LEAST_PROBABILITY, 0.5 + label * halves[e])
            share[e] *= math.sqrt(p / best)
            luck[e] *= p
    else:
        for e in range(MEMBERS):
            p = max(LEAST_PROBABILITY, 0.5 + label * halves[e])
            share[e] *= (p / best) ** (RATE * weight)
            shares.loss[e] -= weight * math.log(p)
    shares.loss[MEMBERS] += weight
    total, least = 0.0, 1.0
    for e in range(MEMBERS):
        total += share[e]
        least = min(least, luck[e])
    if least < LEAST_LUCK:
        _take_logarithms(shares)
    kept = (1.0 - SHARED_OUT) / total
    for e in range(MEMBERS):
        share[e] = kept * share[e] + SHARED_OUT / MEMBERS


@compiled
def _take_logarithms(shares: Shares) -> None:
    """Add up the losses; logarithms in each round would cost as much as all the rest."""
    for e in range(MEMBERS):
        shares.loss[e] -= math.log(shares.luck[e])
        shares.luck[e] = 1.0
