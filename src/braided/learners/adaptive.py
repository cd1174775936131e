"""Ada-FOBOS and Ada-RDA: adaptive steps on hinge loss, with weights that are exactly 0.

Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and Stochastic
Optimization", JMLR 12, 2011, with the diagonal H and the penalty lambda |w|_1 (section 5.1).
In round t, for a row x with label y in {-1, +1}::

    g   = -y x  if 1 - y w.x > 0, else 0
    H_j = delta + sqrt(sum of g_j^2 until now)

    Ada-FOBOS   w_j = soft(w_j - eta_t g_j / H_j, eta_t lambda / H_j)
    Ada-RDA     w_j = eta soft(- sum of g_j, lambda t) / H_j

where soft(v, c) = sign(v) max(|v| - c, 0), and eta_t = eta or eta / sqrt(t). With
``clock="feature"`` the t of Ada-RDA counts a feature's rounds from its own first, so that
features born late get a fair start.

The paper visits all d weights each round. Here a round costs O(nnz). Ada-RDA stores sums only, and
makes a weight of them when it is read. Ada-FOBOS stores weights raised by what they would owe
for all rounds, as FOBOS does; a weight's H changes only when it is touched, and it is raised
anew then. The root of the squares is stored rather than their sum: it is what every reading
needs.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import driver
from braided.kernels.compiled import Floats, Index, Ints, inlined
from braided.kernels.schedule import (
    CLOCKS,
    DECAYS,
    Births,
    Schedule,
    births_are_sound,
    kept_births,
    new_births,
    note_births,
    owed,
    schedule,
    step_of_round,
    thresholds,
)
from braided.kernels.tally import add_to, new_tally
from braided.kernels.threshold import soft, soft_all
from braided.learner import Learner
from braided.parameters import HIGHEST, LOWEST, check_between, check_choice

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AdaFOBOS", "AdaRDA"]

RAISED, SUM, ROOT = 0, 0, 1


class AdaFOBOS(Learner):
    """FOBOS with a step for each feature: rare features take long ones.

    Parameters
    ----------
    step
        eta.
    penalty
        lambda: what a round takes from a weight, in units of the feature's step.
    delta
        delta: added to the root of the squared gradients, which keeps the first steps short.
    decay
        ``"none"``, or ``"sqrt"``: the step of round t is step / sqrt(t).

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
        self._check()

    def _check(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_between("delta", self.delta, LOWEST, HIGHEST)
        check_choice("decay", self.decay, DECAYS)

    def _parameters(self) -> AdaFOBOSParameters:
        return AdaFOBOSParameters(
            step=float(self.step),
            penalty=float(self.penalty),
            delta=float(self.delta),
            decays=self.decay == "sqrt",
        )

    def _fresh_state(self, capacity: int) -> AdaFOBOSState:
        return AdaFOBOSState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            tally=new_tally(),
            table=np.zeros((capacity, 2)),
        )

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was learned stays."""
        weights = None if self._state is None else self._linear_weights()
        super().set_params(**params)
        if weights is not None:
            # What weights owe was reckoned with the old delta: it is paid now.
            self._state.table[:, RAISED] = weights
            self._state.tally.fill(0.0)
        return self

    def _linear_weights(self) -> NDArray[np.float64]:
        table, tally = self._state.table, self._state.tally[0]
        return soft_all(table[:, RAISED], tally / (self._kernel_parameters.delta + table[:, ROOT]))


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
        self._check()

    def _check(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_between("delta", self.delta, LOWEST, HIGHEST)
        check_choice("clock", self.clock, CLOCKS)

    def _parameters(self) -> AdaRDAParameters:
        return AdaRDAParameters(
            step=float(self.step),
            delta=float(self.delta),
            threshold=schedule(float(self.penalty), "growing", self.clock),
        )

    def _fresh_state(self, capacity: int) -> AdaRDAState:
        return AdaRDAState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            births=new_births(capacity, self._parameters().threshold),
            table=np.zeros((capacity, 2)),
        )

    def _adapted(self, state: AdaRDAState) -> AdaRDAState:
        births = kept_births(state.births, self._kernel_parameters.threshold)
        return state._replace(births=births)

    def _is_sound(self, state: AdaRDAState) -> bool:
        return births_are_sound(state.births, int(state.seen[0]), int(state.rounds[0]))

    def _linear_weights(self) -> NDArray[np.float64]:
        table, params = self._state.table, self._kernel_parameters
        threshold = thresholds(params.threshold, self._state.rounds[0], self._state.births)
        h = params.delta + table[:, ROOT]
        weights: NDArray[np.float64] = params.step * soft_all(table[:, SUM], threshold) / h
        return weights


class AdaFOBOSParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    penalty: float
    delta: float
    decays: bool


class AdaFOBOSState(NamedTuple):
    """What is learned; what is used together lies side by side, for the cache's sake."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    tally: NDArray[np.float64]  # the sum of eta_t lambda over all rounds
    table: NDArray[np.float64]  # by feature: the weight raised by tally / H, sqrt(sum of g^2)


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
    """w - eta_t g / H, and the threshold of the round to the tally"""
    table, tally, delta = state.table, state.tally[0], params.delta
    step = step_of_round(params.step, params.decays, state.rounds[0])
    if label * score < 1.0:
        factor = min(weight, HIGHEST) * label
        for i in range(indices.size):
            j = Index(indices[i])
            uphill = factor * values[i]
            root = table[j, ROOT]
            moved = soft(table[j, RAISED], tally / (delta + root))
            root = math.sqrt(root * root + uphill * uphill)
            inverse = 1.0 / (delta + root)
            moved += step * uphill * inverse
            table[j, RAISED] = moved + math.copysign(tally * inverse, moved)
            table[j, ROOT] = root
    add_to(state.tally, step * params.penalty)


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
        root = table[j, ROOT]
        table[j, SUM] += uphill
        table[j, ROOT] = math.sqrt(root * root + uphill * uphill)


driver.register(AdaFOBOSState, score=score_fobos, update=update_fobos)
driver.register(AdaRDAState, score=score_rda, update=update_rda)
