"""Ada-RDA, of ``braided.learners.adaptive``: the sum of all gradients, a threshold, divided by H.

In round t, with the gradients g of all rows until now::

    w_j = eta soft(- sum of g_j, lambda t) / H_j,  H_j = delta + sqrt(sum of g_j^2)

With ``clock="feature"`` t counts a feature's rounds from its own first, so that features born late
get a fair start. Sums are all that is stored; a weight is made of them when it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.kernels.schedules import (
    CLOCKS,
    Births,
    Schedule,
    births_are_sound,
    kept_births,
    merged_births,
    new_births,
    note_births,
    owed,
    schedule,
    thresholds,
)
from braided.kernels.soft_threshold import hidden, raised, soft, soft_all
from braided.learner.learner import Learner
from braided.learners.adaptive.roots import ROOT, grown, merged_roots
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = ["AdaRDA"]

SUM = 0


class AdaRDA(Learner):
    """Regularised dual averaging with a step for each feature: rare features take long ones.

    Parameters
    ----------
    step
        eta.
    penalty
        lambda: a weight is 0 while its mean gradient is below this.
    delta
        delta: added to the root of the squared gradients, which keeps the first steps short.
    clock
        ``"global"``, or ``"feature"``: the mean is over all rounds, or only over those since the
        feature was first seen.

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
        self.check_parameters()

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

    def merged_state(self, state: AdaRDAState, weights: Floats, parts: list[Part]) -> AdaRDAState:
        births = merged_births(state.births, int(state.seen[0]), parts)
        params, roots = self.kernel_parameters(), merged_roots(parts)
        threshold = thresholds(params.threshold, int(state.rounds[0]), births)
        share = np.sum(
            [p.share * p.side * p.spread(p.algorithm.hidden(p.state)) for p in parts], axis=0
        )
        sums = raised(weights * ((params.delta + roots) / params.step), threshold, share)
        return state._replace(births=births, table=np.column_stack((sums, roots)))

    def hidden(self, state: AdaRDAState) -> NDArray[np.float64]:
        """What the threshold hides of the sum of each feature."""
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
def score(state: AdaRDAState, params: AdaRDAParameters, indices: Ints, values: Floats) -> float:
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
def update(
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
        table[j, ROOT] = grown(table[j, ROOT], uphill)


kernel_table.register(AdaRDAState, score=score, update=update)
