"""Pairs in the right order, against comparing each with each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided.evaluate.metrics.auc import halves_in_order

SCORES = {
    "different": lambda rng, n: rng.normal(size=n),
    "few values": lambda rng, n: rng.integers(-2, 3, n).astype(float),
    "all equal": lambda rng, n: np.full(n, 0.5),
    "mostly zero": lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.normal(size=n)),
    "far apart": lambda rng, n: np.exp(50 * rng.normal(size=n)),
    "not numbers": lambda rng, n: rng.choice([np.nan, np.inf, -np.inf, 0.0, 1.0], n),
    "largest": lambda rng, n: rng.choice([1.7e308, -1.7e308, 0.0, 1.0], n),
    "smallest": lambda rng, n: rng.choice([0.0, 5e-324, 1e-323], n),
    "one apart": lambda rng, n: np.append(np.zeros(n - 1), 1e300) + rng.normal(size=n),
}


def one_by_one(signs, scores):
    worst = np.where(signs > 0, -np.inf, np.inf)
    scores = np.where(np.isnan(scores), worst, scores)
    positive, negative = scores[signs > 0][:, None], scores[signs < 0]
    return int(np.sum(negative < positive) + np.sum(negative <= positive))


@pytest.mark.parametrize("kind", SCORES)
@given(rows=st.integers(1, 3000), seed=st.integers(0, 2**32), share=st.sampled_from([0.01, 0.5]))
@settings(max_examples=20, deadline=None)
def test_as_by_comparing_each_with_each(kind, rows, seed, share):
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random(rows) < share, 1.0, -1.0)
    scores = SCORES[kind](rng, rows)
    assert halves_in_order(signs, scores) == one_by_one(signs, scores)


def test_nobody():
    assert halves_in_order(np.empty(0), np.empty(0)) == 0
