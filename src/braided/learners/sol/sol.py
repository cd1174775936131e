"""SOL, the framework of sparse online learning, and its instances FSOL and SSOL.

Wang, Wu, Zhao, Wu, Miao and Hoi, "High-dimensional Data Stream Classification via Sparse Online
Learning", ICDM 2014. Algorithm 1, for a row x with label y in {-1, +1}::

    u      = grad Phi*(theta)                            Phi* is the conjugate of Phi
    w      = sign(u) max(|u| - lambda_t, 0)
    loss   = max(0, 1 - y w.x)
    theta  = theta + eta y x          if the loss is positive

A learner of the framework is a choice of Phi and of the thresholds lambda_t::

    FSOL             Phi(w) = |w|^2 / 2                  u = theta
    SSOL, full       Phi(w) = w'A w / 2                  u = A^-1 theta,  A = I + sum of x x'/r
    SSOL, diagonal   the same with A^-1 = diag(a)        u = a theta
                     a_j = a_j - a_j^2 x_j^2 / (r + sum of a_i x_i^2)     before predicting

    constant         lambda_t = eta lambda
    growing          lambda_t = eta lambda (t - 1)       with it FSOL is Xiao's RDA

Errata: the paper never defines lambda_t; its regret bound follows for the constant one. The
printed A_t lacks its r. A feature that was never seen can not take part in a prediction: the
row is scored without it, and learned with it.

Beyond the paper: with ``clock="feature"`` the growing threshold of a feature counts only the rounds
since the feature was first seen, so that features that appear late get a fair start.

The weights are never stored: theta (and a) change only for the features of a row, and the
threshold is applied when a weight is read. So a round costs O(nnz).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled import kernel_table
from braided.compiled.jit import Floats, Index, Ints, inlined
from braided.errors import InputError
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.kernels.schedules import (
    CLOCKS,
    SCHEDULES,
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
from braided.kernels.soft_threshold import count_beyond, hidden, raised, soft, soft_all
from braided.learner.learner import Learner
from braided.learners.sol import full_matrix
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part

__all__ = ["FSOL", "SOL", "SSOL", "SOLParameters"]

PHIS = ("identity", "diagonal", "full")


class SOL(Learner):
    """Sparse online learning with any Phi of the framework; FSOL and SSOL are its instances.

    Parameters
    ----------
    phi : {"identity", "diagonal", "full"}, default "identity"
        ``"identity"`` is FSOL, ``"diagonal"`` SSOL, ``"full"`` SSOL with the full matrix.
    step : float, 1e-40 to 1e40, default 0.1
        As in FSOL.
    penalty : float, 0 to 1e40, default 0.1
        As in FSOL.
    r : float, 1e-40 to 1e40, default 1.0
        As in SSOL.
    schedule : {"constant", "growing"}, default "constant"
        As in FSOL.
    clock : {"global", "feature"}, default "global"
        As in FSOL.
    """

    step: float
    penalty: float
    schedule: str
    clock: str

    def __init__(
        self,
        *,
        phi: str = "identity",
        step: float = 0.1,
        penalty: float = 0.1,
        r: float = 1.0,
        schedule: str = "constant",
        clock: str = "global",
    ) -> None:
        self.phi = phi
        self.step = step
        self.penalty = penalty
        self.r = r
        self.schedule = schedule
        self.clock = clock

    def _phi(self) -> str:
        return self.phi

    def _r(self) -> float:
        return self.r

    def check_parameters(self) -> None:
        check_choice("phi", self._phi(), PHIS)
        check_between("step", self.step, LOWEST, HIGHEST)
        check_between("penalty", self.penalty, 0, HIGHEST)
        check_between("r", self._r(), LOWEST, HIGHEST)
        check_choice("schedule", self.schedule, SCHEDULES)
        check_choice("clock", self.clock, CLOCKS)

    def check_change(self, before: SOL) -> None:
        if before._phi() != self._phi():
            raise InputError("what was learned with one Phi is of no use to another: start anew")

    def kernel_parameters(self) -> SOLParameters:
        return SOLParameters(
            step=float(self.step),
            r=float(self._r()),
            threshold=schedule(float(self.step) * self.penalty, self.schedule, self.clock),
        )

    def new_state(self, capacity: int) -> Any:
        births = new_births(capacity, self.kernel_parameters().threshold)
        counts = np.zeros(1, np.int64), np.zeros(1, np.int64)
        if self._phi() == "identity":
            return IdentityState(*counts, births, theta=np.zeros(capacity))
        if self._phi() == "diagonal":
            return DiagonalState(*counts, births, table=np.zeros((capacity, 2)))
        return full_matrix.new_state(*counts, births, capacity)

    def adapted(self, state: Any, before: Any) -> Any:
        births = kept_births(state.births, self.kernel_parameters().threshold)
        return state._replace(births=births)

    def merged_state(self, state: Any, merge: Merge) -> Any:
        """A adds up. So does theta, if models began with nothing; else weights become a mean.

        Sums of theta since a base would diverge when they are merged again and again.
        """
        births = merged_births(state.births, int(state.seen[0]), merge)
        state = state._replace(births=births)
        diagonal = isinstance(state, DiagonalState)
        inverse = np.zeros(0)
        if diagonal:
            known = np.arange(state.table.shape[0]) < state.seen[0]
            inverse = np.where(known, 1.0 / np.maximum(merge.sum(_precisions, 1.0), 1.0), 0.0)
        if diagonal and merge.base is None:
            theta = merge.sum(lambda part: part.side * part.spread(part.state.table[:, THETA]))
            return state._replace(table=np.column_stack((theta, inverse)))
        weights = merge.mean(lambda part: part.weights)
        share = merge.mean(lambda p: p.side * p.spread(p.algorithm.hidden(p.state)))
        u = raised(weights, self._thresholds(state), share)
        if not diagonal:
            return state._replace(theta=u)
        theta = np.divide(u, inverse, out=np.zeros_like(u), where=inverse > 0.0)
        return state._replace(table=np.column_stack((theta, inverse)))

    def hidden(self, state: Any) -> NDArray[np.float64]:
        """Compute what the threshold hides of u.

        Parameters
        ----------
        state : NamedTuple
            What was learned.

        Returns
        -------
        ndarray of float
            By feature, from -1 to 1: the part of the threshold that u fills.
        """
        return hidden(_gradient_of_conjugate(state), self._thresholds(state))

    def _thresholds(self, state: Any) -> Any:
        """lambda_t: one for all features, or one for each if each has its own clock."""
        return thresholds(self.kernel_parameters().threshold, state.rounds[0], state.births)

    @property
    def is_mergeable(self) -> bool:
        return self._phi() != "full"

    def is_sound(self, state: Any, capacity: int) -> bool:
        return births_are_sound(state.births, int(state.seen[0]), int(state.rounds[0]))

    @property
    def most_features(self) -> int | None:
        return full_matrix.MOST_FEATURES if self._phi() == "full" else None

    def linear_weights(self, state: Any) -> NDArray[np.float64]:
        return soft_all(_gradient_of_conjugate(state), self._thresholds(state))

    def count_kept(self, state: Any, seen: int) -> int:
        threshold = np.asarray(self._thresholds(state))
        threshold = threshold[:seen] if threshold.ndim else threshold
        return count_beyond(_gradient_of_conjugate(state)[:seen], threshold)


class FSOL(SOL):
    """First-order sparse online learning: a threshold cuts small sums of gradients to 0.

    Parameters
    ----------
    step : float, 1e-40 to 1e40, default 0.1
        How far a row with a loss moves theta (eta in the paper).
    penalty : float, 0 to 1e40, default 0.1
        A weight is 0 until its gradients add up to more than this (lambda in the paper).
    schedule : {"constant", "growing"}, default "constant"
        Whether the penalty is applied once, or once for every round (then FSOL is RDA).
    clock : {"global", "feature"}, default "global"
        Whether a growing penalty counts all rounds, or only those since the feature was first seen.

    Notes
    -----
    ``clock="feature"`` goes beyond the paper; the default is the paper's algorithm. The paper never
    defines its thresholds; ``schedule="constant"`` is the one that its regret bound is about.

    References
    ----------
    Wang, Wu, Zhao, Wu, Miao and Hoi, "High-dimensional Data Stream Classification via Sparse Online
    Learning", ICDM 2014.

    Examples
    --------
    >>> model = FSOL(step=0.5, penalty=1.0)
    >>> for x, y in [({"cheap": 2, "now": 1}, "spam"), ({"lunch": 3, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.weights()
    {'lunch': -1.0, 'cheap': 0.5}
    """

    def __init__(
        self,
        *,
        step: float = 0.1,
        penalty: float = 0.1,
        schedule: str = "constant",
        clock: str = "global",
    ) -> None:
        self.step = step
        self.penalty = penalty
        self.schedule = schedule
        self.clock = clock

    def _phi(self) -> str:
        return "identity"

    def _r(self) -> float:
        return 1.0  # not used


class SSOL(SOL):
    """Second-order sparse online learning: features that are frequent or large move less.

    Parameters
    ----------
    covariance : {"diagonal", "full"}, default "diagonal"
        The part of the matrix that is kept. ``"full"`` is for at most 1024 features: a row costs
        O(d^2).
    r : float, 1e-40 to 1e40, default 3.0
        How much the rows must add up to before they reduce the steps of a feature.
    step : float, 1e-40 to 1e40, default 4.0
        How far a row with a loss moves theta (eta in the paper).
    penalty : float, 0 to 1e40, default 0.001
        A weight is 0 until its gradients add up to more than this (lambda in the paper).
    schedule : {"constant", "growing"}, default "constant"
        Whether the penalty is applied once, or once for every round.
    clock : {"global", "feature"}, default "global"
        Whether a growing penalty counts all rounds, or only those since the feature was first seen.

    Notes
    -----
    ``clock="feature"`` goes beyond the paper; the default is the paper's algorithm. The A_t that
    the paper prints lacks its r, which stands here. ``covariance="full"`` keeps a root of A^-1, so
    that it stays positive whatever the values are.

    Features of a row that were never seen before are left out when it is scored, since no model
    knows them then; Algorithms 3 and 4 add them to A^-1 first. On five text streams the paper's way
    changed errors by less than 0.25 points if rows have length 1 (counts: 0.4), up or down.

    References
    ----------
    Wang, Wu, Zhao, Wu, Miao and Hoi, "High-dimensional Data Stream Classification via Sparse Online
    Learning", ICDM 2014.

    Examples
    --------
    >>> model = SSOL(penalty=0.25)
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "unheard of": 1})
    'spam'
    """

    def __init__(
        self,
        *,
        covariance: str = "diagonal",
        r: float = 3.0,
        step: float = 4.0,
        penalty: float = 0.001,
        schedule: str = "constant",
        clock: str = "global",
    ) -> None:
        self.covariance = covariance
        self.r = r
        self.step = step
        self.penalty = penalty
        self.schedule = schedule
        self.clock = clock

    def check_parameters(self) -> None:
        check_choice("covariance", self.covariance, ("diagonal", "full"))
        super().check_parameters()

    def _phi(self) -> str:
        return self.covariance


class SOLParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    r: float
    threshold: Schedule


def _gradient_of_conjugate(state: Any) -> NDArray[np.float64]:
    """u = grad Phi*(theta) of every feature."""
    if isinstance(state, IdentityState):
        return state.theta
    if isinstance(state, DiagonalState):
        u: NDArray[np.float64] = state.table[:, INVERSE] * state.table[:, THETA]
        return u
    return full_matrix.gradient_of_conjugate(state)


# ------------------------------------------------------------------------ FSOL: u = theta


class IdentityState(NamedTuple):
    """What is learned when u = theta."""

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    theta: NDArray[np.float64]


@inlined
def score_identity(
    state: IdentityState, params: SOLParameters, indices: Ints, values: Floats
) -> float:
    """w.x for w = soft(theta, lambda_t)"""
    theta, rounds, rounds_before = state.theta, state.rounds[0], state.births.rounds_before
    own_clock = params.threshold.own_clock
    threshold = owed(params.threshold, rounds)
    total = 0.0
    for i in range(indices.size):
        j = Index(indices[i])
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        total += soft(theta[j], threshold) * values[i]
    return total


@inlined
def update_identity(
    state: IdentityState,
    params: SOLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """theta + eta y x"""
    note_births(state.births, state.seen[0], state.rounds[0])
    if not label * score < 1.0:
        return
    theta, step = state.theta, min(params.step * weight, HIGHEST) * label
    for i in range(indices.size):
        theta[Index(indices[i])] += step * values[i]


kernel_table.register(IdentityState, score=score_identity, update=update_identity)


# ------------------------------------------------------ SSOL with a diagonal: u = a theta

THETA, INVERSE = 0, 1


class DiagonalState(NamedTuple):
    """What is learned when u = a theta.

    The theta and the a of a feature lie side by side, for the cache's sake. The a of a feature that
    was never seen is 0, so that it adds nothing to a prediction.
    """

    rounds: NDArray[np.int64]
    seen: NDArray[np.int64]
    births: Births
    table: NDArray[np.float64]  # by feature: theta, a


def _diagonal_of(state: DiagonalState) -> NDArray[np.float64]:
    """a of every feature; 1 for one that was named but never learned."""
    return np.where(state.table[:, INVERSE] > 0.0, state.table[:, INVERSE], 1.0)


def _precisions(part: Part) -> NDArray[np.float64]:
    """A of every feature, by column of the merged model."""
    return part.spread(1.0 / _diagonal_of(part.state), elsewhere=1.0)


@inlined
def score_diagonal(
    state: DiagonalState, params: SOLParameters, indices: Ints, values: Floats
) -> float:
    """w.x for w = soft(a theta, lambda_t), with the a that this row leads to"""
    table, rounds, rounds_before = state.table, state.rounds[0], state.births.rounds_before
    own_clock = params.threshold.own_clock
    threshold = owed(params.threshold, rounds)
    spread = _spread(table, indices, values)
    part = 1.0 / (params.r + spread)
    total = 0.0
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        if own_clock:
            threshold = owed(params.threshold, rounds - rounds_before[j])
        a = _shrunk(table[j, INVERSE], x, spread, params.r, part)
        total += soft(a * table[j, THETA], threshold) * x
    return total


@inlined
def update_diagonal(
    state: DiagonalState,
    params: SOLParameters,
    indices: Ints,
    values: Floats,
    square: float,
    label: float,
    score: float,
    weight: float,
) -> None:
    """a in every round, theta + eta y x when there is a loss"""
    table = state.table
    for new in range(state.births.noted[0], state.seen[0]):
        table[new, INVERSE] = 1.0
    note_births(state.births, state.seen[0], state.rounds[0])
    step = min(params.step * weight, HIGHEST) * label if label * score < 1.0 else 0.0
    spread = _spread(table, indices, values)
    part = 1.0 / (params.r + spread)
    for i in range(indices.size):
        j, x = Index(indices[i]), values[i]
        table[j, INVERSE] = _shrunk(table[j, INVERSE], x, spread, params.r, part)
        table[j, THETA] += step * x


@inlined
def _spread(table: Floats, indices: Ints, values: Floats) -> float:
    """The sum of a_j x_j^2."""
    total = 0.0
    for i in range(indices.size):
        total += table[Index(indices[i]), INVERSE] * (values[i] * values[i])
    return total


@inlined
def _shrunk(a: float, x: float, spread: float, r: float, part: float) -> float:
    """a - a^2 x^2 / (r + spread), given part = 1 / (r + spread).

    Written so that a large x costs no digits, and never makes it negative.
    """
    return a * ((r + (spread - a * (x * x))) * part)


kernel_table.register(DiagonalState, score=score_diagonal, update=update_diagonal)
