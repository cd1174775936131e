"""A frozen model on the rounds that it did not learn."""

from __future__ import annotations

import numpy as np
import pytest

from braided import OLSF, InputError, streams
from braided.evaluate import holdout

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
Y = np.where(X[:, 0] > 0, "yes", "no")


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_holdout_learns_then_predicts(block):
    stream = streams.fixed(X, Y, seed=3)
    result = holdout(OLSF(), stream, share=0.6, block=block)
    (rows,) = stream.blocks(300)
    model = OLSF().partial_fit(rows[:180])
    scores = model.decision_function(rows[180:])
    assert result.scores.tolist() == scores.tolist()
    assert result.mistakes == np.count_nonzero(model.predict(rows[180:]) != rows.labels[180:])
    assert result.rounds == 120


def test_share_is_checked():
    with pytest.raises(InputError, match="share"):
        holdout(OLSF(), streams.given(X, Y), share=1.5)


def test_baselines_are_frozen_and_unlabelled_rows_left_out():
    labels = np.array(["a", "b", "b", None, "a", "b", None, "b"], dtype=object)
    model = OLSF()
    result = holdout(model, streams.given([{"x": 1.0}] * 8, labels), share=0.5)
    assert (model.rounds, result.rounds, result.unlabelled) == (3, 4, 1)
    assert result.baselines["majority class"].scores.tolist() == [1.0] * 4
    assert result.baselines["last label"].error_rate == pytest.approx(1 / 3)


def test_a_label_that_only_the_test_rounds_have():
    stream = streams.given([{"x": 1.0}] * 4, ["a", "a", "b", "a"])
    for block in (1, 4):
        assert holdout(OLSF(), stream, block=block).mistakes == 1
