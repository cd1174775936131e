"""FOBOS and STG: gradient descent on hinge loss, with weights that are driven to exactly 0.

FOBOS: Duchi and Singer, "Efficient Online and Batch Learning using Forward Backward Splitting".
STG: Langford, Li and Zhang, "Sparse Online Learning via Truncated Gradient". Both JMLR 10, 2009.
In round t, for a row x with label y in {-1, +1}::

    v = w + eta_t y x       if 1 - y w.x > 0, else w           eta_t = eta or eta / sqrt(t)

    FOBOS   w = sign(v) max(|v| - eta_t lambda, 0)
    STG     the same with K eta_t lambda, for |v_j| <= theta   if K divides t, else w = v

so FOBOS is STG with K = 1 and theta = infinity.

The papers visit all d weights each time. Here a round costs O(nnz): one running total (``tally``)
adds up the thresholds of all rounds so far. A weight that is touched is stored *raised* by the
total of that moment, away from 0, and is read by thresholding it with the total of now; the
difference is the exact sum of the thresholds since. A weight above theta has no thresholds until it
is touched again, and is stored as it is (``aside``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.kernels.numerics import HIGHEST, LOWEST, add_to_sum, new_sum
from braided.kernels.schedules import DECAYS, step_of_round
from braided.kernels.soft_threshold import soft, soft_all
from braided.learner.learner import Learner
from braided.parameters import check_between, check_choice, check_positive, check_whole

if TYPE_CHECKING:
    from braided.learner.merging import Merge

__all__ = ["FOBOS", "STG"]


class STG(Learner):
    """Truncated gradient: gradient steps, and every K rounds small weights are moved towards 0.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.1
        How far a row with a loss moves the weights (eta in the paper).
    penalty : float, 0 to 1e40, default 0.0001
        What a round takes from each weight, in units of the step (lambda in the paper).
    interval : int, at least 1, default 10
        Rounds from one truncation to the next, which takes the penalties of all (K).
    ceiling : float, above 0, default inf
        Weights whose magnitude is above it are not truncated (theta in the paper).
    decay : {"none", "sqrt"}, default "none"
        ``"sqrt"``: the step of round t is step / sqrt(t).

    Notes
    -----
    It is the paper's algorithm. The paper visits all weights at each truncation; here penalties are
    applied when a weight is read, which gives the same weights.

    References
    ----------
    Langford, Li and Zhang, "Sparse Online Learning via Truncated Gradient", JMLR 10, 2009.

    Examples
    --------
    >>> model = STG(step=0.5, penalty=0.125, interval=2)
    >>> model.learn_one({"cheap": 2, "now": 1}, "spam")
    >>> model.weights()
    {'cheap': 1.0, 'now': 0.5}
    >>> model.learn_one({"lunch": 0.25}, "mail")
    >>> model.weights()
    {'cheap': 0.875, 'now': 0.375}
    """

    def __init__(
        self,
        *,
        step: float = 0.1,
        penalty: float = 0.0001,
        interval: int = 10,
        ceiling: float = math.inf,
        decay: str = "none",
    ) -> None:
        self.step = step
        self.penalty = penalty
        self.interval = interval
        self.ceiling = ceiling
        self.decay = decay

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_whole("interval", self.interval, 1)
        check_positive("ceiling", self.ceiling)
        check_choice("decay", self.decay, DECAYS)

    def kernel_parameters(self) -> TruncationParameters:
        return TruncationParameters(
            step=float(self.step),
            penalty=float(self.penalty),
            interval=int(self.interval),
            ceiling=float(self.ceiling),
            decays=self.decay == "sqrt",
        )

    def new_state(self, capacity: int) -> TruncationState:
        return TruncationState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            tally=new_sum(),
            raised=np.zeros(capacity),
            aside=np.zeros(capacity, np.bool_),
        )

    def adapted(self, state: TruncationState, before: Any) -> TruncationState:
        weights = _weights(state)
        return state._replace(tally=new_sum(), raised=weights, aside=np.abs(weights) > self.ceiling)

    def merged_state(self, state: TruncationState, merge: Merge) -> TruncationState:
        weights = merge.mean(lambda part: part.weights)
        return state._replace(raised=weights, aside=np.abs(weights) > self.ceiling)

    def linear_weights(self, state: TruncationState) -> NDArray[np.float64]:
        return _weights(state)


class FOBOS(STG):
    """Forward-backward splitting: in each round a gradient step, then all weights towards 0.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.1
        How far a row with a loss moves the weights (eta in the paper).
    penalty : float, 0 to 1e40, default 0.0001
        What a round takes from each weight, in units of the step (lambda in the paper).
    decay : {"none", "sqrt"}, default "none"
        ``"sqrt"``: the step of round t is step / sqrt(t).

    Notes
    -----
    It is the paper's algorithm. The paper visits all weights in each round; here penalties are
    applied when a weight is read, which gives the same weights.

    References
    ----------
    Duchi and Singer, "Efficient Online and Batch Learning using Forward Backward Splitting", JMLR
    10, 2009.

    Examples
    --------
    >>> model = FOBOS(step=0.5, penalty=0.25)
    >>> model.learn_one({"cheap": 2, "now": 0.25}, "spam")
    >>> model.weights()
    {'cheap': 0.875}
    """

    interval = 1
    ceiling = math.inf

    def __init__(self, *, step: float = 0.1, penalty: float = 0.0001, decay: str = "none") -> None:
        self.step = step
        self.penalty = penalty
        self.decay = decay


class TruncationParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    penalty: float
    interval: int
    ceiling: float
    decays: bool


class TruncationState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    tally: NDArray[np.float64]  # the sum of the thresholds of all rounds
    raised: NDArray[np.float64]  # each weight, raised by the total when it was touched
    aside: NDArray[np.bool_]  # whether it was above the ceiling then, and is not raised


def _weights(state: TruncationState) -> NDArray[np.float64]:
    weights = soft_all(state.raised, state.tally[0])
    return np.where(state.aside, state.raised, weights)


@inlined
def score(
    state: TruncationState, params: TruncationParameters, indices: Ints, values: Floats
) -> float:
    """w.x"""
    raised, aside, tally = state.raised, state.aside, state.tally[0]
    spares = params.ceiling < math.inf
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        owed = 0.0 if spares and aside[j] else tally
        total += soft(raised[j], owed) * values[i]
    return total


@inlined
def update(
    state: TruncationState,
    params: TruncationParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """w + eta_t y x; thresholds that are due are added to the total"""
    rounds = state.rounds[0]
    step = step_of_round(params.step, params.decays, rounds)
    if label * score < 1.0:
        _move(state, params, indices, values, min(step * weight, HIGHEST) * label)
    if rounds % params.interval == 0:
        add_to_sum(state.tally, params.interval * step * params.penalty)


@inlined
def _move(
    state: TruncationState,
    params: TruncationParameters,
    indices: Ints,
    values: Floats,
    step: float,
) -> None:
    raised, aside, tally = state.raised, state.aside, state.tally[0]
    spares = params.ceiling < math.inf
    for i in range(indices.size):
        j = Index(indices[i])
        owed = 0.0 if spares and aside[j] else tally
        moved = soft(raised[j], owed) + step * values[i]
        if spares:
            aside[j] = abs(moved) > params.ceiling
        owed = 0.0 if spares and aside[j] else tally
        raised[j] = moved + math.copysign(owed, moved)


kernel_table.register(TruncationState, score=score, update=update)
