"""OCO: online gradient descent on the features that are observed.

The plain rival in He et al., "Toward Mining Capricious Data Streams", IEEE TNNLS 2020, after
Zinkevich, "Online Convex Programming and Generalized Infinitesimal Gradient Ascent", ICML 2003. For
a row x with label y in {-1, +1}::

    loss = log(1 + exp(-y (w.x + b)))
    w    = w + step_t y sigmoid(-y (w.x + b)) x               new features start at 0
    b    = b + step_t y sigmoid(-y (w.x + b))                 only with an intercept

with step_t = step or step / sqrt(t), or a step for each feature (``kernels/adaptive_steps.py``).
What is not observed contributes nothing and stays as it is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Ints, compiled
from braided.kernels.adaptive_steps import adaptive_move, for_unit_length, squares_if
from braided.kernels.logistic import pull
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.learner.learner import Learner
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part

__all__ = ["OCO"]

SCHEDULES = ("constant", "sqrt", "adaptive")

LARGEST_STEP = 1e6
"""The largest step: with it no sum of steps along allowed rows overflows."""


class OCO(Learner):
    """Online gradient descent on logistic loss, over the features that are observed.

    Parameters
    ----------
    step : float, 1e-40 to 1e6, default 1.0
        How far a gradient moves the weights.
    schedule : {"constant", "sqrt", "adaptive"}, default "sqrt"
        ``"sqrt"``: the step is divided by the root of the number of rounds. ``"adaptive"``: it is
        divided by the row's length, and for each feature by the root of its own squared gradients,
        so that features that appear late learn as fast as the first ones did.
    intercept : bool, default False
        Whether a constant is learned too.

    Notes
    -----
    ``"adaptive"`` and the intercept go beyond the papers.

    References
    ----------
    He et al., "Toward Mining Capricious Data Streams: A Generative Approach", IEEE TNNLS 2020;
    Zinkevich, "Online Convex Programming and Generalized Infinitesimal Gradient Ascent", ICML 2003;
    for ``"adaptive"`` Duchi, Hazan and Singer, "Adaptive Subgradient Methods", JMLR 12, 2011.

    Examples
    --------
    >>> model = OCO()
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "lunch": 0, "unheard of": 1})
    'spam'
    """

    scores_are_log_odds = True
    arrays_added_later = ("squares", "intercept_squares")

    def __init__(
        self, *, step: float = 1.0, schedule: str = "sqrt", intercept: bool = False
    ) -> None:
        self.step = step
        self.schedule = schedule
        self.intercept = intercept

    def check_parameters(self) -> None:
        check_between("step", self.step, LOWEST, LARGEST_STEP)
        check_choice("schedule", self.schedule, SCHEDULES)
        check_choice("intercept", self.intercept, (True, False))

    def kernel_parameters(self) -> OCOParameters:
        return OCOParameters(
            step=float(self.step),
            shrinking=self.schedule == "sqrt",
            adaptive=self.schedule == "adaptive",
            intercept=bool(self.intercept),
        )

    def new_state(self, capacity: int) -> OCOState:
        adaptive = self.schedule == "adaptive"
        return OCOState(
            rounds=np.zeros(1, np.int64),
            seen=np.zeros(1, np.int64),
            weight=np.zeros(capacity),
            intercept=np.zeros(1),
            squares=squares_if(adaptive, capacity),
            intercept_squares=squares_if(adaptive, 1),
        )

    def adapted(self, state: OCOState, before: Any) -> OCOState:
        if self.schedule == "adaptive":
            return state
        return state._replace(squares=np.zeros(0), intercept_squares=np.zeros(0))

    def merged_state(self, state: OCOState, merge: Merge) -> OCOState:
        """With steps by AdaGrad a model counts by the squared gradients that it added."""
        adaptive = all(part.state.squares.size for part in merge.parts)
        by = merge.added(_squares) if adaptive else None
        own = merge.added_in_all(_intercept_squares) if adaptive else None
        state = state._replace(
            weight=merge.mean(lambda part: part.weights, by),
            intercept=merge.share(lambda part: part.side * part.state.intercept, own),
        )
        if state.squares.size and adaptive:
            state.squares[:] = merge.sum(_squares)
            state.intercept_squares[:] = merge.total(_intercept_squares)
        return state

    def is_sound(self, state: OCOState, capacity: int) -> bool:
        return bool((state.squares >= 0.0).all() and (state.intercept_squares >= 0.0).all())

    def linear_weights(self, state: OCOState) -> NDArray[np.float64]:
        return state.weight


def _squares(part: Part) -> NDArray[np.float64]:
    squares = part.state.squares
    return part.spread(squares if squares.size else np.zeros(part.columns.size))


def _intercept_squares(part: Part) -> NDArray[np.float64]:
    squares: NDArray[np.float64] = part.state.intercept_squares
    return squares if squares.size else np.zeros(1)


class OCOParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    shrinking: bool
    adaptive: bool
    intercept: bool


class OCOState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    weight: NDArray[np.float64]
    intercept: NDArray[np.float64]
    squares: NDArray[np.float64]  # of gradients, by feature; empty where steps do not adapt
    intercept_squares: NDArray[np.float64]


@compiled
def score(state: OCOState, params: OCOParameters, indices: Ints, values: Floats) -> float:
    """w.x + b"""
    weight = state.weight
    total = 0.0
    for i in range(indices.size):
        total += weight[indices[i]] * values[i]
    return total + float(state.intercept[0])


@compiled
def update(
    state: OCOState,
    params: OCOParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """One gradient step."""
    if params.adaptive:
        _adaptive_update(state, params, indices, values, square, label, score, weight)
        return
    step = weight * params.step * pull(label, score)
    if params.shrinking:
        step /= math.sqrt(state.rounds[0])
    for i in range(indices.size):
        state.weight[indices[i]] += step * values[i]
    if params.intercept:
        state.intercept[0] += step


@compiled
def _adaptive_update(
    state: OCOState,
    params: OCOParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """A step of its own for each feature; the intercept is one whose value is always 1."""
    uphill = min(weight, HIGHEST) * pull(label, score)
    uphill = for_unit_length(uphill, square + 1.0 if params.intercept else square)
    for i in range(indices.size):
        j = indices[i]
        state.weight[j] += adaptive_move(state.squares, j, params.step, uphill * values[i])
    if params.intercept:
        state.intercept[0] += adaptive_move(state.intercept_squares, 0, params.step, uphill)


kernel_table.register(OCOState, score=score, update=update)
