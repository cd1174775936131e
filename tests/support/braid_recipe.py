"""Braid beside its plain recipe, score by score."""

from __future__ import annotations

import numpy as np
import pytest

from braided import Braid
from braided.kernels.rng import new_rng
from braided.learners.braid.braid import held_columns
from braided.learners.braid.held_features import first_to_join
from tests import naive
from tests.naive.interactions import Interactions


def compare(stream, seed: int = 0, learner=Braid, **parameters) -> None:
    """Scores, and the features that are held, must agree after every round."""
    fast = learner(**parameters, seed=seed)
    plain = plain_of(fast)
    for x, y in stream:
        before = fast.score_one(x)
        assert before == pytest.approx(plain.learn(x, y), rel=1e-9, abs=1e-9)
        fast.learn_one(x, y)
        if fast.budget is not None:
            assert {
                fast.engine.space.names[c] for c in np.flatnonzero(held_columns(fast.engine.state))
            } == {*plain.held}


def plain_of(learner: Braid) -> naive.braid.Braid:
    """The plain recipe with the parameters of a Braid."""
    rng, used = new_rng(learner.seed), learner.used

    def interactions(number):
        return Interactions(
            number,
            len(used.additive),
            forest=used.forest,
            pairs=used.pairs,
            seed_word=int(new_rng(learner.seed)[0]),
            most=learner.largest_forest[1:],
        )

    return naive.braid.Braid(
        label_memory=learner.label_memory,
        budget=learner.budget,
        offset=lambda now, width: first_to_join(rng, now, width),
        interactions=interactions if used.forest or used.pairs else None,
    )


BOTH_LABELS = [({"first": 1.0}, 1), ({"first": 1.0}, -1)]


def as_rows_of(stream):
    return [x for x, _ in stream], np.array([y for _, y in stream])
