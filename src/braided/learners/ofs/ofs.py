"""OFS: online feature selection, and its rivals PE_trun and RAND.

Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.
Algorithm 3, for a row x with label y in {-1, +1}::

    w = (1 - lambda eta) w                                    every round
    if y w.x <= 1, with the w that predicted:
        w = w + eta y x
        w = min(1, (1/sqrt(lambda)) / |w|_2) w
        keep the B largest |w|, the others become 0

Errata: the paper prints the radius as sqrt(lambda), which at its lambda of 0.01 is less than a
single step; 1/sqrt(lambda) is the 10 that it takes for partial input. It takes B = round(0.1 d) of
a d that is known beforehand; here a share is of the features seen so far, max(1, floor(B d)), as
everywhere in this package (an int says the paper's number). On a tie the feature seen first stays.

PE_trun (Algorithms 1 and 2) and RAND are perceptrons that keep the B largest, or B random, weights
after each mistake: OLSF with the perceptron's step and without a ball.

The paper scans all d features each round. Here a round costs O(nnz log B): a scale for shrinking
and projection, and the squared length of the new w from what is known already,
|w + eta y x|^2 = |w|^2 + 2 eta y w.x + eta^2 |x|^2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, inlined
from braided.errors import InputError
from braided.kernels.budget import allowed, limit_of
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.kernels.scaled_weights import (
    SQUARES,
    Weights,
    new_weights,
    product,
    project,
    rescale,
)
from braided.kernels.top_k import keep_largest, move_kept, split_row
from braided.learners.budgeted import Budgeted
from braided.learners.olsf import OLSF
from braided.parameters import as_float, check_between, check_budget

__all__ = ["OFS", "RAND", "PETrun"]

LONGEST_STEP = 1e130
"""Before a step that is longer in units of the scale, the scale is folded into the weights."""


class OFS(Budgeted):
    """Online feature selection: gradient steps on hinge loss, the largest weights are kept.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.2
        How far a row within the margin moves the weights (eta in the paper).
    penalty : float, 0 or 1e-40 to 1e40, default 0.01
        Weights shrink by 1 - penalty * step every round, and stay in the Euclidean ball of radius
        1/sqrt(penalty); 0 does neither (lambda). Its product with ``step`` must be below 1.
    budget : float or int, default 0.1
        How many features may have a weight (B). A float above 0 and at most 1.0 is a share of the
        features seen so far, an int of at least 1 a number of features.

    Notes
    -----
    Errata: the paper prints the radius as sqrt(lambda), which at its lambda of 0.01 is less than a
    single step; 1/sqrt(lambda) is the 10 that it takes for partial input. The paper knows its d
    features beforehand and keeps round(0.1 d); here a share is of the features seen so far, rounded
    down and at least one, and an int says the paper's number. On a tie the feature seen first
    stays.

    References
    ----------
    Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.

    Examples
    --------
    >>> model = OFS(budget=2)
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "lunch": 0, "unheard of": 1})
    'spam'
    >>> model.weights()
    {'lunch': -0.2, 'cheap': 0.1996}
    """

    _power = SQUARES

    def __init__(self, *, step: float = 0.2, penalty: float = 0.01, budget: float = 0.1) -> None:
        self.step = step
        self.penalty = penalty
        self.budget = budget

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        if as_float(self.penalty) != 0:
            check_between("penalty", self.penalty, LOWEST, HIGHEST)
        if not self.step * self.penalty < 1:
            raise InputError(
                f"step={self.step!r} and penalty={self.penalty!r} are not allowed: "
                "their product must be below 1"
            )
        check_budget(self.budget)

    def kernel_parameters(self) -> OFSParameters:
        penalty = float(self.penalty)
        return OFSParameters(
            step=float(self.step),
            shrinking=1.0 - penalty * float(self.step),
            radius=1.0 / math.sqrt(penalty) if penalty > 0 else math.inf,
            budget=limit_of(self.budget),
        )

    def new_state(self, capacity: int) -> OFSState:
        return OFSState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            weights=new_weights(capacity, self.room(capacity)),
        )


class PETrun(OLSF):
    """PE_trun: a perceptron of which the largest weights are kept after each mistake.

    Parameters
    ----------
    budget : float or int, default 0.1
        How many features may have a weight (B). A float above 0 and at most 1.0 is a share of the
        features seen so far, an int of at least 1 a number of features.

    References
    ----------
    Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.

    Examples
    --------
    >>> model = PETrun(budget=1)
    >>> model.learn_one({"cheap": 2, "now": 1}, "spam")
    >>> model.weights()
    {'cheap': 2.0}
    """

    def __init__(self, *, budget: float = 0.1) -> None:
        super().__init__(update="perceptron", budget=budget)


class RAND(OLSF):
    """A perceptron of which randomly chosen weights are kept after each mistake.

    Parameters
    ----------
    budget : float or int, default 0.1
        How many features may have a weight (B). A float above 0 and at most 1.0 is a share of the
        features seen so far, an int of at least 1 a number of features.
    seed : int, at least 0, default 0
        Seed of the random choice.

    References
    ----------
    Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", IEEE TKDE 26(3), 2014.

    Examples
    --------
    >>> model = RAND(budget=2)
    >>> model.learn_one({"cheap": 2, "now": 1, "lunch": 1}, "spam")
    >>> len(model.weights())
    2
    """

    def __init__(self, *, budget: float = 0.1, seed: int = 0) -> None:
        super().__init__(update="perceptron", selection="random", budget=budget, seed=seed)


class OFSParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    shrinking: float
    radius: float
    budget: float | None


class OFSState(NamedTuple):
    """What is learned; the size of the weights is the sum of their squares."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weights: Weights


@inlined
def score(state: OFSState, params: OFSParameters, indices: Ints, values: Floats) -> float:
    """w.x"""
    return product(state.weights, indices, values)


@inlined
def update(
    state: OFSState,
    params: OFSParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Shrink; within the margin also step, project to the ball, truncate."""
    weights = state.weights
    weights.scale[0] *= params.shrinking
    eta = params.step * weight
    reach = max(1.0, eta * math.sqrt(square))
    if reach > LONGEST_STEP * weights.scale[0]:
        rescale(weights, max(1.0, reach / LONGEST_STEP), SQUARES)
    if label * score > 1.0:
        return
    scale = weights.scale[0]
    step = eta * label / scale
    change = step * (2.0 * params.shrinking * score / scale + step * square)
    uncut = weights.size[0] + change
    _move(state, params.budget, indices, values, step, uncut)
    project(weights, math.sqrt(max(0.0, uncut)), params.radius)


@inlined
def _move(
    state: OFSState, budget: float | None, indices: Ints, values: Floats, step: float, uncut: float
) -> None:
    """w + eta y x, of which the largest are kept if there is a budget."""
    weights = state.weights
    if budget is None:  # as an argument, Numba sees it by its type, and compiles one branch only
        for i in range(indices.size):
            weights.every[indices[i]] += step * values[i]
        weights.size[0] = uncut
    else:
        k = allowed(budget, state.seen[0])
        outside = split_row(weights.kept, indices)
        size = weights.size[0]
        size += move_kept(weights.kept, indices, values, step, outside, SQUARES)
        size += keep_largest(weights.kept, k, indices, values, step, outside, SQUARES)
        weights.size[0] = size


kernel_table.register(OFSState, score=score, update=update)
