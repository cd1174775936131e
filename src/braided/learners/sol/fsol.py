"""FSOL, of ``braided.learners.sol``: first-order, u = theta."""

from __future__ import annotations

from braided.learners.sol.framework import SOL

__all__ = ["FSOL"]


class FSOL(SOL):
    """First-order sparse online learning: gradients add up, a threshold cuts what is small.

    Parameters
    ----------
    step
        eta.
    penalty
        lambda: a weight is 0 until its gradients add up to more than this.
    schedule
        ``"constant"``, or ``"growing"``: the penalty is owed once, or for every round (RDA).
    clock
        ``"global"``, or ``"feature"``: a growing penalty is owed for all rounds, or only for
        those since the feature was first seen.

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
        self.check_parameters()

    def _phi(self) -> str:
        return "identity"

    def _r(self) -> float:
        return 1.0  # not used
