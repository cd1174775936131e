"""The plain STG, FOBOS, Ada-FOBOS and Ada-RDA on rounds worked out by hand."""

import math

import pytest

from tests.naive.fobos import FOBOS, STG, AdaFOBOS, AdaRDA


def test_fobos() -> None:
    # eta = 1/2, lambda = 1/4: every round takes 1/8 from every weight.
    model = FOBOS(step=0.5, penalty=0.25)
    # Round 1: a 1/2 - 1/8, b -1 + 1/8.
    assert model.learn({"a": 1.0, "b": -2.0}, 1) == 0.0
    assert model.w == {"a": 0.375, "b": -0.875}
    # Round 2: score 3 * 3/8 = 9/8, no loss, but the penalty is paid, by b too.
    assert model.learn({"a": 3.0}, 1) == 1.125
    assert model.w == {"a": 0.25, "b": -0.75}
    # Rounds 3 and 4: a falls to 1/8, then to 0 exactly, and can not fall below.
    for expected in (0.125, 0.0, 0.0):
        model.learn({}, 1)
        assert model.w["a"] == expected


def test_fobos_with_decaying_steps() -> None:
    # The steps are 1, 1/sqrt(2), 1/sqrt(3); lambda = 1/4. Each round also thresholds by step/4.
    model = FOBOS(step=1.0, penalty=0.25, decay="sqrt")
    model.learn({"a": 1.0}, 1)
    assert model.w == {"a": 0.75}
    model.learn({}, 1)
    model.learn({}, 1)
    assert model.w == pytest.approx({"a": 0.75 - 0.25 / math.sqrt(2) - 0.25 / math.sqrt(3)})


def test_stg() -> None:
    # eta = 1, lambda = 1/8, K = 2: every second round takes 1/4 from weights of at most 1.
    model = STG(step=1.0, penalty=0.125, interval=2, ceiling=1.0)
    model.learn({"a": 1.0, "b": 2.0, "c": 0.125}, 1)
    assert model.w == {"a": 1.0, "b": 2.0, "c": 0.125}
    # Round 2 truncates: a is at the ceiling and moves, b is above it, c ends at 0.
    model.learn({}, 1)
    assert model.w == {"a": 0.75, "b": 2.0, "c": 0.0}
    # Round 3: score 2 - 3/8, y = -1: b = 1, at the ceiling, so that round 4 moves it; a = 1.25.
    assert model.learn({"b": 1.0, "a": -0.5}, -1) == 1.625
    assert model.w == {"a": 1.25, "b": 1.0, "c": 0.0}
    # The gradient comes before the truncation: a = 1.25 - 1 = 1/4, then 0.
    model.learn({"a": 1.0}, -1)
    assert model.w == {"a": 0.0, "b": 0.75, "c": 0.0}


def test_ada_fobos() -> None:
    # eta = 1, lambda = 1/4, delta = 1. Round 1: g = -3, H = 1 + 3 = 4: w = 3/4 - 1/16 = 11/16.
    model = AdaFOBOS(step=1.0, penalty=0.25, delta=1.0)
    model.learn({"a": 3.0}, 1)
    assert model.w == {"a": 0.6875}
    # Round 2: score 11/4, y = -1, g = 4, H = 1 + 5 = 6: w = 11/16 - 2/3, then 1/24 towards 0.
    assert model.learn({"a": 4.0}, -1) == 2.75
    assert model.w == {"a": 0.0}
    # Round 3: g = -12, H = 1 + 13: w = 12/14 - 1/56. Without a gradient H stays.
    model.learn({"a": 12.0}, 1)
    model.learn({}, 1)
    assert model.w == pytest.approx({"a": 12 / 14 - 2 / 56})


def test_ada_rda() -> None:
    # eta = 1, lambda = 1, delta = 1. Round 1: sum of g -3, H = 4: w = (3 - 1) / 4 = 1/2.
    models = {c: AdaRDA(step=1.0, penalty=1.0, delta=1.0, clock=c) for c in ("global", "feature")}
    for model in models.values():
        model.learn({"a": 3.0}, 1)
        assert model.w == {"a": 0.5}
        # Round 2: score 2, y = -1: sum of g -3 + 4 = 1, below 2 * lambda; H = 1 + 5.
        assert model.learn({"a": 4.0}, -1) == 2.0
        assert model.w == {"a": 0.0}
        # Round 3: b is born with g -4, H = 5; by the world's clock it owes 3, by its own 1.
        model.learn({"b": 4.0}, 1)
    assert models["global"].w == pytest.approx({"a": 0.0, "b": 1 / 5})
    assert models["feature"].w == pytest.approx({"a": 0.0, "b": 3 / 5})
