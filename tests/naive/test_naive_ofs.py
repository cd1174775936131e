"""The plain OFS, OFS_P and rivals against numbers worked out by hand."""

import math
import random

import pytest

from tests.naive.ofs import OFS, OFSPartial, Perceptron


def test_ofs_shrinks_every_round_and_steps_within_the_margin():
    # eta = 0.5, lambda = 0.2: shrink by 0.9, radius 1/sqrt(0.2) = 2.236.
    model = OFS(step=0.5, penalty=0.2, budget=1.0)
    # Score 0 is within the margin: w = 0.5 x.
    assert model.learn({"a": 2.0, "b": -1.0}, 1) == 0.0
    assert model.weights == {"a": 1.0, "b": -0.5}
    # Score 1 is still within it: w = 0.9 w + 0.5 x.
    assert model.learn({"a": 1.0}, 1) == 1.0
    assert model.weights == pytest.approx({"a": 0.9 + 0.5, "b": -0.45})
    # Score 2.8 is beyond it: only the shrinking; c becomes known.
    assert model.learn({"a": 2.0, "c": 0.0}, 1) == pytest.approx(2.8)
    assert model.weights == pytest.approx({"a": 1.26, "b": -0.405, "c": 0.0})
    # An empty row shrinks too.
    model.learn({}, -1)
    assert model.weights == pytest.approx({"a": 1.134, "b": -0.3645, "c": 0.0})


def test_ofs_projects_then_truncates():
    # lambda = 0.25: radius 2. w = 1 * (3, 4, 0) has length 5: scaled by 0.4 to (1.2, 1.6, 0).
    # d = 3 and B = 0.4 give k = 1: b stays, as it came out of the projection, at 1.6 and not at 2.
    model = OFS(step=1.0, penalty=0.25, budget=0.4)
    model.learn({"a": 3.0, "b": 4.0, "c": 0.0}, 1)
    assert model.weights == pytest.approx({"a": 0.0, "b": 1.6, "c": 0.0})


def test_ofs_leaves_a_tie_to_the_feature_seen_first():
    model = OFS(budget=2)
    model.learn({"z": 1.0, "y": -1.0, "x": 1.0}, 1)
    assert model.weights == {"z": 0.2, "y": -0.2, "x": 0.0}


def test_ofs_without_penalty_has_no_ball():
    model = OFS(step=1.0, penalty=0.0, budget=1.0)
    model.learn({"a": 1e6}, 1)
    assert model.weights == {"a": 1e6}


def test_truncated_perceptron():
    model = Perceptron(budget=1)
    model.learn({"a": 1.0, "b": 2.0}, 1)
    assert model.weights == {"a": 0.0, "b": 2.0}
    # Right, though within the margin of OFS: nothing happens.
    assert model.learn({"b": 0.1}, 1) == pytest.approx(0.2)
    assert model.weights == {"a": 0.0, "b": 2.0}
    # Wrong: b = 2 - 1 = 1 and a = -1.5, which is larger.
    assert model.learn({"b": 1.0, "a": 1.5}, -1) == 2.0
    assert model.weights == {"a": -1.5, "b": 0.0}


def test_random_selection_draw_for_draw():
    draws = iter([0.6, 0.5, 0.9])
    model = Perceptron(budget=2, selection="random", uniform=lambda: next(draws))
    model.learn({"a": 1.0, "b": 1.0}, 1)  # d = 2 = k: no draw
    # Score 1, y = -1: b = 0, c = -2. Those with a weight are a and c, d = 3, k = 2.
    #   a: 0.6 * 3 = 1.8 < 2 kept.   c: 0.5 * 2 = 1 < 1 no, out.
    model.learn({"c": 2.0, "b": 1.0}, -1)
    assert model.weights == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert next(draws) == 0.9


def script(explores, choices):
    """Draws as told: whether each round explores, and what each draw chooses."""
    explores, choices = iter(explores), iter(choices)
    asked = []

    def choose(purpose, features, k):
        chosen = next(choices)
        asked.append((purpose, "".join(features), k))
        assert len(chosen) == k
        return set(chosen)

    return asked, {"explores": lambda t: next(explores), "choose": choose}


