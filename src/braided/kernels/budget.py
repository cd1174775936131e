"""The budget rule: how many features may be kept, a number (int) or a share of those seen (float).

Which ones are kept is decided in ``top_k.py``.
"""

from __future__ import annotations

import math
import numbers

from braided.compiled.jit import compiled
from braided.errors import InputError
from braided.parameters import as_float

__all__ = ["allowed", "budget_as_number", "check_budget", "room_for"]


def check_budget(budget: object) -> None:
    """Refuse what is neither an int of at least 1 nor a float above 0 and at most 1."""
    number, whole = as_float(budget), isinstance(budget, numbers.Integral)
    if number is not None and (number >= 1 if whole else 0 < number <= 1):
        return
    raise InputError(
        f"budget={budget!r} is not allowed: an int of at least 1 is a number of features, "
        "a float above 0 and at most 1.0 a share of the features seen"
    )


def budget_as_number(budget: float) -> float:
    """The budget as kernels see it: a share as it is, a number of features negated."""
    return -float(budget) if isinstance(budget, numbers.Integral) else float(budget)


def room_for(budget: float, capacity: int) -> int:
    """The most features that the budget can allow among ``capacity``."""
    if isinstance(budget, numbers.Integral):
        return min(int(budget), capacity)
    share = float(budget)  # as kernels see it: an exact fraction may round up
    return max(1, math.floor(share * capacity)) if share < 1 else 0


@compiled
def allowed(budget: float, seen: int) -> int:
    """How many features the budget (as kernels see it) allows when ``seen`` were seen."""
    if budget < 0:
        return int(min(-budget, max(1, seen)))
    return max(1, math.floor(budget * seen))
