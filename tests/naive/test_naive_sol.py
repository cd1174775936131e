"""The plain SOL on rounds worked out by hand."""

import numpy as np
import pytest

from tests.naive.sol import SOL, soft


def test_soft_threshold() -> None:
    assert [soft(v, 1.0) for v in (3.0, 1.0, 0.5, 0.0, -1.0, -1.5)] == [2.0, 0, 0, 0, 0, -0.5]


def test_first_order_with_a_constant_threshold() -> None:
    # eta = 1/2, lambda = 1/2: the threshold is 1/4 in all rounds.
    model = SOL(phi="identity", step=0.5, penalty=0.5)
    # Round 1: score 0, loss 1: theta = (a 1/2, b -1), w = (1/4, -3/4).
    assert model.learn({"a": 1.0, "b": -2.0}, 1) == 0.0
    assert model.theta == {"a": 0.5, "b": -1.0}
    assert model.weights() == {"a": 0.25, "b": -0.75}
    # Round 2: 4 * 1/4 = 1: the margin is exactly 1, no loss; c is seen.
    assert model.learn({"a": 4.0, "c": 1.0}, 1) == 1.0
    assert model.theta == {"a": 0.5, "b": -1.0, "c": 0.0}
    # Round 3: score -3/4, y = +1, loss: b = -1 + 1/2 = -1/2; c = 1/8, below the threshold.
    assert model.learn({"b": 1.0, "c": 0.25}, 1) == -0.75
    assert model.weights() == {"a": 0.25, "b": -0.25, "c": 0.0}


def test_growing_thresholds_and_clocks() -> None:
    # eta = 1, lambda = 1/4: after n rounds 1/4 is owed for each.
    models = {c: SOL(phi="identity", step=1.0, penalty=0.25, schedule="growing", clock=c)
              for c in ("global", "feature")}  # fmt: skip
    for model in models.values():
        # Round 1: theta = a 1, owed 1/4. Round 2: score 3/4, loss 1/4: a 2, owed 1/2.
        model.learn({"a": 1.0}, 1)
        assert model.weights() == {"a": 0.75}
        assert model.learn({"a": 1.0}, 1) == 0.75
        assert model.weights() == {"a": 1.5}
        # Round 3: b is born with theta 1.
        model.learn({"b": 1.0}, 1)
    # By the world's clock both owe 3/4; by its own b owes for round 3 alone.
    assert models["global"].weights() == {"a": 1.25, "b": 0.25}
    assert models["feature"].weights() == {"a": 1.25, "b": 0.75}


def test_diagonal_second_order() -> None:
    # r = 2. Round 1: x = (a 1, b 1) is unknown, score 0, loss 1. a_j = 1, the spread is 2:
    # a_j = 1 - 1/(2 + 2) = 3/4; theta = 1 each (eta = 1), u = 3/4, w = 3/4 - 1/4 = 1/2.
    model = SOL(phi="diagonal", step=1.0, penalty=0.25, r=2.0)
    assert model.learn({"a": 1.0, "b": 1.0}, 1) == 0.0
    assert model.inverse == {"a": 0.75, "b": 0.75}
    assert model.weights() == {"a": 0.5, "b": 0.5}
    # Round 2, {a 2, c 1}. To predict, c is not there: the spread is 3/4 * 4 = 3,
    # a_a = 3/4 - (9/16 * 4) / (2 + 3) = 3/4 - 9/20 = 3/10, w_a = 3/10 - 1/4 = 1/20, score 1/10.
    # To learn, c counts: the spread is 3 + 1 = 4, a_a = 3/4 - (9/4) / 6 = 3/8, a_c = 1 - 1/6 = 5/6.
    # y = -1: the loss is positive; theta_a = 1 - 2 = -1, theta_c = -1.
    assert model.learn({"a": 2.0, "c": 1.0}, -1) == pytest.approx(0.1)
    assert model.inverse == pytest.approx({"a": 3 / 8, "b": 3 / 4, "c": 5 / 6})
    assert model.weights() == pytest.approx({"a": -1 / 8, "b": 1 / 2, "c": -7 / 12})


def test_full_second_order() -> None:
    # r = 1, x = (1, 1): A = [[2, 1], [1, 2]], A^-1 = [[2, -1], [-1, 2]] / 3, theta = (1, 1):
    # u = (1/3, 1/3), threshold 1/12: w = (1/4, 1/4).
    model = SOL(phi="full", step=1.0, penalty=1 / 12, r=1.0)
    model.learn({"a": 1.0, "b": 1.0}, 1)
    np.testing.assert_allclose(model.matrix, [[2, 1], [1, 2]])
    assert model.weights() == pytest.approx({"a": 0.25, "b": 0.25})
    # Round 2, x = a 1: A = [[3, 1], [1, 2]], det 5, A^-1 = [[2, -1], [-1, 3]] / 5,
    # u = (1/5, 2/5): the score is 1/5 - 1/12 = 7/60.
    assert model.learn({"a": 1.0}, -1) == pytest.approx(7 / 60)
    # theta = (0, 1): u = (-1/5, 3/5).
    assert model.weights() == pytest.approx({"a": -1 / 5 + 1 / 12, "b": 3 / 5 - 1 / 12})
