"""Ada-FOBOS and Ada-RDA: adaptive steps on hinge loss, with weights that are exactly 0.

Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
Optimization", JMLR 12, 2011, with the diagonal H and the penalty lambda |w|_1 (section 5.1).
In round t, for a row x with label y in {-1, +1}::

    g   = -y x  if 1 - y w.x > 0, else 0
    H_j = delta + sqrt(sum of g_j^2 until now)

    Ada-FOBOS   w_j = soft(w_j - eta_t g_j / H_j, eta_t lambda / H_j)
    Ada-RDA     w_j = eta soft(- sum of g_j, lambda t) / H_j

where soft(v, c) = sign(v) max(|v| - c, 0), and eta_t = eta or eta / sqrt(t).

The paper visits all d weights each round. Here a round costs O(nnz): a penalty is applied when a
weight is read. Ada-FOBOS stores weights raised by the penalties of all rounds so far, as FOBOS
does; a weight's H changes only when it is touched, and it is raised anew then. Ada-RDA stores the
sums of gradients, and makes a weight of them when it is read.

The root sqrt(sum of g_j^2) is stored rather than the sum: it is what every reading needs. Both
learners keep it beside what the weight is made of, in a table of two columns, for the cache's sake.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.kernels.numerics import HIGHEST, LOWEST, add_to_sum, new_sum
from braided.kernels.schedules import (
    CLOCKS,
    DECAYS,
    Births,
    Schedule,
    births_are_sound,
    kept_births,
    merged_births,
    new_births,
    note_births,
    owed,
    schedule,
    step_of_round,
    thresholds,
)
from braided.kernels.soft_threshold import hidden, raised, soft, soft_all
from braided.learner.learner import Learner
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part

__all__ = ["AdaFOBOS", "AdaRDA"]

RAISED = SUM = 0
ROOT = 1
"""The columns of a table: the raised weight (Ada-FOBOS) or the sum (Ada-RDA), and the root."""


@inlined
def _grown(root: float, gradient: float) -> float:
    """The root when one more gradient is added to the squares."""
    return math.sqrt(root * root + gradient * gradient)


def _squares(part: Part) -> NDArray[np.float64]:
    """The sum of the squared gradients of each feature."""
    return part.spread(part.state.table[:, ROOT]) ** 2


def _merged_roots(merge: Merge) -> NDArray[np.float64]:
    """The roots of the sums of squares of all models."""
    roots: NDArray[np.float64] = np.sqrt(np.maximum(merge.sum(_squares), 0.0))
    return roots


# ------------------------------------------------------------------------------ Ada-FOBOS


class AdaFOBOS(Learner):
    """FOBOS with a step for each feature: rare features take long steps.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.5
        How far a gradient moves a weight, before it is divided by H (eta in the paper).
    penalty : float, 0 to 1e40, default 0.0001
        What a round takes from each weight, in units of the feature's step (lambda in the paper).
    delta : float, 1e-40 to 1e40, default 0.001
        Added to the root of the squared gradients; a larger one makes the first steps shorter.
    decay : {"none", "sqrt"}, default "none"
        ``"sqrt"``: the step of round t is step / sqrt(t).

    Notes
    -----
    It is the paper's algorithm (section 5.1, diagonal H, L1 penalty). The paper visits all weights
    in each round; here penalties are applied when a weight is read, which gives the same weights.

    References
    ----------
    Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
    Optimization", JMLR 12, 2011.

    Examples
    --------
    >>> model = AdaFOBOS(step=1.0, penalty=0.25, delta=1.0)
    >>> model.learn_one({"cheap": 3, "now": 0.25}, "spam")
    >>> model.weights()
    {'cheap': 0.6875}
    """

    def __init__(
        self,
        *,
        step: float = 0.5,
        penalty: float = 0.0001,
        delta: float = 0.001,
        decay: str = "none",
    ) -> None:
        self.step = step
        self.penalty = penalty
        self.delta = delta
        self.decay = decay

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_between("delta", self.delta, LOWEST, HIGHEST)
        check_choice("decay", self.decay, DECAYS)

    def kernel_parameters(self) -> AdaFOBOSParameters:
        return AdaFOBOSParameters(
            step=float(self.step),
            penalty=float(self.penalty),
            delta=float(self.delta),
            decays=self.decay == "sqrt",
        )

    def new_state(self, capacity: int) -> AdaFOBOSState:
        return AdaFOBOSState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            tally=new_sum(),
            table=np.zeros((capacity, 2)),
        )

    def adapted(self, state: AdaFOBOSState, before: AdaFOBOS) -> AdaFOBOSState:
        # The penalties so far depend on the old delta: they are taken now.
        state.table[:, RAISED] = before.linear_weights(state)
        state.tally.fill(0.0)
        return state

    def merged_state(self, state: AdaFOBOSState, merge: Merge) -> AdaFOBOSState:
        weights = merge.mean(lambda part: part.weights, merge.added(_squares))
        return state._replace(table=np.column_stack((weights, _merged_roots(merge))))

    def linear_weights(self, state: AdaFOBOSState) -> NDArray[np.float64]:
        table, tally = state.table, state.tally[0]
        return soft_all(table[:, RAISED], tally / (float(self.delta) + table[:, ROOT]))


class AdaFOBOSParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    penalty: float
    delta: float
    decays: bool


class AdaFOBOSState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    tally: NDArray[np.float64]  # the running total of eta_t lambda over all rounds
    table: NDArray[np.float64]  # by feature: the weight raised by tally / H, sqrt(sum of g^2)


@inlined
def score_fobos(
    state: AdaFOBOSState, params: AdaFOBOSParameters, indices: Ints, values: Floats
) -> float:
    """w.x"""
    table, tally, delta = state.table, state.tally[0], params.delta
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        total += soft(table[j, RAISED], tally / (delta + table[j, ROOT])) * values[i]
    return total


@inlined
def update_fobos(
    state: AdaFOBOSState,
    params: AdaFOBOSParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """w - eta_t g / H; the threshold of the round is added to the total"""
    table, tally, delta = state.table, state.tally[0], params.delta
    step = step_of_round(params.step, params.decays, state.rounds[0])
    if label * score < 1.0:
        factor = min(weight, HIGHEST) * label
        for i in range(indices.size):
            j = Index(indices[i])
            uphill = factor * values[i]
            root = table[j, ROOT]
            moved = soft(table[j, RAISED], tally / (delta + root))
            root = _grown(root, uphill)
            inverse = 1.0 / (delta + root)
            moved += step * uphill * inverse
            table[j, RAISED] = moved + math.copysign(tally * inverse, moved)
            table[j, ROOT] = root
    add_to_sum(state.tally, step * params.penalty)


kernel_table.register(AdaFOBOSState, score=score_fobos, update=update_fobos)


# -------------------------------------------------------------------------------- Ada-RDA


class AdaRDA(Learner):
    """Regularised dual averaging with a step for each feature: rare features take long steps.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.5
        How far a gradient moves a weight, before it is divided by H (eta in the paper).
    penalty : float, 0 to 1e40, default 0.0001
        A weight is 0 while the magnitude of its mean gradient is at most this (lambda).
    delta : float, 1e-40 to 1e40, default 0.001
        Added to the root of the squared gradients; a larger one makes the first steps shorter.
    clock : {"global", "feature"}, default "global"
        Whether the mean is over all rounds, or only over those since the feature was first seen.

    Notes
    -----
    ``clock="feature"`` goes beyond the paper, so that features that appear late get a fair start;
    the default is the paper's algorithm (section 5.1, diagonal H, L1 penalty).

    References
    ----------
    Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
    Optimization", JMLR 12, 2011.

    Examples
    --------
    >>> model = AdaRDA(step=1.0, penalty=1.0, delta=1.0)
    >>> model.learn_one({"cheap": 3, "now": 1}, "spam")
    >>> model.weights()
    {'cheap': 0.5}
    """

    def __init__(
        self,
        *,
        step: float = 0.5,
        penalty: float = 0.0001,
        delta: float = 0.001,
        clock: str = "global",
    ) -> None:
        self.step = step
        self.penalty = penalty
        self.delta = delta
        self.clock = clock

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_between("delta", self.delta, LOWEST, HIGHEST)
        check_choice("clock", self.clock, CLOCKS)

    def kernel_parameters(self) -> AdaRDAParameters:
        return AdaRDAParameters(
            step=float(self.step),
            delta=float(self.delta),
            threshold=schedule(float(self.penalty), "growing", self.clock),
        )

    def new_state(self, capacity: int) -> AdaRDAState:
        return AdaRDAState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            births=new_births(capacity, self.kernel_parameters().threshold),
            table=np.zeros((capacity, 2)),
        )

    def adapted(self, state: AdaRDAState, before: Any) -> AdaRDAState:
        births = kept_births(state.births, self.kernel_parameters().threshold)
        return state._replace(births=births)

    def merged_state(self, state: AdaRDAState, merge: Merge) -> AdaRDAState:
        births = merged_births(state.births, int(state.seen[0]), merge)
        params, roots, by = self.kernel_parameters(), _merged_roots(merge), merge.added(_squares)
        weights = merge.mean(lambda part: part.weights, by)
        share = merge.mean(lambda p: p.side * p.spread(p.algorithm.hidden(p.state)), by)
        threshold = thresholds(params.threshold, int(state.rounds[0]), births)
        sums = raised(weights * ((params.delta + roots) / params.step), threshold, share)
        return state._replace(births=births, table=np.column_stack((sums, roots)))

    def hidden(self, state: AdaRDAState) -> NDArray[np.float64]:
        """Compute what the threshold hides of the sums.

        Parameters
        ----------
        state : AdaRDAState
            What was learned.

        Returns
        -------
        ndarray of float
            By feature, from -1 to 1: the part of the threshold that the sum fills.
        """
        rounds, births = state.rounds[0], state.births
        threshold = thresholds(self.kernel_parameters().threshold, rounds, births)
        return hidden(state.table[:, SUM], threshold)

    def is_sound(self, state: AdaRDAState, capacity: int) -> bool:
        return births_are_sound(state.births, int(state.seen[0]), int(state.rounds[0]))

    def linear_weights(self, state: AdaRDAState) -> NDArray[np.float64]:
        table, params = state.table, self.kernel_parameters()
        threshold = thresholds(params.threshold, state.rounds[0], state.births)
        h = params.delta + table[:, ROOT]
        weights: NDArray[np.float64] = params.step * soft_all(table[:, SUM], threshold) / h
        return weights


class AdaRDAParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    delta: float
    threshold: Schedule


class AdaRDAState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    table: NDArray[np.float64]  # by feature: - sum of g, sqrt(sum of g^2)


@inlined
def score_rda(state: AdaRDAState, params: AdaRDAParameters, indices: Ints, values: Floats) -> float:
    """w.x"""
    table, rounds, rounds_before = state.table, state.rounds[0], state.births.rounds_before
    own_clock, delta = params.threshold.own_clock, params.delta
    threshold = owed(params.threshold, rounds)
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        total += soft(table[j, SUM], threshold) / (delta + table[j, ROOT]) * values[i]
    return params.step * total


@inlined
def update_rda(
    state: AdaRDAState,
    params: AdaRDAParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """The sums of g and of g^2."""
    note_births(state.births, state.seen[0], state.rounds[0])
    if not label * score < 1.0:
        return
    table, factor = state.table, min(weight, HIGHEST) * label
    for i in range(indices.size):
        j = Index(indices[i])
        uphill = factor * values[i]
        table[j, SUM] += uphill
        table[j, ROOT] = _grown(table[j, ROOT], uphill)


kernel_table.register(AdaRDAState, score=score_rda, update=update_rda)
