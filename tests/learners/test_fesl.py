"""FESL against a plain transcription that is told the switch, and what it must achieve."""

from __future__ import annotations

import math

import numpy as np
import pytest

from braided import FESL, OCO, InputError
from braided.streams import FactorModel, capricious, linear_switch, trapezoidal
from tests import naive
from tests.support.streams_of_rows import long_stream


def generation(names, g):
    return {name for name in names if name.startswith(f"{g}.")}


@pytest.mark.parametrize("features", [1, 6])
def test_is_the_plain_algorithm_that_is_told_the_switch(features):
    stream = linear_switch(generations=3, features=features, rounds=200, overlap=30)
    plain, fast = naive.fesl.FESL(), FESL()
    before: set = set()
    for t, (x, y) in enumerate(stream.pairs()):
        switch = t in (200, 400)
        if switch:
            plain.lose(before - set(x), set(x))
        before = set(x)
        score, guess = plain.learn(x, y, overlap=t % 200 >= 170), fast.score_one(x)
        # The first row of a switch is predicted before anybody can know of it.
        assert switch or guess == pytest.approx(score, rel=1e-7, abs=1e-9)
        fast.learn_one(x, y)
        assert fast.mixing == pytest.approx(plain.chance if plain.start else 1.0, rel=1e-7)
    assert fast.switches == 2


def accuracy_after_switches(model, rounds=2000, **stream):
    rows = next(linear_switch(rounds=rounds, **stream).blocks(10**6))
    right = model.prequential(rows) * rows.labels > 0
    return [right[start : start + 100].mean() for start in (rounds, 2 * rounds)]


@pytest.mark.parametrize("combine", ["mix", "select"])
def test_goes_on_predicting_after_a_switch(combine):
    """Where learning the new features alone gets 0.75 and 0.77."""
    ours = [accuracy_after_switches(FESL(combine=combine), seed=seed) for seed in range(20)]
    alone = [accuracy_after_switches(OCO(), seed=seed) for seed in range(20)]
    first, second = np.mean(ours, axis=0)
    assert first >= (0.93 if combine == "mix" else 0.9)
    assert second >= 0.88
    assert (np.mean(ours, axis=0) > np.mean(alone, axis=0) + 0.12).all()


def test_recovers_features_that_vanish_one_by_one():
    ours = [accuracy_after_switches(FESL(), seed=s, vanish="gradual") for s in range(10)]
    alone = [accuracy_after_switches(OCO(), seed=s, vanish="gradual") for s in range(10)]
    assert (np.mean(ours, axis=0) > np.mean(alone, axis=0) + 0.02).all()


@pytest.mark.parametrize("missing", [0.02, 0.1, 0.5, 0.9])
def test_is_oco_on_capricious_streams(missing):
    for seed in range(3):
        rows = FactorModel(features=12, seed=seed).rows(3000)
        (block,) = capricious(rows, missing=missing, seed=seed).blocks(3000)
        model = FESL()
        np.testing.assert_array_equal(model.prequential(block), OCO().prequential(block))
        assert model.switches == 0


def test_is_oco_on_trapezoidal_streams_and_on_text():
    (block,) = trapezoidal(FactorModel(features=12).rows(3000)).blocks(3000)
    np.testing.assert_array_equal(FESL().prequential(block), OCO().prequential(block))
    rows, labels = zip(*long_stream(seed=1, rounds=3000, features=500, density=0.02), strict=True)
    np.testing.assert_array_equal(
        FESL().prequential(list(rows), labels), OCO().prequential(list(rows), labels)
    )


def test_lost_features_that_return_find_their_weights():
    """A row without any old feature looks like a switch; the next one shows it was none."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300) > 0
    rows = [dict(zip("abcd", map(float, x), strict=True)) for x in X]
    model = FESL().partial_fit(rows[:200], y[:200])
    before = model.weights()
    model.learn_one({"d": 1.0}, True)
    assert model.switches == 1
    without_d = {name: w for name, w in before.items() if name != "d"}
    score = sum(w * rows[200][name] for name, w in without_d.items())
    assert model.score_one({n: v for n, v in rows[200].items() if n != "d"}) == pytest.approx(score)
    model.learn_one(rows[201], bool(y[201]))
    assert model.mixing == 1.0
    after = model.weights()
    assert all(abs(after[name] - before[name]) < 0.2 for name in "abc")


def test_chances_stay_between_zero_and_one_and_exact():
    model = FESL(combine="select", share=0.01)
    rows = next(linear_switch(generations=2, features=4, rounds=3000).blocks(10**6))
    model.partial_fit(rows)
    assert 0.0 < model.mixing < 1.0


def test_features_beyond_the_width_are_learned_as_by_oco():
    rows = next(linear_switch(generations=2, features=8, rounds=300).blocks(10**6))
    assert FESL(width=4).prequential(rows).shape == (600,)
    wide, narrow = FESL(width=64).partial_fit(rows), FESL(width=4).partial_fit(rows)
    assert narrow.memory_bytes < wide.memory_bytes


@pytest.mark.parametrize(
    "wrong",
    [{"combine": "both"}, {"step": 0}, {"ridge": -1}, {"share": 2}, {"width": 0}, {"seed": -1},
     {"schedule": "cube"}, {"step": math.inf}],
)  # fmt: skip
def test_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        FESL(**wrong).learn_one({"a": 1}, 1)


def test_a_smaller_width_watches_fewer_from_now_on():
    stream = long_stream(seed=1, rounds=60)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    model = FESL().partial_fit(rows, labels)
    before = model.weights()
    model.set_params(width=3)
    assert model.weights() == before
    assert (
        model.engine.state.generations.watched[0] == model.engine.state.generations.owner.size == 3
    )
    assert model.partial_fit(rows, labels).engine.state.generations.watched[0] <= 3
