"""SSOL, of ``braided.learners.sol``: second-order, u = a theta or A^-1 theta."""

from __future__ import annotations

from braided.learners.sol.framework import SOL
from braided.parameters import check_choice

__all__ = ["SSOL"]


class SSOL(SOL):
    """Second-order sparse online learning: features that vary much or often move less.

    Parameters
    ----------
    covariance
        ``"diagonal"``, or ``"full"``: for spaces of at most 1024 features, O(d^2) a row.
    r
        r: how much rows have to add up before they weigh on a feature's share.
    step, penalty, schedule, clock
        see FSOL.

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
        self.check_parameters()

    def check_parameters(self) -> None:
        check_choice("covariance", self.covariance, ("diagonal", "full"))
        super().check_parameters()

    def _phi(self) -> str:
        return self.covariance
