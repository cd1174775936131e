"""OCO against gradient descent written plainly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OCO, InputError
from tests import naive
from tests.support.streams_of_rows import any_values, long_stream, streams

forms = st.fixed_dictionaries(
    {
        "step": st.sampled_from([0.1, 1.0, 8.0]),
        "schedule": st.sampled_from(["constant", "sqrt", "adaptive"]),
        "intercept": st.booleans(),
    }
)


def compare(stream, **form) -> None:
    plain, fast = naive.oco.OCO(**form), OCO(**form)
    for x, y in stream:
        before = fast.score_one(x)
        assert before == pytest.approx(plain.learn(x, y), rel=1e-9, abs=1e-12)
        fast.learn_one(x, y)
    nonzero = {name: w for name, w in plain.weights.items() if w != 0.0}
    assert fast.weights() == pytest.approx(nonzero, rel=1e-9, abs=1e-12)


@given(streams(any_values), forms)
def test_is_gradient_descent(stream, form):
    compare([({"first": 1.0}, 1), ({"first": 1.0}, -1), *stream], **form)


@pytest.mark.parametrize("schedule", ["constant", "sqrt", "adaptive"])
@pytest.mark.parametrize("intercept", [False, True])
def test_is_gradient_descent_on_a_long_stream(schedule, intercept):
    compare(long_stream(seed=7), schedule=schedule, intercept=intercept)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_adaptive_steps_do_not_depend_on_the_length_of_rows(scale):
    """In other units a score moves as before in the first round, and nothing ever bursts."""
    stream = [({n: v * scale for n, v in x.items()}, y) for x, y in long_stream(seed=3)]
    small, model = OCO(schedule="adaptive"), OCO(schedule="adaptive")
    small.learn_one({"a": 3.0, "b": 4.0}, 1)
    model.learn_one({"a": 3.0 * scale, "b": 4.0 * scale}, 1)
    assert model.weights() == pytest.approx(small.weights())
    scores = model.prequential([x for x, _ in stream], [y for _, y in stream])
    assert np.isfinite(scores).all()


def test_adaptive_steps_help_features_that_appear_late():
    """A feature that comes after 5000 rounds is learned in a few; shrinking steps are slow."""
    old = [({"old": 1.0}, y) for y in [1, -1] * 2500]
    late = [({"late": float(y)}, y) for y in [1, -1] * 10]
    stream = old + late
    score = {}
    for schedule in ("sqrt", "adaptive"):
        model = OCO(schedule=schedule).partial_fit([x for x, _ in stream], [y for _, y in stream])
        score[schedule] = model.score_one({"late": 1.0})
    assert score["adaptive"] > 1.5
    assert score["sqrt"] < 0.2


def test_a_changed_schedule_starts_its_sums_of_squares_then():
    rows, labels = zip(*long_stream(seed=5), strict=True)
    model = OCO().partial_fit(rows, labels).set_params(schedule="adaptive")
    before = model.weights()
    model.partial_fit(rows, labels)
    assert model.weights() != before
    assert model.engine.state.squares.size == model.engine.capacity
    model.set_params(schedule="constant").partial_fit(rows, labels)
    assert model.engine.state.squares.size == 0


def test_squares_of_merged_models_add_up():
    rows, labels = zip(*long_stream(seed=6), strict=True)
    halves = [OCO(schedule="adaptive", intercept=True).partial_fit(rows[part], labels[part])
              for part in (slice(0, 200), slice(200, 400))]  # fmt: skip
    both = halves[0].merge(halves[1])
    column = [model.engine.space.columns["f1"] for model in (*halves, both)]
    squares = [m.engine.state.squares[c] for m, c in zip((*halves, both), column, strict=True)]
    assert squares[2] == pytest.approx(squares[0] + squares[1])
    intercepts = [m.engine.state.intercept_squares[0] for m in (*halves, both)]
    assert intercepts[2] == pytest.approx(intercepts[0] + intercepts[1])


def test_an_intercept_learns_what_no_feature_says():
    labels = [1, 1, 1, -1] * 50
    model = OCO(intercept=True).partial_fit([{}] * 200, labels)
    assert model.score_one({}) == pytest.approx(math.log(3), abs=0.3)
    assert OCO().partial_fit([{}] * 200, labels).score_one({}) == 0.0


def test_separates_what_a_line_separates():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 10))
    y = X @ rng.normal(size=10) > 0
    scores = OCO().prequential(X, y)
    assert ((scores > 0) == y)[1000:].mean() > 0.97


@pytest.mark.parametrize(
    "wrong",
    [{"step": 0}, {"step": math.inf}, {"step": "1"}, {"schedule": "linear"}, {"intercept": 2}],
)
def test_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        OCO(**wrong).learn_one({"a": 1}, 1)
