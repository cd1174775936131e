"""A fast learner beside its plain transcription, round by round."""

from __future__ import annotations

import pytest


def by_name(x):
    """The row as models take it: in the order of names, whatever the order of its keys."""
    return dict(sorted(x.items()))


def compare(stream, fast, plain, *, exact: bool = False, weights: bool = True) -> None:
    """Scores and weights must agree after every round; ``exact``: to the last bit."""
    for x, y in stream:
        before = fast.score_one(x)
        score = plain.learn(by_name(x), y)
        if not exact and abs(1 - y * score) < 1e-9:
            return  # whether there is a loss hangs on the last bit, and all that follows on that
        fast.learn_one(x, y)
        if exact:
            assert before == score
            assert fast.weights() == {j: w for j, w in plain.weights().items() if w != 0.0}
        else:
            assert before == pytest.approx(score, rel=1e-9, abs=1e-12)
            if weights:
                found = {**dict.fromkeys(plain.weights(), 0.0), **fast.weights()}
                assert found == pytest.approx(plain.weights(), rel=1e-9, abs=1e-12)
        assert fast.features_seen == len(plain.weights())
