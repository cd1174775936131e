"""OCO against gradient descent written plainly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OCO, InputError
from tests import naive
from tests.streams_of_rows import any_values, long_stream, streams

forms = st.fixed_dictionaries(
    {
        "step": st.sampled_from([0.1, 1.0, 8.0]),
        "schedule": st.sampled_from(["constant", "sqrt"]),
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


@pytest.mark.parametrize("schedule", ["constant", "sqrt"])
@pytest.mark.parametrize("intercept", [False, True])
def test_is_gradient_descent_on_a_long_stream(schedule, intercept):
    compare(long_stream(seed=7), schedule=schedule, intercept=intercept)


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
def test_refuses_parameters_that_mean_nothing(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        OCO(**wrong)
