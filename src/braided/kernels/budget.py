"""The budget rule: how many features may be kept, a number (int) or a share of those seen (float).

Which ones are kept is decided in ``top_k.py``.
"""

from __future__ import annotations

import math
import numbers

from braided.compiled.jit import compiled

__all__ = ["allowed", "budget_as_number", "limit_of", "room_for"]


def budget_as_number(budget: float) -> float:
    """The budget as kernels see it: a share as it is, a number of features negated."""
    return -float(budget) if isinstance(budget, numbers.Integral) else float(budget)


def limit_of(budget: float) -> float | None:
    """The same, but None if all features may be kept.

    None is a type of its own: kernels are compiled without what only a budget needs, which takes
    less than half of the time.
    """
    limit = budget_as_number(budget)
    return None if limit == 1.0 else limit


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
