"""The plain OLSF against numbers worked out by hand."""

import random

import pytest

from .olsf import OLSF


def test_steps_of_the_three_variants() -> None:
    # Row 1: score 0, loss 1, |x|^2 = 1 + 1 = 2.
    #   hard: tau = 1/2.   I, C = 0.1: min(0.1, 1/2) = 0.1.   II, C = 0.5: 1 / (2 + 1) = 1/3.
    first = {"a": 1.0, "b": 1.0}
    for variant, c, tau in (("hard", 0.1, 1 / 2), ("I", 0.1, 0.1), ("II", 0.5, 1 / 3)):
        model = OLSF(variant=variant, aggressiveness=c)
        assert model.learn(first, 1) == 0.0
        assert model.weights == pytest.approx({"a": tau, "b": tau})

    # Row 2 for hard, y = -1: score = 0.5 * 1 (c is new and adds nothing), loss = 1 + 0.5 = 1.5,
    # |x|^2 = 1 + 4 = 5 with the new feature, tau = 0.3: a = 0.5 - 0.3 = 0.2, c = -0.3 * 2 = -0.6.
    model = OLSF(variant="hard")
    model.learn(first, 1)
    assert model.learn({"a": 1.0, "c": 2.0}, -1) == 0.5
    assert model.weights == pytest.approx({"a": 0.2, "b": 0.5, "c": -0.6})
    # The margin of that row is now exactly 1: -(0.2 - 1.2) = 1.
    assert model.score({"a": 1.0, "c": 2.0}) == pytest.approx(-1.0)
    # Row 3: score 2 * 0.5 = 1, no loss, no update; z becomes seen though it is zero.
    assert model.learn({"b": 2.0, "z": 0.0}, 1) == 1.0
    assert list(model.weights) == ["a", "b", "c", "z"]
    assert model.weights == pytest.approx({"a": 0.2, "b": 0.5, "c": -0.6, "z": 0.0})
    # Row 4: the loss is 1, but there is no direction to step in.
    assert model.learn({"z": 0.0}, 1) == 0.0
    assert model.weights["z"] == 0.0


def test_projection_then_truncation_with_a_tie() -> None:
    # Perceptron, row 1: w = (b 1, a -2, c 2, e 1, z 0), |w|_1 = 6, R = 3: scaled by 1/2 to
    # (0.5, -1, 1, 0.5, 0). d = 5 (z counts), B = 0.6 gives k = 3. Four weights are non-zero; a
    # and c stay, b and e tie at 0.5 for the last place: b was seen first. The cut comes after the
    # projection, so |w|_1 ends at 2.5 and not at 3.
    model = OLSF(update="perceptron", radius=3.0, budget=0.6)
    model.learn({"b": 1.0, "a": -2.0, "c": 2.0, "e": 1.0, "z": 0.0}, 1)
    assert model.weights == {"b": 0.5, "a": -1.0, "c": 1.0, "e": 0.0, "z": 0.0}
    # Row 2, y = -1: e was seen and dropped, so the score is 0, a mistake: e = -0.5. |w|_1 = 3 is
    # not above R. b and e tie again, and again b stays.
    assert model.learn({"e": 0.5}, -1) == 0.0
    assert model.weights == {"b": 0.5, "a": -1.0, "c": 1.0, "e": 0.0, "z": 0.0}


def test_number_of_weights_kept() -> None:
    row = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    # B * 4 = 4, 3, 2 (whole: stays 2), 1.2, 0.4 (never below 1); an int is k itself.
    expected = {0.75: "bcd", 0.5: "cd", 0.3: "d", 0.1: "d"}
    for budget, kept in [*expected.items(), (1.0, "abcd"), (1, "d"), (9, "abcd")]:
        model = OLSF(budget=budget)
        model.learn(row, 1)
        assert "".join(j for j, w in model.weights.items() if w != 0.0) == kept


def test_random_selection_draw_for_draw() -> None:
    draws = iter([0.9, 0.5, 0.99, 0.6])
    model = OLSF(update="perceptron", selection="random", budget=2, uniform=lambda: next(draws))
    # Row 1: a = b = 1, d = 2 = k: no draw.
    model.learn({"a": 1.0, "b": 1.0}, 1)
    assert model.weights == {"a": 1.0, "b": 1.0}
    # Row 2: score 1, y = -1: c = -2, b = 1 - 1 = 0, so it is not held. d = 3, held a, c.
    #   a: 0.9 * 3 = 2.7 < 2 no, out.   c: 0.5 * 2 = 1 < 2 kept.
    assert model.learn({"c": 2.0, "b": 1.0}, -1) == 1.0
    assert model.weights == {"a": 0.0, "b": 0.0, "c": -2.0}
    # Row 3: score -2, y = +1: a = 1, c = -1. Held c, and a again, now last.
    #   c: 0.99 * 3 = 2.97 < 2 no, out.   a: 0.6 * 2 = 1.2 < 2 kept.
    assert model.learn({"a": 1.0, "c": 1.0}, 1) == -2.0
    assert model.weights == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert model.held == ["a"]
    assert next(draws, None) is None


def test_random_selection_keeps_each_feature_equally_often() -> None:
    # d = 5 of which z is zero, k = floor(0.4 * 5) = 2: each feature is kept with probability
    # 2/5, a pair with (2 * 1) / (5 * 4) = 1/10. Over 20000 rounds the standard deviations are
    # sqrt(0.24 / 20000) = 0.0035 and sqrt(0.09 / 20000) = 0.0021.
    rounds, uniform = 20_000, random.Random(7).random
    row = {"a": 1.0, "z": 0.0, "b": -2.0, "c": 3.0, "e": -4.0}
    kept = dict.fromkeys(row, 0)
    pairs = dict.fromkeys(("ab", "ac", "ae", "bc", "be", "ce"), 0)
    for _ in range(rounds):
        model = OLSF(selection="random", budget=0.4, uniform=uniform)
        model.learn(row, 1)
        alive = [j for j, w in model.weights.items() if w != 0.0]
        assert len(alive) in (1, 2)  # 1 when z is the other one
        for j in alive:
            kept[j] += 1
        if len(alive) == 2:
            pairs["".join(alive)] += 1
    assert kept.pop("z") == 0
    assert all(abs(count / rounds - 0.4) < 0.015 for count in kept.values())
    assert all(abs(count / rounds - 0.1) < 0.009 for count in pairs.values())
