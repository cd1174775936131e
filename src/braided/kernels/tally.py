"""A running sum that does not drift, however many rounds it runs (Kahan's)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from braided.kernels.compiled import Floats, compiled

__all__ = ["add_to", "new_tally"]


def new_tally() -> NDArray[np.float64]:
    """The sum of nothing: the sum itself, and what rounding has kept back from it."""
    return np.zeros(2)


@compiled
def add_to(tally: Floats, amount: float) -> None:
    """Add to the sum, ``tally[0]``."""
    owed = amount + tally[1]
    total = tally[0] + owed
    tally[1] = owed - (total - tally[0])
    tally[0] = total
