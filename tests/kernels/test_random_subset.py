"""A random choice of k of n, asked about one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from braided.kernels.random_subset import chosen, shuffled


@pytest.mark.parametrize("cards", [1, 2, 3, 10, 97])
def test_shuffled_is_a_permutation(cards):
    for key in range(20):
        places = [shuffled(np.uint64(key), card, cards) for card in range(cards)]
        assert sorted(places) == list(range(cards))


def test_every_subset_is_equally_likely():
    """All 10 pairs of 5 cards, by chi-squared with 9 degrees of freedom (99.99 %: 33.7)."""
    counts: dict[tuple[int, ...], int] = {}
    for key in range(20_000):
        word = np.uint64(key << 40)
        pair = tuple(card for card in range(5) if chosen(word, card, 5, 2))
        counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == 10
    assert sum((count - 2000) ** 2 / 2000 for count in counts.values()) < 33.7