def test_ofs_p_explores_and_exploits():
    asked, draws = script([True, False, True], ["", "bd", "ac", ""])
    model = OFSPartial(budget=2, exploration=0.2, step=0.2, **draws)
    row = {"a": 1.0, "b": 1.0, "c": 1.0, "d": -1.0}
    # Round 1 explores: all four are new, b and d are read with chance 2/4 * 0.2 = 0.1.
    # w = 0.2 * x / 0.1.
    assert model.learn(row, 1) == 0.0
    assert model.weights == pytest.approx({"a": 0.0, "b": 2.0, "c": 0.0, "d": -2.0})
    # Round 2 exploits: b and d are read, the chance of each is 0.1 + 0.8 = 0.9. Score 2 * 0.5 = 1
    # is within the margin: b = 2 + 0.2 * 0.5 / 0.9. a is not read, large as it is.
    assert model.learn({"a": 9.0, "b": 0.5}, 1) == pytest.approx(1.0)
    assert model.read == {"b"}
    assert model.weights == pytest.approx({"a": 0.0, "b": 2.0 + 1 / 9, "c": 0.0, "d": -2.0})
    # Round 3 explores: a and c are drawn, of which the row has a, and it brings e, for which there
    # is no room. Score 0: a = -0.2 * 20 / 0.1 = -40. Then |w| = sqrt(40^2 + 2.11^2 + 2^2) = 40.106
    # is scaled to 10, and the two largest stay.
    assert model.learn({"a": 20.0, "b": 7.0, "e": 1.0}, -1) == 0.0
    assert model.read == {"a"}
    norm = math.sqrt(1600 + (2 + 1 / 9) ** 2 + 4)
    assert model.weights == pytest.approx(
        {"a": -400 / norm, "b": 10 * (2 + 1 / 9) / norm, "c": 0.0, "d": 0.0, "e": 0.0}
    )
    assert asked == [("known", "", 0), ("new", "abcd", 2), ("known", "abcd", 2), ("new", "e", 0)]


def test_ofs_p_grows_with_its_budget():
    # B = 0.5: of 2 features 1 is read; 3 new ones make 5, of which 2 may be read: 1 known, 1 new.
    asked, draws = script([True, True], ["", "a", "b", "e"])
    model = OFSPartial(budget=0.5, step=1.0, exploration=1.0, radius=math.inf, **draws)
    model.learn({"a": 1.0, "b": 1.0}, 1)
    # a with chance 1/2: w = 2.
    assert model.weights == {"a": 2.0, "b": 0.0}
    # b is read with chance 1/2, e with chance 1/3; the score is 0, as a is not read: b = -2 and
    # e = -3. Of a, b, e two stay: e, and a before b.
    assert model.learn({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0, "e": 1.0}, -1) == 0.0
    assert model.weights == pytest.approx({"a": 2.0, "b": 0.0, "c": 0.0, "d": 0.0, "e": -3.0})
    assert asked[2:] == [("known", "ab", 1), ("new", "cde", 1)]


def test_partial_perceptron_and_random_selection():
    _, draws = script([True, True, True], ["", "ab", "ab", "ac", "", "bc", "ac", ""])
    form = {"update": "perceptron", "exploration": 1.0, "step": 1.0, "radius": math.inf}
    model = OFSPartial(budget=2, selection="random", **form, **draws)
    row = {"a": 1.0, "b": 3.0, "c": 5.0}
    model.learn(row, 1)  # reads a and b, keeps a and b
    assert model.weights == {"a": 1.0, "b": 3.0, "c": 0.0}
    model.learn(row, -1)  # reads a and c: score 1, wrong: a = 0, c = -5; keeps b and c
    assert model.weights == {"a": 0.0, "b": 3.0, "c": -5.0}
    # Reads a and c: score -25, right, and as it is right no draw is made for what to keep.
    assert model.learn(row, -1) == -25.0
    assert model.weights == {"a": 0.0, "b": 3.0, "c": -5.0}


def test_the_default_draws_explore_at_their_rate_and_read_within_the_budget():
    model = OFSPartial(budget=0.3, exploration=0.2, seed=3)
    rng = random.Random(0)
    reads = []
    for _ in range(2000):
        x = {f"f{j}": rng.gauss(0, 1) for j in range(10)}
        model.learn(x, 1 if x["f3"] > 0 else -1)
        reads.append(tuple(sorted(model.read)))
        assert len(model.read) <= 3
    assert max(map(abs, model.weights.values())) == abs(model.weights["f3"])
    # Exploiting reads the same three again and again; a random three of ten is rarely those.
    exploited = sum(count for count in map(reads.count, set(reads)) if count > 20)
    assert 1500 < exploited < 1750
