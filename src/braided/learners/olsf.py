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
scalar s for the projection, |v|_1 kept up to date from the features touched, and the kept
features in a heap.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import driver
from braided.kernels.budget import allowed, budget_as_number, check_budget, room_for
from braided.kernels.compiled import Floats, Ints, compiled
from braided.kernels.heap import (
    ABSENT,
    NOBODY,
    Kept,
    admit,
    forget_leavers,
    holds_all,
    kept_within,
    leave,
    new_kept,
    note_leaver,
    rebuild,
    shrunk,
    threshold,
)
from braided.kernels.rng import new_rng, uniform
from braided.learner import Learner
from braided.parameters import check_choice, check_positive, check_seed

__all__ = ["OLSF"]

VARIANTS = ("hard", "I", "II")
SELECTIONS = ("largest", "random")
UPDATES = ("pa", "perceptron")

SMALLEST_SQUARE = 1e-280
"""A row shorter than this squared teaches nothing: its step would overflow."""

FARTHEST = 1e150
"""The longest step; if it is longer in units of the scale, the scale is first folded into the
weights. Unweighted steps never come near it, but sample weights may make them grow without end.
A product with a row, whose length is below 1e105, is far from overflow.
"""


class OLSF(Learner):
    """Passive-aggressive learning for a space that grows, within a budget of features.

    Parameters
    ----------
    variant
        ``"hard"`` (OLSF), ``"I"`` (OLSF-I) or ``"II"`` (OLSF-II): how far a step goes.
    aggressiveness
        C: the limit of a step in I, its softness in II.
    radius
        R (lambda in the papers, which take 30): the L1 ball that the weights stay in.
    budget
        B: a float is a share of the features seen so far, an int a number of features.
    selection
        ``"largest"``, or ``"random"`` (OLSF-rand): which features are kept.
    update
        ``"pa"``, or ``"perceptron"`` (OLSF-per): the step w + y x after a mistake.
    seed
        of the random selection.

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
        self._check()

    def _check(self) -> None:
        check_choice("variant", self.variant, VARIANTS)
        check_choice("selection", self.selection, SELECTIONS)
        check_choice("update", self.update, UPDATES)
        check_positive("aggressiveness", self.aggressiveness)
        check_positive("radius", self.radius)
        check_budget(self.budget)
        check_seed(self.seed)

    def _parameters(self) -> OLSFParameters:
        return OLSFParameters(
            variant=VARIANTS.index(self.variant),
            aggressiveness=float(self.aggressiveness),
            radius=float(self.radius),
            budget=budget_as_number(self.budget),
            random=self.selection == "random",
            perceptron=self.update == "perceptron",
        )

    def _fresh_state(self, capacity: int) -> OLSFState:
        return OLSFState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            weight=np.zeros(capacity),
            scale=np.ones(1),
            length=np.zeros(1),
            kept=new_kept(capacity, room_for(self.budget, capacity)),
            rng=new_rng(self.seed),
        )

    def _adapted(self, state: OLSFState) -> OLSFState:
        kept = kept_within(state.weight, state.seen[0], self.budget)
        return state._replace(kept=kept, length=np.abs(state.weight).sum(keepdims=True))

    def _is_sound(self, state: OLSFState) -> bool:
        return bool(state.scale[0] > 0) and holds_all(state.kept, state.weight)

    def _linear_weights(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self._state.weight * self._state.scale[0]
        return weights


class OLSFParameters(NamedTuple):
    """The parameters as the kernels see them."""

    variant: int
    aggressiveness: float
    radius: float
    budget: float
    random: bool
    perceptron: bool


class OLSFState(NamedTuple):
    """What is learned; the weights are ``scale * weight``."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weight: NDArray[np.float64]
    scale: NDArray[np.float64]
    length: NDArray[np.float64]  # the sum of |weight|
    kept: Kept
    rng: NDArray[np.uint64]


@compiled
def score(state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats) -> float:
    """w.x"""
    total = 0.0
    for i in range(indices.size):
        total += state.weight[indices[i]] * values[i]
    return total * float(state.scale[0])


@compiled
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
    tau = min(weight * _step(params, loss, square), FARTHEST / length)
    if tau * length > FARTHEST * state.scale[0]:
        _fold(state, params)
    step = tau * label / state.scale[0]
    if params.budget == 1.0:
        _move_all(state, params, indices, values, step)
        _project(state, params)
    elif params.random:
        _move_kept(state, params, indices, values, step)
        _keep_random(state, params, indices, values, step)
    else:
        _move_kept(state, params, indices, values, step)
        _keep_largest(state, params, indices, values, step)


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


