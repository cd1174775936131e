"""OLSF: online learning with streaming features.

Zhang, Zhang, Long, Ding, Zhang and Wu, "Online Learning from Trapezoidal Data Streams", IEEE TKDE
28(10), 2016; the same algorithms are called STSD in Zhang et al., "Towards Mining Trapezoidal Data
Streams", ICDM 2015. Algorithms 1-3 of the former, for a row x with label y in {-1, +1}::

    loss = max(0, 1 - y w.x)                                  w knows nothing of new features
    tau  = loss / |x|^2                   (OLSF)              |x| over all features of the row
           min(C, loss / |x|^2)           (OLSF-I)
           loss / (|x|^2 + 1/(2C))        (OLSF-II)
    w    = w + tau y x                                        new features start at tau y x_j
    w    = min(1, R / |w|_1) w                                a scaling, not the nearest point
    keep the k = max(1, floor(B d)) largest |w|, the others become 0

Errata: floor is the usual one (the paper's wording, "the largest integer smaller than x", would
lose a weight whenever B d is whole), and k is never 0. On a tie the feature seen first stays.

The papers scan all d features each round. Here a round costs O(nnz log k): w = s v with one
scalar s for the projection, |v|_1 kept up to date from the features touched, and of the kept
features only those few in order that may soon be dropped.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled, inlined
from braided.errors import InputError
from braided.kernels.budget import allowed, limit_of
from braided.kernels.rng import new_rng
from braided.kernels.scaled_weights import (
    MAGNITUDES,
    Weights,
    new_weights,
    product,
    project,
    rescale,
)
from braided.kernels.top_k import keep_largest, keep_random, move_kept, size_of_new, split_row
from braided.learners.budgeted import Budgeted
from braided.learners.olsf_matrix import OLSFMatrix
from braided.parameters import check_budget, check_choice, check_positive, check_seed

__all__ = ["OLSF"]

VARIANTS = ("hard", "I", "II")
SELECTIONS = ("largest", "random")
UPDATES = ("pa", "perceptron")

SMALLEST_SQUARE = 1e-280
"""A row with a smaller squared length is not learned: its step would overflow."""

LONGEST_STEP = 1e150
"""The longest step; before one that is longer in units of the scale, the scale is folded into the
weights. Unweighted steps never come near it, but sample weights may make them grow without end.
A product with a row, whose length is below 1e105, is far from overflow.
"""


class OLSF(Budgeted):
    """Passive-aggressive learning for features that keep appearing, within a budget of features.

    Parameters
    ----------
    variant : {"hard", "I", "II"}, default "I"
        How far a step goes: ``"hard"`` is OLSF, ``"I"`` OLSF-I, ``"II"`` OLSF-II.
    aggressiveness : float, above 0, default 0.1
        The longest step of OLSF-I; in OLSF-II a smaller one makes steps shorter (C).
    radius : float, above 0, default inf
        The L1 ball that the weights stay in (lambda in the papers, which take 30).
    budget : float or int, default 1.0
        How many features may have a weight (B). A float above 0 and at most 1.0 is a share of the
        features seen so far, an int of at least 1 a number of features.
    selection : {"largest", "random"}, default "largest"
        Which features are kept; ``"random"`` is OLSF-rand.
    update : {"pa", "perceptron"}, default "pa"
        ``"perceptron"`` is OLSF-per: the step w + y x after a mistake.
    seed : int, at least 0, default 0
        Seed of the random selection.

    Notes
    -----
    It is the papers' algorithm, but for two errata: floor is the usual one (the paper's wording,
    "the largest integer smaller than x", would lose a weight whenever B d is whole), and at least
    one feature is kept. On a tie the feature seen first stays. An int as budget goes beyond the
    papers.

    References
    ----------
    Zhang, Zhang, Long, Ding, Zhang and Wu, "Online Learning from Trapezoidal Data Streams", IEEE
    TKDE 28(10), 2016. Zhang et al., "Towards Mining Trapezoidal Data Streams", ICDM 2015, calls the
    same algorithms STSD.

    Examples
    --------
    >>> model = OLSF(budget=2)
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "lunch": 0, "unheard of": 1})
    'spam'
    >>> model.weights()
    {'cheap': 0.1, 'lunch': -0.1}
    """

    _power = MAGNITUDES

    def __init__(
        self,
        *,
        variant: str = "I",
        aggressiveness: float = 0.1,
        radius: float = math.inf,
        budget: float = 1.0,
        selection: str = "largest",
        update: str = "pa",
        seed: int = 0,
    ) -> None:
        self.variant = variant
        self.aggressiveness = aggressiveness
        self.radius = radius
        self.budget = budget
        self.selection = selection
        self.update = update
        self.seed = seed

    def check_parameters(self) -> None:
        check_choice("variant", self.variant, VARIANTS)
        check_choice("selection", self.selection, SELECTIONS)
        check_choice("update", self.update, UPDATES)
        check_positive("aggressiveness", self.aggressiveness)
        check_positive("radius", self.radius)
        check_budget(self.budget)
        check_seed(self.seed)

    def kernel_parameters(self) -> OLSFParameters:
        return OLSFParameters(
            variant=VARIANTS.index(self.variant),
            aggressiveness=float(self.aggressiveness),
            radius=float(self.radius),
            budget=limit_of(self.budget),
            random=self.selection == "random",
            perceptron=self.update == "perceptron",
        )

    def new_state(self, capacity: int) -> OLSFState:
        return OLSFState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            weights=new_weights(capacity, self.room(capacity)),
            rng=new_rng(self.seed),
        )

    def in_matrix_form(self) -> OLSFMatrix:
        """The algorithm of many classes as one matrix; see ``braided.MatrixForm``."""
        plain = self.budget == 1.0 and isinstance(self.budget, float) and self.radius == math.inf
        if not plain or self.update != "pa":
            raise InputError(
                "the matrix form of OLSF has no budget, no radius and no perceptron steps: leave "
                "budget, radius and update as they are by default"
            )
        return OLSFMatrix(VARIANTS.index(self.variant), self.aggressiveness, self._state_of_two)

    def _state_of_two(
        self, rounds: NDArray[np.int64], seen: NDArray[np.int64], weights: Floats
    ) -> OLSFState:
        fresh = self.new_state(weights.size)
        return fresh._replace(
            rounds=rounds, seen=seen, weights=fresh.weights._replace(every=weights)
        )


class OLSFParameters(NamedTuple):
    """The parameters as the kernels see them."""

    variant: int
    aggressiveness: float
    radius: float
    budget: float | None
    random: bool
    perceptron: bool


class OLSFState(NamedTuple):
    """What is learned; the size of the weights is the sum of their magnitudes."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weights: Weights
    rng: NDArray[np.uint64]


