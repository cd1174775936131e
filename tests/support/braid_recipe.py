"""Braid beside its plain recipe, score by score."""

from __future__ import annotations

import numpy as np
import pytest

from braided import Braid
from braided.kernels.rng import new_rng
from braided.learners.braid.braid import held_columns
from braided.learners.braid.held_features import first_to_join
from tests import naive


def compare(stream, seed: int = 0, learner=Braid, **parameters) -> None:
    """Scores, and the features that are held, must agree after every round."""
    rng = new_rng(seed)
    plain = naive.braid.Braid(
        **parameters, offset=lambda now, width: first_to_join(rng, now, width)
    )
    fast = learner(**parameters, seed=seed)
    for x, y in stream:
        before = fast.score_one(x)
        assert before == pytest.approx(plain.learn(x, y), rel=1e-9, abs=1e-9)
        fast.learn_one(x, y)
        if fast.budget is not None:
            assert {
                fast.engine.space.names[c] for c in np.flatnonzero(held_columns(fast.engine.state))
            } == {*plain.held}


BOTH_LABELS = [({"first": 1.0}, 1), ({"first": 1.0}, -1)]


def as_rows_of(stream):
    return [x for x, _ in stream], np.array([y for _, y in stream])
