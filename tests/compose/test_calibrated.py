"""Probabilities by online Platt scaling, against their plain transcription."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import braided
from braided import (
    FSOL,
    OCO,
    OFS,
    OLSF,
    Braid,
    Calibrated,
    InputError,
    OneVsOne,
    OneVsRest,
    PseudoLabel,
    Scaled,
    as_rows,
    registry,
    streams,
)
from braided.compose import with_probabilities
from braided.evaluate import holdout, prequential
from braided.learner import platt
from tests.naive import compose as naive
from tests.support.every_composite import labelled_streams, many_classes
from tests.support.forge import contents, forge
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream

FEW = st.floats(-3, 3).map(lambda value: round(value, 2))


@settings(max_examples=100)
@given(stream=labelled_streams([False, True], values=FEW))
def test_equals_the_plain_transcription(stream):
    fast, plain = Calibrated(OLSF()), naive.Calibrated(OLSF())
    fast.partial_fit([], [], classes=[False, True])
    for x, y in stream:
        assert fast.score_one(x) == plain.score_one(x)
        assert fast.predict_proba_one(x)[True] == pytest.approx(
            plain.predict_proba_one(x), rel=1e-12, abs=1e-12
        )
        fast.learn_one(x, y)
        plain.learn_one(x, y)


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne])
def test_many_classes_equal_the_plain_transcription(make):
    fast, plain = Calibrated(make(OLSF())), naive.CalibratedClasses(make(OLSF()))
    for x, y in many_classes(seed=4):
        assert fast.predict_proba_one(x) == pytest.approx(plain.predict_proba_one(x), rel=1e-12)
        fast.learn_one(x, y)
        plain.learn_one(x, y)
    assert sum(fast.predict_proba_one({"f1": 1.0}).values()) == pytest.approx(1.0)


@given(
    rounds=st.lists(
        st.tuples(st.floats(-9, 9), st.booleans(), st.sampled_from([1e-6, 0.5, 1.0, 7.0, 1e3])),
        min_size=1,
        max_size=40,
    )
)
def test_weights_equal_the_plain_transcription(rounds):
    table, plain = platt.new_table(), naive.Platt()
    for score, y, weight in rounds:
        plain.learn(score, y, weight)
        sign = np.array([1.0 if y else -1.0])
        platt.learn_scores(table, sign, np.array([[score]]), np.array([weight]), False)
        for s in (-3.0, score):
            found = platt.log_odds(table, np.array([[s]]))[0, 0]
            assert found == pytest.approx(plain.log_odds(s), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_scores_labels_and_weights_are_those_of_the_learner_inside(name):
    stream = long_stream(seed=3, rounds=150)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    inside = registry.create(name)
    if inside.has_probabilities:
        with pytest.raises(InputError, match="has probabilities already"):
            Calibrated(inside).learn_one({"a": 1}, 1)
        assert with_probabilities(inside) is inside
        return
    model = with_probabilities(inside)
    expected = inside.prequential(rows, labels)
    assert model.prequential(rows, labels).tolist() == expected.tolist()
    assert model.weights() == inside.weights()
    assert model.predict(rows).tolist() == inside.predict(rows).tolist()
    chances = model.predict_proba(rows)
    assert chances.shape == (150, 2)
    assert ((chances >= 0) & (chances <= 1)).all()
    order = np.argsort(inside.decision_function(rows), kind="stable")
    assert (np.diff(chances[order, 1]) >= 0).all()
    one = model.predict_proba_one(rows[0])
    assert list(one.values()) == chances[0].tolist()


@pytest.mark.parametrize("power", [-300, -40, 40, 140])
def test_the_unit_of_scores_does_not_matter(power):
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], size=300)
    scores = signs + rng.normal(size=300)
    first = platt.prequential_odds(platt.new_table(), signs, scores, 0)
    other = platt.prequential_odds(platt.new_table(), signs, 2.0**power * scores, 0)
    assert first.tolist() == other.tolist()


def test_the_two_labels_are_treated_alike():
    rng = np.random.default_rng(1)
    signs, scores = rng.choice([-1.0, 1.0], size=200), rng.normal(size=200)
    first = platt.prequential_odds(platt.new_table(), signs, scores, 3)
    other = platt.prequential_odds(platt.new_table(), -signs, -scores, 3)
    assert first.tolist() == (-other).tolist()


def test_noise_makes_no_slope_negative():
    rng = np.random.default_rng(2)
    table = platt.new_table()
    for _ in range(500):  # scores that are wrong more often than right
        sign = rng.choice([-1.0, 1.0], size=1)
        score = -0.3 * sign[:, None] + rng.normal(size=(1, 1))
        platt.learn_scores(table, sign, score, np.ones(1), False)
        assert table[0, platt.SLOPE] >= platt.LEAST_SLOPE
    low, high = platt.log_odds(table, np.array([[-1.0], [1.0]]))
    assert low < high < low + 0.1


def test_it_learns_the_right_probabilities_and_forgets_what_scores_once_meant():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=20_000) * 50
    signs = np.where(rng.random(20_000) < 1 / (1 + np.exp(-(0.04 * scores - 1))), 1.0, -1.0)
    table = platt.new_table()
    platt.prequential_odds(table, signs, scores, 0)
    found = platt.log_odds(table, np.array([[0.0], [50.0]]))[:, 0]
    assert found == pytest.approx([-1.0, 1.0], abs=0.3)
    platt.prequential_odds(table, -signs, scores, 0)
    found = platt.log_odds(table, np.array([[0.0], [50.0]]))[:, 0]
    assert found == pytest.approx([0.7, 0.7], abs=0.1)  # the slope would be negative


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 1e200, -1e200, 5e-324, 0.0])
@pytest.mark.parametrize("weight", [1e-12, 1.0, 1e9])
def test_no_score_poisons(score, weight):
    table = platt.new_table()
    for sign in (1.0, -1.0, 1.0, 1.0):
        for s in (score, 1.0):
            given = np.array([sign]), np.array([[s]]), np.array([weight])
            platt.learn_scores(table, *given, False)
    assert np.isfinite(table).all()
    assert platt.are_sound(table)
    assert not math.isnan(platt.log_odds(table, np.array([[score]]))[0, 0])


def test_one_label_many_times_with_the_largest_weight():
    model = Calibrated(OLSF())
    for t in range(300):
        model.partial_fit([{"a": 1.0}], [t % 100 == 0], sample_weight=[1e9])
        assert platt.are_sound(model.engine.state.table)
        assert np.isfinite(model.engine.state.table).all()


def test_a_row_that_was_refused_is_not_learned():
    model = Calibrated(Scaled(OLSF()))
    model.partial_fit([{"a": 1.0}, {"a": -1.0}], [1, 0])
    before = state_of(model)
    for wrong in ({"a": math.inf}, {"a": b"x"}, {"a": 1e101}):
        with pytest.raises(InputError):
            model.learn_one(wrong, 1)
    with pytest.raises(InputError):
        model.learn_one({"a": 1.0}, 2)
    assert state_of(model) == before


def test_labels_that_were_filled_in_do_not_count():
    model = Calibrated(PseudoLabel(OLSF(), confidence=0.01))
    model.partial_fit([{"a": 1.0}, {"a": -1.0}], [1, 0])
    before = model.engine.state.table.copy()
    model.partial_fit([{"a": 1.0}] * 3, [None] * 3)
    model.learn_one({"a": -1.0}, None)
    assert model.rounds == 6
    assert model.engine.state.table.tolist() == before.tolist()


def test_it_is_always_the_outermost():
    for make in (Scaled, OneVsRest, OneVsOne, PseudoLabel):
        with pytest.raises(InputError, match=rf"write Calibrated\({make.__name__}\(...\)\)"):
            make(Calibrated(OLSF())).learn_one({"a": 1}, 1)
    for wrong in (Calibrated(OLSF()), Braid(), Scaled(OCO()), OneVsRest(Braid())):
        with pytest.raises(InputError, match="has probabilities already"):
            Calibrated(wrong).learn_one({"a": 1}, 1)
    with pytest.raises(InputError, match="is made of a learner"):
        Calibrated(3).learn_one({"a": 1}, 1)
    assert Calibrated(OneVsOne(Braid())).has_probabilities
    with pytest.raises(AttributeError, match=r"braided\.Calibrated around it has"):
        _ = OLSF().predict_proba


# ------------------------------------------------------------------------- evaluation


@pytest.mark.parametrize("learner", [OLSF, OFS, FSOL])
def test_the_log_loss_of_any_learner_is_that_of_calibrated(learner):
    stream = long_stream(seed=5, rounds=200)
    rows, labels = as_rows([x for x, _ in stream]), np.array([y for _, y in stream])
    result = prequential(learner(), streams.given(rows, labels))
    model, chances = Calibrated(learner()), []
    for x, y in stream:
        chances.append(model.predict_proba_one(x).get(1, 0.5))
        model.learn_one(x, y)
    later = slice(result.signs.tolist().index(-result.signs[0]) + 1, None)  # both are known
    assert result.probabilities[later] == pytest.approx(np.array(chances)[later], rel=1e-12)
    assert result.metric("log_loss") == pytest.approx(result.curve("log_loss")[-1])
    assert 0 < result.reliability().calibration_error < 1


def test_asking_for_the_log_loss_changes_nothing_else():
    german = braided.datasets.load("german")
    stream = streams.fixed(german.X, german.y, seed=1)
    plain, asked = (prequential(OLSF(), stream, metrics=m) for m in (["auc"], ["auc", "log_loss"]))
    assert plain.scores.tolist() == asked.scores.tolist()
    assert plain.metric_values["auc"] == asked.metric_values["auc"]
    assert asked.metric_values["log_loss"] < 0.63


def test_labels_that_come_late_are_calibrated_late():
    rng = np.random.default_rng(6)
    rows = [{"a": float(v)} for v in rng.normal(size=60)]
    stream = streams.given(rows, rng.integers(2, size=60))
    result = prequential(OLSF(), stream, delay=60)
    assert result.odds.tolist() == (platt.LEAST_SLOPE * 0.0 * result.scores).tolist()
    assert prequential(OLSF(), stream, delay=5).metric("log_loss") > 0.5


def test_a_holdout_is_calibrated_by_the_rounds_that_were_learned():
    splice = braided.datasets.load("splice")
    result = holdout(OLSF(), streams.fixed(splice.X, splice.y), share=0.8)
    assert result.metric("log_loss") < 0.3
    model = Calibrated(OLSF())
    again = streams.fixed(splice.X, splice.y).materialized()
    model.partial_fit(again.rows[:2552])
    chances = model.predict_proba(again.rows[2552:])[:, 1]
    assert result.probabilities == pytest.approx(chances, rel=1e-12)
    assert all(not base.has_probabilities for base in result.baselines.values())


# ------------------------------------------------------------------------------ files


@pytest.mark.parametrize(
    ("column", "wrong"),
    [
        (platt.SLOPE, 0.0), (platt.SLOPE, -1.0), (platt.SLOPE, math.nan), (platt.MASS, 0.0),
        (platt.SPREAD, -1.0), (platt.COUNT, -1.0), (platt.MAGNITUDE, -1.0), (platt.ROWS, -1.0),
        (platt.OFFSET, 1e200), (platt.CENTRE, -math.inf),
    ],
)  # fmt: skip
def test_scalings_that_would_poison_a_model_are_refused(column, wrong, tmp_path):
    path = tmp_path / "m.braided"
    Calibrated(OLSF()).partial_fit([{"a": 1.0}, {"a": 2.0}], [0, 1]).save(path)
    texts, told, arrays = contents(path)
    arrays["state.table"][0, column] = wrong
    forge(path, texts, told, arrays)
    with pytest.raises(braided.ModelFileError):
        braided.load(path)


def test_a_file_has_no_more_scalings_than_classes(tmp_path):
    path = tmp_path / "m.braided"
    Calibrated(OneVsRest(OLSF())).partial_fit([{"a": 1.0}] * 3, ["x", "y", "z"]).save(path)
    texts, told, arrays = contents(path)
    arrays["state.table"] = np.repeat(arrays["state.table"], 2, axis=0)
    forge(path, texts, told, arrays)
    with pytest.raises(braided.ModelFileError):
        braided.load(path)
