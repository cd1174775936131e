"""What OFS_P reads of a row: drawn at random, or those that have a weight.

What is drawn depends on the seed, the round and the number of features known, but not on which
features a row has. So it can be said before the row is there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Whole, compiled
from braided.kernels.budget import allowed
from braided.kernels.random_subset import chosen
from braided.kernels.rng import as_uniform, word_at
from braided.kernels.top_k import NOBODY

__all__ = ["Draw", "drawn", "is_read", "keep_key"]

# The random words of a round.
EXPLORE, KNOWN, NEW, KEEP, WORDS = range(5)


class Draw(NamedTuple):
    """What is read of a row."""

    explores: bool
    known: int  # features known before the row
    of_known: int  # how many of them are drawn
    known_key: np.uint64
    new: int  # features that come with it
    of_new: int  # how many of these are drawn
    new_key: np.uint64


@compiled
def drawn(
    rng: NDArray[np.uint64],
    budget: float,
    exploration: float,
    t: Whole,
    known: Whole,
    seen: Whole,
) -> Draw:
    """What round t (from 0) reads, ``known`` features being known before it, ``seen`` after it."""
    first = WORDS * t
    of_known = allowed(budget, known) if known > 0 else 0
    return Draw(
        explores=as_uniform(word_at(rng, first + EXPLORE)) < exploration,
        known=known,
        of_known=of_known,
        known_key=word_at(rng, first + KNOWN),
        new=seen - known,
        of_new=(allowed(budget, seen) if seen > 0 else 0) - of_known,
        new_key=word_at(rng, first + NEW),
    )


@compiled
def is_read(draw: Draw, feature: Whole, slot: Whole) -> bool:
    """Whether a feature that stands in this slot is read."""
    if not draw.explores:
        return bool(slot != NOBODY)
    if feature < draw.known:
        return chosen(draw.known_key, feature, draw.known, draw.of_known)
    return chosen(draw.new_key, feature - draw.known, draw.new, draw.of_new)


@compiled
def keep_key(rng: NDArray[np.uint64], t: Whole) -> Whole:
    """What chooses the weights that round t keeps, if they are kept at random."""
    return word_at(rng, WORDS * t + KEEP)
