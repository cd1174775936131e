"""Ada-FOBOS, of ``braided.learners.adaptive``: a step, then a threshold, both divided by H.

In round t, with the gradient g of the row::

    w_j = soft(w_j - eta_t g_j / H_j, eta_t lambda / H_j),  H_j = delta + sqrt(sum of g_j^2)

It stores weights raised by what they would owe for all rounds, as FOBOS does; a weight's H changes
only when it is touched, and it is raised anew then.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.kernels.numerics import HIGHEST, LOWEST, add_to, new_tally
from braided.kernels.schedules import DECAYS, step_of_round
from braided.kernels.soft_threshold import soft, soft_all
from braided.learner.learner import Learner
from braided.learners.adaptive.roots import ROOT, grown, merged_roots
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = ["AdaFOBOS"]

RAISED = 0


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
        self.check_parameters()

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
            tally=new_tally(),
            table=np.zeros((capacity, 2)),
        )

    def adapted(self, state: AdaFOBOSState, before: AdaFOBOS) -> AdaFOBOSState:
        # What weights owe was reckoned with the old delta: it is paid now.
        state.table[:, RAISED] = before.linear_weights(state)
        state.tally.fill(0.0)
        return state

    def merged_state(
        self, state: AdaFOBOSState, weights: Floats, parts: list[Part]
    ) -> AdaFOBOSState:
        return state._replace(table=np.column_stack((weights, merged_roots(parts))))

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
    tally: NDArray[np.float64]  # the sum of eta_t lambda over all rounds
    table: NDArray[np.float64]  # by feature: the weight raised by tally / H, sqrt(sum of g^2)


@inlined
def score(state: AdaFOBOSState, params: AdaFOBOSParameters, indices: Ints, values: Floats) -> float:
    """w.x"""
    table, tally, delta = state.table, state.tally[0], params.delta
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        total += soft(table[j, RAISED], tally / (delta + table[j, ROOT])) * values[i]
    return total


@inlined
def update(
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
            root = grown(root, uphill)
            inverse = 1.0 / (delta + root)
            moved += step * uphill * inverse
            table[j, RAISED] = moved + math.copysign(tally * inverse, moved)
            table[j, ROOT] = root
    add_to(state.tally, step * params.penalty)


kernel_table.register(AdaFOBOSState, score=score, update=update)
