"""The roots of H: by feature, sqrt(sum of g^2).

The root is stored rather than the sum: it is what every reading needs. Both learners have it in a
table of two columns, since what is used together should lie side by side, for the cache's sake.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import inlined

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = ["ROOT", "grown", "merged_roots"]

ROOT = 1
"""The column of the table; column 0 is what the weight is made of."""


@inlined
def grown(root: float, gradient: float) -> float:
    """The root when one more gradient is among those it is of."""
    return math.sqrt(root * root + gradient * gradient)


def merged_roots(parts: list[Part]) -> NDArray[np.float64]:
    """The sums of squared gradients add up."""
    roots = [part.spread(part.state.table[:, ROOT]) for part in parts]
    return roots[0] if len(roots) == 1 else np.hypot(*roots)
