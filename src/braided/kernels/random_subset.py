"""A random choice of k of n, asked about one at a time.

The swap-or-not shuffle (Hoang, Morris and Rogaway, "An Enciphering Scheme Based on a Card
Shuffle", CRYPTO 2012): in each round every card has a partner, and a coin decides whether the two
swap. Where a card ends is found without looking at any other, so that asking about the features of
a row takes time by the row's length alone, however many features there are, and no memory.
"""

from __future__ import annotations

import numpy as np

from braided.compiled.jit import Whole, compiled
from braided.kernels.rng import scrambled

__all__ = ["chosen", "shuffled"]

ROUNDS = 24
"""A card stays in its place with chance 2**-24 more than it should."""

_STRIDE = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@compiled
def shuffled(key: np.uint64, card: Whole, cards: Whole) -> Whole:
    """Where a card of 0, 1, ..., cards - 1 (fewer than 2**32) lies after the shuffle of a key."""
    place = np.int64(card)
    for _ in range(ROUNDS):
        key = key + _STRIDE
        word = scrambled(key)
        # The pairs of a round are those whose places add up to the same number.
        partner = np.int64(((word >> _HALF) * np.uint64(cards)) >> _HALF) - place
        if partner < 0:
            partner += cards
        coin = scrambled(word + np.uint64(max(place, partner))) >> np.uint64(63)
        place = partner if coin else place
    return place


@compiled
def chosen(key: np.uint64, card: Whole, cards: Whole, k: Whole) -> bool:
    """Whether a card is among the k that the key chooses of all; every k-subset is as likely."""
    return bool(k >= cards or (k > 0 and shuffled(key, card, cards) < k))
