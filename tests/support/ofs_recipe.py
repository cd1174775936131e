"""OFS and its rivals beside their plain recipes, round by round."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

budgets = st.sampled_from([1.0, 0.7, 0.5, 0.29, 0.1, 1, 2, 3, 7])


def compare(stream, fast, plain, *, margin: float = 1.0) -> None:
    """Scores and weights must agree after every round."""
    for x, y in stream:
        before = fast.score_one(x)
        score = plain.learn(x, y)
        assert before == pytest.approx(score, rel=1e-9, abs=1e-12)
        if abs(margin - y * score) < 1e-9 and score != 0.0 and before != score:
            return  # whether there is an update hangs on the last bit, and all that follows
        fast.learn_one(x, y)
        nonzero = {name: w for name, w in plain.weights.items() if w != 0.0}
        if hangs_on_the_last_bit(nonzero, fast.weights()):
            return
        assert fast.weights() == pytest.approx(nonzero, rel=1e-9, abs=1e-12)
        assert fast.features_seen == len(plain.weights)


def hangs_on_the_last_bit(expected, found) -> bool:
    """Whether they differ in who was kept, but all that differ are of one magnitude."""
    differing = {**expected, **found}
    odd = [abs(differing[j]) for j in expected.keys() ^ found.keys()]
    return len(odd) > 0 and max(odd) - min(odd) <= 1e-9 * max(odd)
