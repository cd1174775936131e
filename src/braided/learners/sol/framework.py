"""SOL: any learner of the framework that ``braided.learners.sol`` describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats
from braided.errors import InputError
from braided.kernels.numerics import HIGHEST, LOWEST
from braided.kernels.schedules import (
    CLOCKS,
    SCHEDULES,
    Schedule,
    births_are_sound,
    kept_births,
    merged_births,
    new_births,
    schedule,
    thresholds,
)
from braided.kernels.soft_threshold import count_beyond, hidden, raised, soft_all
from braided.learner.learner import Learner
from braided.learners.sol import diagonal, full, identity
from braided.parameters import check_between, check_choice

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = ["SOL", "SOLParameters"]


class SOL(Learner):
    """Sparse online learning with any Phi of the framework; FSOL and SSOL are its instances.

    Parameters
    ----------
    phi
        ``"identity"`` (FSOL), ``"diagonal"`` (SSOL) or ``"full"`` (SSOL with the whole matrix).
    step, penalty, schedule, clock
        see FSOL.
    r
        see SSOL.
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
        self.check_parameters()

    def _phi(self) -> str:
        return self.phi

    def _r(self) -> float:
        return self.r

    def check_parameters(self) -> None:
        check_choice("phi", self._phi(), tuple(STATES))
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
            return identity.IdentityState(*counts, births, theta=np.zeros(capacity))
        if self._phi() == "diagonal":
            return diagonal.DiagonalState(*counts, births, table=np.zeros((capacity, 2)))
        return full.fresh_state(*counts, births, capacity)

    def adapted(self, state: Any, before: Any) -> Any:
        births = kept_births(state.births, self.kernel_parameters().threshold)
        return state._replace(births=births)

    def merged_state(self, state: Any, weights: Floats, parts: list[Part]) -> Any:
        births = merged_births(state.births, int(state.seen[0]), parts)
        rounds, threshold = int(state.rounds[0]), self.kernel_parameters().threshold
        share = np.sum(
            [p.share * p.side * p.spread(p.algorithm.hidden(p.state)) for p in parts], axis=0
        )
        u = raised(weights, thresholds(threshold, rounds, births), share)
        if isinstance(state, identity.IdentityState):
            return state._replace(births=births, theta=u)
        # A adds up: it begins as I in each model, so that all but one I are taken off.
        a = sum(1.0 / part.spread(diagonal.inverse(part.state), elsewhere=1.0) for part in parts)
        inverse = np.where(np.arange(u.size) < state.seen[0], 1.0 / (a - (len(parts) - 1)), 0.0)
        theta = np.divide(u, inverse, out=np.zeros_like(u), where=inverse > 0.0)
        return state._replace(births=births, table=np.column_stack((theta, inverse)))

    def _thresholds(self, state: Any) -> Any:
        """lambda_t: of all features, or of each if each has its own clock."""
        return thresholds(self.kernel_parameters().threshold, state.rounds[0], state.births)

    def hidden(self, state: Any) -> NDArray[np.float64]:
        """What the threshold hides of u, by feature."""
        return hidden(_gradient_of_conjugate(state), self._thresholds(state))

    @property
    def is_mergeable(self) -> bool:
        return self._phi() != "full"

    def is_sound(self, state: Any, capacity: int) -> bool:
        return births_are_sound(state.births, int(state.seen[0]), int(state.rounds[0]))

    @property
    def most_features(self) -> int | None:
        return full.MOST_FEATURES if self._phi() == "full" else None

    def linear_weights(self, state: Any) -> NDArray[np.float64]:
        return soft_all(_gradient_of_conjugate(state), self._thresholds(state))

    def count_kept(self, state: Any, seen: int) -> int:
        threshold = np.asarray(self._thresholds(state))
        threshold = threshold[:seen] if threshold.ndim else threshold
        return count_beyond(_gradient_of_conjugate(state)[:seen], threshold)


class SOLParameters(NamedTuple):
    """The parameters as the kernels see them."""

    step: float
    r: float
    threshold: Schedule


STATES: dict[str, Any] = {
    "identity": identity.IdentityState,
    "diagonal": diagonal.DiagonalState,
    "full": full.FullState,
}


def _gradient_of_conjugate(state: Any) -> NDArray[np.float64]:
    """u = grad Phi*(theta) of every feature."""
    if isinstance(state, identity.IdentityState):
        return state.theta
    if isinstance(state, diagonal.DiagonalState):
        return diagonal.gradient_of_conjugate(state)
    return full.gradient_of_conjugate(state)
