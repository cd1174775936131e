"""The table of experts: one record for each, in the order in which a Braid keeps them.

An expert is five small kernels. To score a row, ``start`` makes an empty sum, ``add`` takes in a
value, and ``logit`` makes a logit of the sum. To learn the label, ``begin`` decides on a step and
``learn`` makes it with each value. What it keeps for a feature and for a bin are columns of
``layout.Experts``; what it keeps of itself is a row of ``own``.

Another package adds an expert with ``register``, before Braid is first used::

    WEIGHT, = reserve_feature_columns(1)
    register(Expert("mine", start, add, logit, begin, learn, linear_weight=WEIGHT))
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from braided.compiled.jit import include_source
from braided.errors import InputError

__all__ = ["Expert", "experts", "register"]

RUNNING = "braided.learners.braid.experts.running"
"""The module that makes one kernel of all experts: from then on the table is settled."""


@dataclass(frozen=True)
class Expert:
    """One expert of a Braid.

    Parameters
    ----------
    name : str
        Its name, as ``Braid.experts`` shows it.
    start : kernel ``(own) -> sums``
        The sums before the first value of a row.
    add : kernel ``(sums, experts, facts, value) -> sums``
        The sums with one more value.
    logit : kernel ``(sums, own, facts) -> float``
        The logit of the row.
    begin : kernel ``(own, facts, label, weight) -> step``
        The step that the label asks for; what the expert keeps of itself moves at once.
    learn : kernel ``(step, experts, value) -> None``
        Make the step with one value.
    linear_weight : int, optional
        The column of ``Experts.weights`` that holds the weight of a feature's value, if the expert
        is linear in it.
    intercept_spread : float, default 0
        The variance that its intercept begins with.
    """

    name: str
    start: Callable[..., Any]
    add: Callable[..., Any]
    logit: Callable[..., float]
    begin: Callable[..., Any]
    learn: Callable[..., None]
    linear_weight: int | None = None
    intercept_spread: float = 0.0


_ADDED: list[Expert] = []


def register(expert: Expert) -> None:
    """Add an expert to every Braid of this process.

    Parameters
    ----------
    expert : Expert
        Its record.

    Raises
    ------
    InputError
        If the name is taken, or Braid was used already.
    """
    if RUNNING in sys.modules:
        raise InputError(
            f"expert {expert.name!r} comes too late: register it before Braid is first used"
        )
    if expert.name in [known.name for known in experts()]:
        raise InputError(f"there is an expert {expert.name!r} already")
    include_source(inspect.getfile(expert.add.py_func))  # type: ignore[attr-defined]
    _ADDED.append(expert)


def experts() -> tuple[Expert, ...]:
    """All experts: those of the package, then those that were added."""
    from braided.learners.braid.experts import (
        arow,
        bayes,
        binned_adagrad,
        binned_bayes,
        naive_bayes,
        ratio_adagrad,
    )

    return (
        ratio_adagrad.EXPERT,
        bayes.EXPERT,
        arow.EXPERT,
        binned_bayes.EXPERT,
        binned_adagrad.EXPERT,
        naive_bayes.EXPERT,
        *_ADDED,
    )