@inlined
def score(state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats) -> float:
    """w.x"""
    return product(state.weights, indices, values)


@inlined
def update(
    state: OLSFState,
    params: OLSFParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """Step, project to the L1 ball, truncate."""
    loss = _loss(params, label * score)
    if not loss > 0 or square < SMALLEST_SQUARE:
        return
    length = math.sqrt(square)
    tau = min(weight * _step(params, loss, square), LONGEST_STEP / length)
    if tau * length > LONGEST_STEP * state.weights.scale[0]:
        rescale(state.weights, 1.0, MAGNITUDES)
    step = tau * label / state.weights.scale[0]
    _move(state, params, params.budget, indices, values, step)


@inlined
def _move(
    state: OLSFState,
    params: OLSFParameters,
    budget: float | None,
    indices: Ints,
    values: Floats,
    step: float,
) -> None:
    """w + tau y x, the projection, and Algorithm 3 if there is a budget."""
    if budget is None:  # as an argument, Numba sees it by its type, and compiles one branch only
        _move_all(state, params, indices, values, step)
    else:
        _move_within_budget(state, params, budget, indices, values, step)


@compiled
def _loss(params: OLSFParameters, margin: float) -> float:
    """Hinge loss; for the perceptron, whether it was a mistake."""
    if params.perceptron:
        return 0.0 if margin > 0 else 1.0
    return 1.0 - margin


@compiled
def _step(params: OLSFParameters, loss: float, square: float) -> float:
    """tau of Algorithm 2 (or of the perceptron)."""
    if params.perceptron:
        return 1.0
    if params.variant == 0:
        return loss / square
    if params.variant == 1:
        return min(params.aggressiveness, loss / square)
    return loss / (square + 0.5 / params.aggressiveness)


@inlined
def _move_all(
    state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats, step: float
) -> None:
    """w + tau y x, when every feature may be kept."""
    every, size = state.weights.every, state.weights.size
    if params.radius == math.inf:
        for i in range(indices.size):
            every[indices[i]] += step * values[i]
        return
    change = 0.0
    for i in range(indices.size):
        before = every[indices[i]]
        after = before + step * values[i]
        every[indices[i]] = after
        change += abs(after) - abs(before)
    size[0] += change
    project(state.weights, size[0], params.radius)


@inlined
def _move_within_budget(
    state: OLSFState,
    params: OLSFParameters,
    budget: float,
    indices: Ints,
    values: Floats,
    step: float,
) -> None:
    """w + tau y x, then Algorithm 3; the projection is of what was there before that."""
    kept = state.weights.kept
    outside = split_row(kept, indices)
    size = state.weights.size[0] + move_kept(kept, indices, values, step, outside, MAGNITUDES)
    uncut = size
    if params.radius < math.inf:
        uncut += size_of_new(kept, values, step, outside, MAGNITUDES)
    seen = state.seen[0]
    k = allowed(budget, seen)
    if params.random:
        rng = state.rng
        size += keep_random(kept, k, seen, rng, indices, values, step, outside, MAGNITUDES)
    else:
        size += keep_largest(kept, k, indices, values, step, outside, MAGNITUDES)
    state.weights.size[0] = size
    project(state.weights, uncut, params.radius)


kernel_table.register(OLSFState, score=score, update=update)
