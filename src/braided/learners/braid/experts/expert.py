"""Expert: the kernels of one expert of Braid.

An expert is five small kernels. To score a row, ``start`` makes an empty sum, ``add`` adds a value,
and ``logit`` makes a logit of the sum. To learn the label, ``begin`` computes a step and ``learn``
makes it for each value. The numbers of a feature and of a bin are columns of ``layout.Experts``;
other numbers of the expert are a row of ``own``.

Another package adds an expert before Braid is first used::

    (WEIGHT,) = reserve_feature_columns(1)
    expert = Expert(start, add, logit, begin, learn, linear_weight=WEIGHT)
    braided.register(ExpertEntry("mine", expert, "what it does"))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Expert"]


@dataclass(frozen=True)
class Expert:
    """The kernels of one expert of Braid.

    Parameters
    ----------
    start : kernel ``(own) -> sums``
        The sums before the first value of a row.
    add : kernel ``(sums, experts, facts, value) -> sums``
        The sums with one more value.
    logit : kernel ``(sums, own, facts) -> float``
        The logit of the row.
    begin : kernel ``(own, facts, label, weight) -> step``
        The step for the label; numbers in ``own`` are updated here.
    learn : kernel ``(step, experts, value) -> None``
        Make the step for one value.
    linear_weight : int, optional
        The column of ``Experts.weights`` with the weight of a feature's value, if the expert is
        linear in it.
    intercept_spread : float, default 0
        The variance of its intercept at the beginning.
    """

    start: Callable[..., Any]
    add: Callable[..., Any]
    logit: Callable[..., float]
    begin: Callable[..., Any]
    learn: Callable[..., None]
    linear_weight: int | None = None
    intercept_spread: float = 0.0
