"""OLSF in matrix form: a row of weights for each class, learned at once.

Zhang et al. (TKDE 2016) name it in section 6.5, beside one-vs-rest and one-vs-one, and leave it
open; it is written out in Crammer, Dekel, Keshet, Shalev-Shwartz and Singer, "Online Passive-
Aggressive Algorithms", JMLR 7, 2006, section 8, of whose steps those of OLSF are. With s the class
other than y whose score is the largest::

    loss = max(0, 1 - w_y.x + w_s.x)
    tau  = loss / (2 |x|^2), min(C, that), or loss / (2 |x|^2 + 1/(2C))     (OLSF, -I, -II)
    w_y  = w_y + tau x        w_s = w_s - tau x        new features start there, too

A class takes part from the row on in which it first appears; rows before there are two teach
nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.errors import InputError
from braided.kernels.numerics import HIGHEST
from braided.learner.classes_engine import AlgorithmOfClasses
from braided.learner.state import grown

__all__ = ["NEVER", "MatrixState", "OLSFMatrix"]

NEVER = np.iinfo(np.int64).max

BUFFERS: dict[str, Any] = {"scores": ...}
"""The parts of a state that only serve from ``score`` to the end of ``update``."""

SMALLEST_SQUARE = 1e-280
"""A row with a smaller squared length is not learned: its step would overflow."""


class MatrixParameters(NamedTuple):
    """The parameters as the kernels see them."""

    variant: int
    aggressiveness: float


class MatrixState(NamedTuple):
    """What is learned."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    since: NDArray[np.int64]  # the round before the first in which a class is scored
    scores: NDArray[np.float64]  # of the present row: a buffer
    weights: NDArray[np.float64]  # by class and feature


@inlined
def score(
    state: MatrixState, params: MatrixParameters, indices: Ints, values: Floats
) -> kernel_table.OfClasses:
    """w_r.x of each class r, and since when it is known"""
    for number in range(state.since.size):
        if state.since[number] <= state.rounds[0]:
            weights, total = state.weights[number], 0.0
            for i in range(indices.size):
                total += weights[Index(indices[i])] * values[i]
            state.scores[number] = total
    return state.scores, state.since


@inlined
def update(
    state: MatrixState,
    params: MatrixParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: kernel_table.OfClasses,
    weight: float,
) -> None:
    """Move the weights of the class towards the row, and those of its closest rival away."""
    own, rival, largest = int(label), -1, -math.inf
    for number in range(state.since.size):
        known = state.since[number] < state.rounds[0]
        if known and number != own and state.scores[number] > largest:
            rival, largest = number, state.scores[number]
    if rival < 0 or square < SMALLEST_SQUARE:
        return
    loss = 1.0 - (state.scores[own] - largest)
    if not loss > 0.0:
        return
    if params.variant == 2:
        tau = loss / (2.0 * square + 0.5 / params.aggressiveness)
    else:
        tau = loss / (2.0 * square)
        if params.variant == 1:
            tau = min(params.aggressiveness, tau)
    step = min(weight * tau, HIGHEST)
    for i in range(indices.size):
        state.weights[own, Index(indices[i])] += step * values[i]
        state.weights[rival, Index(indices[i])] -= step * values[i]


kernel_table.register(MatrixState, score=score, update=update)


class OLSFMatrix(AlgorithmOfClasses):
    """The algorithm of ``MatrixForm(OLSF())``.

    Parameters
    ----------
    variant : int
        0 for OLSF, 1 for OLSF-I, 2 for OLSF-II.
    aggressiveness : float
        C.
    state_of_two : callable
        What makes the state of an OLSF from rounds, features seen and weights by feature.
    """

    scores_in_state = True
    score_buffers = BUFFERS

    def __init__(
        self, variant: int, aggressiveness: float, state_of_two: Callable[..., Any]
    ) -> None:
        self.variant = variant
        self.aggressiveness = aggressiveness
        self._state_of_two = state_of_two

    def check_parameters(self) -> None:
        """Do nothing: OLSF has checked them."""

    def kernel_parameters(self) -> MatrixParameters:
        return MatrixParameters(self.variant, float(self.aggressiveness))

    def new_state(self, capacity: int) -> MatrixState:
        return _new_state(capacity, 1)

    def with_classes(self, state: MatrixState, arrivals: dict[int, int]) -> MatrixState:
        room = _room(max(arrivals) + 1)
        if room > state.since.size:
            state = grown(state, _new_state(state.weights.shape[1], room))
        for number, row in arrivals.items():
            state.since[number] = state.rounds[0] + row
        return state

    def from_two_labels(self, state: Any, classes: dict[float, int]) -> MatrixState:
        raise NotImplementedError("the matrix form is chosen from the first row on")

    def with_capacity(self, state: MatrixState, capacity: int) -> MatrixState:
        return grown(state, _new_state(capacity, state.since.size))

    def classes_known(self, state: MatrixState) -> set[int]:
        return set(np.flatnonzero(state.since != NEVER).tolist())

    def state_of_class(self, state: MatrixState, number: int) -> Any:
        return self._state_of_two(state.rounds, state.seen, state.weights[number])

    def with_room(self, state: MatrixState, columns: Ints) -> MatrixState:
        return state  # a row takes no room beyond its columns

    def state_as_in(self, length: Callable[[str], int], capacity: int, classes: int) -> MatrixState:
        room = length("since")
        if not 0 < room <= _room(classes):
            raise InputError(f"it has room for {room} classes")
        return _new_state(capacity, room)

    def is_sound(self, state: MatrixState, capacity: int) -> bool:
        known = state.since[state.since != NEVER]
        return bool(((known >= -1) & (known < max(1, state.rounds[0]))).all())

    def linear_weights(self, state: Any) -> Any:
        raise NotImplementedError("each class has weights of its own")


def _new_state(capacity: int, classes: int) -> MatrixState:
    return MatrixState(
        rounds=np.zeros(1, np.int64),
        seen=np.zeros(1, np.int64),
        since=np.full(classes, NEVER),
        scores=np.zeros(classes),
        weights=np.zeros((classes, capacity)),
    )


def _room(classes: int) -> int:
    """The room for so many classes: a power of two."""
    return 1 << max(0, classes - 1).bit_length()