@compiled
def _move_all(
    state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats, step: float
) -> None:
    """w + tau y x, when every feature may be kept."""
    weight = state.weight
    if params.radius == math.inf:
        for i in range(indices.size):
            weight[indices[i]] += step * values[i]
        return
    change = 0.0
    for i in range(indices.size):
        before = weight[indices[i]]
        after = before + step * values[i]
        weight[indices[i]] = after
        change += abs(after) - abs(before)
    state.length[0] += change


@compiled
def _move_kept(
    state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats, step: float
) -> None:
    """w + tau y x for the features that are kept, then the projection of all.

    The features that are not kept (their weight is 0) take part in the projection, and are
    let in only after it.
    """
    weight = state.weight
    bounded = params.radius < math.inf
    change, outside = 0.0, 0.0
    for i in range(indices.size):
        j = indices[i]
        before = weight[j]
        if before == 0.0:
            if bounded:
                outside += abs(step * values[i])
            continue
        after = before + step * values[i]
        weight[j] = after
        change += abs(after) - abs(before)
        if abs(after) < abs(before) and not params.random:
            if after == 0.0:
                leave(state.kept, j)
            else:
                shrunk(state.kept, j, abs(after))
    state.length[0] += change + outside
    _project(state, params)
    state.length[0] -= outside


@compiled
def _project(state: OLSFState, params: OLSFParameters) -> None:
    """Into the L1 ball, by scaling."""
    length = state.length[0]
    if params.radius < math.inf and length * state.scale[0] > params.radius:
        state.scale[0] = params.radius / length


@compiled
def _keep_largest(
    state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats, step: float
) -> None:
    """Algorithm 3: let in those features of the row that belong to the k largest."""
    kept, weight = state.kept, state.weight
    k = allowed(params.budget, state.seen[0])
    lowest = threshold(kept, k)
    for i in range(indices.size):
        moved = step * values[i]
        if abs(moved) < lowest or weight[indices[i]] != 0.0:
            continue
        j = indices[i]
        leaver = admit(kept, j, abs(moved), k, weight)
        if leaver != j:
            weight[j] = moved
            state.length[0] += abs(moved)
            if leaver != NOBODY:
                state.length[0] -= abs(weight[leaver])
                weight[leaver] = 0.0
        lowest = threshold(kept, k)
    forget_leavers(kept)


@compiled
def _keep_random(
    state: OLSFState, params: OLSFParameters, indices: Ints, values: Floats, step: float
) -> None:
    """Keep k of all features seen, at random; here the kept ones are a list, not a heap.

    Sequential sampling: a feature is drawn with chance (still to keep) / (still to come). Features
    without a weight need not be asked: the chances of the others do not depend on the order.
    """
    kept, weight, length = state.kept, state.weight, state.length
    left = state.seen[0]
    to_keep = allowed(params.budget, left)
    everything = to_keep >= left
    size = 0
    for position in range(kept.size[0]):
        j = kept.members[position]
        if weight[j] == 0.0:
            note_leaver(kept, j)
            continue
        if everything or uniform(state.rng) * left < to_keep:
            kept.members[size] = j
            kept.place[j] = size
            size += 1
            to_keep -= 1
        else:
            note_leaver(kept, j)
            length[0] -= abs(weight[j])
            weight[j] = 0.0
        left -= 1
    for i in range(indices.size):
        j = indices[i]
        moved = step * values[i]
        if kept.place[j] != ABSENT or moved == 0.0:
            continue
        if everything or uniform(state.rng) * left < to_keep:
            kept.members[size] = j
            kept.place[j] = size
            size += 1
            to_keep -= 1
            length[0] += abs(moved)
            weight[j] = moved
        left -= 1
    kept.size[0] = size
    forget_leavers(kept)


@compiled
def _fold(state: OLSFState, params: OLSFParameters) -> None:
    """Multiply the scale into the weights, and measure their length anew."""
    length = 0.0
    everything = params.budget == 1.0
    for position in range(state.seen[0] if everything else state.kept.size[0]):
        j = position if everything else state.kept.members[position]
        state.weight[j] *= state.scale[0]
        length += abs(state.weight[j])
    if not params.random:
        rebuild(state.kept, state.weight)
    state.scale[0] = 1.0
    state.length[0] = length


driver.register(OLSFState, score=score, update=update)
