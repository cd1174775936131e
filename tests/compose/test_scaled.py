"""Online scaling against its plain transcription."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OCO, OLSF, InputError, OneVsRest, Scaled, as_rows, registry
from braided.compose import INTERCEPT
from tests.naive import compose as naive
from tests.support.against_naive import by_name
from tests.support.every_composite import labelled_streams, many_classes
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream

EXACT = pytest.mark.parametrize("how", ["standard", "maxabs", "unit"])
HOW = pytest.mark.parametrize("how", ["standard", "maxabs", "unit", "tfidf"])


def compare(fast, plain, stream):
    for x, y in stream:
        assert fast.score_one(x) == plain.score_one(by_name(x))
        fast.learn_one(x, y)
        plain.learn_one(by_name(x), y)


@EXACT
@pytest.mark.parametrize("intercept", [False, True])
@settings(max_examples=50)
@given(stream=labelled_streams([-1, 1]))
def test_equals_the_plain_transcription_bit_for_bit(how, intercept, stream):
    fast = Scaled(OLSF(), how=how, intercept=intercept)
    compare(fast, naive.Scaled(OLSF(), how, INTERCEPT if intercept else None), stream)


@EXACT
@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_can_be_scaled(how, name):
    stream = long_stream(seed=3, rounds=60)
    make = registry.create
    compare(Scaled(make(name), how=how), naive.Scaled(make(name), how), stream)


@EXACT
def test_many_classes_share_their_statistics(how):
    fast = Scaled(OneVsRest(OCO()), how=how, intercept=True)
    compare(fast, naive.Scaled(OneVsRest(OCO()), how, INTERCEPT), many_classes(2))


@settings(max_examples=200)
@given(stream=labelled_streams([-1, 1]), intercept=st.booleans())
def test_tfidf_equals_the_plain_transcription(stream, intercept):
    # Not bit for bit: the fast one adds up the features that are new to it.
    fast = Scaled(OCO(), how="tfidf", intercept=intercept)
    plain = naive.Scaled(OCO(), "tfidf", INTERCEPT if intercept else None)
    for x, y in stream:
        assert fast.score_one(x) == pytest.approx(plain.score_one(x), rel=1e-12, abs=1e-12)
        fast.learn_one(x, y)
        plain.learn_one(x, y)
    assert fast.weights() == pytest.approx(plain.inside.weights(), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_can_learn_from_tfidf(name):
    stream = long_stream(seed=3, rounds=60)
    fast, plain = (
        Scaled(registry.create(name), how="tfidf"),
        naive.Scaled(registry.create(name), "tfidf"),
    )
    for x, y in stream:
        assert fast.score_one(x) == pytest.approx(plain.score_one(x), rel=1e-9, abs=1e-9)
        fast.learn_one(x, y)
        plain.learn_one(x, y)


def test_tfidf_counts_rows_and_the_rows_that_have_a_feature():
    rows = [{"a": 2, "b": 1}, {"a": 0, "b": 3}, {}, {"b": 1, "c": 1}]
    model = Scaled(OCO(), how="tfidf").partial_fit(rows, [1, -1, 1, -1])
    assert model.engine.state.rows.tolist() == [4]
    assert model.engine.state.table[:3, 0].tolist() == [1, 3, 1]
    before = state_of(model)
    for x in ({"a": 9.0, "new": 1.0}, {}, {"new": 1.0}, {"b": 0.0}):
        assert model.score_one(x) == model.decision_function([x])[0]
    assert state_of(model) == before


def test_tfidf_of_all_rows_is_that_of_scikit_learn():
    text = pytest.importorskip("sklearn.feature_extraction.text")
    rng = np.random.default_rng(4)
    counts = rng.poisson(0.3, size=(80, 30)) + np.eye(80, 30)  # all features are seen
    rows = [{j: v for j, v in enumerate(row) if v} for row in counts.tolist()]
    weigher = naive.Scaled(None, "tfidf")
    for row in rows[:-1]:
        weigher.scaled(row, keep=True)
    expected = text.TfidfTransformer().fit_transform(counts)[-1].toarray()[0]
    last = weigher.scaled(rows[-1], keep=False)
    assert last == pytest.approx({j: expected[j] for j in rows[-1]}, rel=1e-12)


@pytest.mark.parametrize("how", ["standard", "maxabs"])
@settings(max_examples=50)
@given(stream=labelled_streams([-1, 1]), powers=st.lists(st.integers(-60, 60), min_size=12))
def test_a_feature_times_a_power_of_two_is_the_same_bit_for_bit(how, stream, powers):
    factor = {f"f{i}": 2.0**power for i, power in enumerate(powers)}
    larger = [({j: v * factor[j] for j, v in x.items()}, y) for x, y in stream]
    models = [Scaled(OLSF(budget=0.5), how=how, intercept=True) for _ in range(2)]
    scores = [
        model.prequential([x for x, _ in rows], [y for _, y in rows]).tolist()
        for model, rows in zip(models, (stream, larger), strict=True)
    ]
    assert scores[0] == scores[1]
    assert models[0].weights() == models[1].weights()
    assert state_of(models[0].engine.inner) == state_of(models[1].engine.inner)


def test_statistics_are_those_of_the_observed_values():
    stream = long_stream(seed=1)
    model = Scaled(OLSF()).partial_fit([x for x, _ in stream], [y for _, y in stream])
    for name, (n, mean, squares) in zip(
        model.engine.space.names, model.engine.state.table.tolist(), strict=False
    ):
        values = [x[name] for x, _ in stream if name in x]
        assert n == len(values)
        assert mean == pytest.approx(np.mean(values), rel=1e-9, abs=1e-12)
        assert squares / n == pytest.approx(np.var(values), rel=1e-9)


def test_constant_features_become_zero_and_predicting_changes_no_statistics():
    model = Scaled(OLSF())
    model.partial_fit([{"a": 3.0, "b": 1.0}, {"a": 3.0, "b": 2.0}], [1, -1])
    assert set(model.weights()) == {"b"}
    before = state_of(model)
    for x in ({"a": 9.0, "new": 1.0}, {}, {"b": -1e99}):
        assert model.score_one(x) == model.decision_function([x])[0]
    assert state_of(model) == before


@HOW
def test_extreme_but_finite_values_never_poison(how):
    rng = np.random.default_rng(0)
    model = Scaled(OLSF(), how=how, intercept=True)
    for t in range(300):
        magnitude = 10.0 ** rng.integers(-320, 100, size=4).clip(-323, 99)
        x = {f"f{rng.integers(9)}": float(m * rng.choice([-1, 1])) for m in magnitude}
        model.learn_one(x, bool(t % 2))
        assert np.isfinite(model.engine.state.table).all()
        assert all(map(math.isfinite, model.weights().values()))
        assert math.isfinite(model.score_one({"f1": 1.0, "f2": -3.0}))


@HOW
def test_rows_that_change_while_they_are_learned_do_not_poison(how):
    rows = as_rows([{"a": 1.0}, {"a": 2.0, "b": 1.0}, {"a": 4.0}], [1, -1, 1])
    rows.values[2] = np.nan  # after they were checked
    model = Scaled(OLSF(), how=how)
    with pytest.raises(InputError, match="no longer allowed"):
        model.partial_fit(rows)
    assert model.rounds == 1
    assert np.isfinite(model.engine.state.table).all()


def test_the_intercept_is_a_feature_that_is_always_one():
    model = Scaled(OLSF(), how="maxabs", intercept=True)
    model.partial_fit([{"a": 0.0}, {"a": 0.0, "(intercept)": 0.0}], [1, 1])
    assert repr(model.weights()) == "{(intercept): 0.2}"
    assert model.score_one({}) == model.weights()[INTERCEPT] == 0.2
    assert model.features_seen == 3


def test_unit_rows_have_length_one_whatever_is_known():
    stream = long_stream(seed=2, rounds=50)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    scaled = [naive.unit(x) for x in rows]
    inside, outside = Scaled(OLSF(), how="unit"), OLSF()
    assert inside.prequential(rows, labels).tolist() == outside.prequential(scaled, labels).tolist()
    assert [sum(v * v for v in x.values()) for x in scaled if x] == pytest.approx(
        [1.0] * sum(map(bool, rows))
    )
