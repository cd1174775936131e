"""Expert weights: exponential weights over the experts and the stack, with a fixed share.

Herbster and Warmuth, "Tracking the Best Expert", Machine Learning 1998. The probability of the
mixture is the mean of their probabilities, weighted by how well each has predicted. In each round a
little of all weights is shared equally, so that no expert is lost for ever. On short streams the
stack, which has to learn first, gets little weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats, compiled, inlined
from braided.kernels.logistic import sigmoid
from braided.learners.braid.experts.all_experts import NAMES
from braided.learners.braid.layout import CHANCE
from braided.learners.braid.stack import LARGEST_LOGIT

__all__ = [
    "LARGEST_HALF",
    "LEAST_PROBABILITY",
    "MEMBERS",
    "Shares",
    "add_losses",
    "learn_shares",
    "log_odds",
    "mean_half",
    "mean_losses",
    "mixture",
    "new_shares",
    "stack_chance",
]

MEMBERS = len(NAMES) + 1
"""The additive part's: the experts and, last, the stack."""

RATE = 0.5
SHARED_OUT = 0.001
LEAST_PROBABILITY = 1e-6
LEAST_LUCK = 1e-200
LEAST_SHARE = 1e-300
LARGEST_HALF = 1.0 / (1.0 + math.exp(-LARGEST_LOGIT)) - 0.5
SUREST_HALF = 0.5 - 1e-12


class Shares(NamedTuple):
    """The weights of experts and stack, the sums of their log losses; ``halves`` is a buffer."""

    share: NDArray[np.float64]
    loss: NDArray[np.float64]  # and, at the end, the sum of the rows' weights
    luck: NDArray[np.float64]  # the product of the probabilities whose loss is not in ``loss`` yet
    halves: NDArray[np.float64]  # probability - 1/2


def new_shares(used: Sequence[bool] = (True,) * MEMBERS) -> Shares:
    """Make equal shares of the members that are used; those of the others stay 0."""
    members = len(used)
    return Shares(
        share=np.array(used) / max(1, sum(used)),
        loss=np.zeros(members + (members > 0)),
        luck=np.ones(members),
        halves=np.zeros(members),
    )


def mean_losses(shares: Shares) -> NDArray[np.float64]:
    """Return the mean log loss of each member so far."""
    means: NDArray[np.float64] = (shares.loss[:-1] - np.log(shares.luck)) / shares.loss[-1]
    return means


@inlined
def mixture(shares: Shares, own: Floats, stack_logit: float) -> float:
    """Return the mean probability of experts and stack, less 1/2; none is too near 0 or 1."""
    halves, members = shares.halves, shares.share.size
    for e in range(members - 1):
        halves[e] = max(-LARGEST_HALF, min(LARGEST_HALF, own[e, CHANCE] - 0.5))
    halves[members - 1] = sigmoid(stack_logit) - 0.5
    return mean_half(shares)


@inlined
def mean_half(shares: Shares) -> float:
    """Return the mean of the members' probabilities, less 1/2."""
    total = 0.0
    for e in range(shares.share.size):
        total += shares.share[e] * shares.halves[e]
    return total


@inlined
def log_odds(half: float) -> float:
    """Return the log odds of a probability, less 1/2."""
    half = max(-SUREST_HALF, min(SUREST_HALF, half))
    return math.log((0.5 + half) / (0.5 - half))


@inlined
def stack_chance(shares: Shares) -> float:
    """Return the probability of the positive label by the stack, which is the last member."""
    return float(0.5 + shares.halves[shares.share.size - 1])


@inlined
def learn_shares(shares: Shares, label: float, weight: float) -> None:
    """share *= probability of the label ^ 1/2, normalised, and .001 shared out"""
    share, halves = shares.share, shares.halves
    add_losses(shares, label, weight)
    best, used = 0.0, 0
    for e in range(share.size):
        best = max(best, 0.5 + label * halves[e])
        used += share[e] > 0.0
    total = 0.0
    for e in range(share.size):
        if share[e] > 0.0:  # the others are not used
            p = max(LEAST_PROBABILITY, 0.5 + label * halves[e]) / best
            luck = math.sqrt(p) if weight == 1.0 else p ** (RATE * weight)
            share[e] = max(LEAST_SHARE, share[e] * luck)
            total += share[e]
    kept, part = (1.0 - SHARED_OUT) / total, SHARED_OUT / used
    for e in range(share.size):
        share[e] = kept * share[e] + (part if share[e] > 0.0 else 0.0)


@inlined
def add_losses(shares: Shares, label: float, weight: float) -> None:
    """Add the log losses of a row."""
    luck, least, members = shares.luck, 1.0, shares.share.size
    for e in range(members):
        p = max(LEAST_PROBABILITY, 0.5 + label * shares.halves[e])
        if weight == 1.0:
            luck[e] *= p
            least = min(least, luck[e])
        else:
            shares.loss[e] -= weight * math.log(p)
    shares.loss[members] += weight
    if least < LEAST_LUCK:
        _take_logarithms(shares)


@compiled
def _take_logarithms(shares: Shares) -> None:
    """Add up the losses; logarithms in each round would cost as much as all the rest."""
    for e in range(shares.luck.size):
        shares.loss[e] -= math.log(shares.luck[e])
        shares.luck[e] = 1.0
