"""OFS, PE_trun and RAND against the paper's algorithms written plainly, and scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OFS, RAND, InputError, PETrun
from braided.kernels.rng import new_rng, uniform
from tests import naive
from tests.support.ofs_recipe import budgets, compare, hangs_on_the_last_bit
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values

forms = st.fixed_dictionaries(
    {
        "step": st.sampled_from([0.2, 0.5, 3.0]),
        "penalty": st.sampled_from([0.0, 0.01, 0.125, 0.25]),
        "budget": budgets,
    }
)


@given(streams(tying_values), forms)
def test_is_the_papers_algorithm_with_ties(stream, form):
    compare(stream, OFS(**form), naive.ofs.OFS(**form))


@given(streams(tying_values), budgets)
def test_ties_are_real_ties_without_a_penalty(stream, budget):
    """Then all arithmetic is exact, and who is kept is no matter of rounding."""
    fast = OFS(step=0.5, penalty=0.0, budget=budget)
    plain = naive.ofs.OFS(step=0.5, penalty=0.0, budget=budget)
    for x, y in stream:
        assert fast.score_one(x) == plain.learn(x, y)
        fast.learn_one(x, y)
        assert fast.weights() == {name: w for name, w in plain.weights.items() if w != 0.0}


@given(streams(any_values), forms)
def test_is_the_papers_algorithm(stream, form):
    compare(stream, OFS(**form), naive.ofs.OFS(**form))


@pytest.mark.parametrize("penalty", [0.0, 1e-6, 0.01, 0.25, 4.0])
@pytest.mark.parametrize("budget", [1.0, 0.5, 0.1, 1, 5])
def test_is_the_papers_algorithm_on_a_long_stream(budget, penalty):
    form = {"step": 0.2, "penalty": penalty, "budget": budget}
    compare(long_stream(seed=7), OFS(**form), naive.ofs.OFS(**form))


@pytest.mark.parametrize("budget", [1.0, 0.5, 3])
def test_folding_the_scale_changes_nothing(budget):
    """Shrinking by 1/8 each round goes below 1e-360 in 400 rounds."""
    form = {"step": 0.5, "penalty": 1.75, "budget": budget}
    fast = OFS(**form)
    compare(long_stream(seed=1), fast, naive.ofs.OFS(**form))
    assert fast.rounds == 400
    assert fast.engine.state.weights.scale[0] > 1e-200


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from("abcdefgh"), any_values, max_size=5),
            st.sampled_from([-1, 1]),
            st.sampled_from([0.5, 1.0, 2.0, 7.0]),
        ),
        min_size=1,
        max_size=30,
    ),
    forms,
)
def test_a_sample_weight_is_a_factor_of_the_step(stream, form):
    fast, plain = OFS(**form), naive.ofs.OFS(**form)
    for x, y, weight in stream:
        score = plain.learn(x, y, weight)
        if abs(1 - y * score) < 1e-9:
            return
        fast.partial_fit([x], [y], classes=[-1, 1], sample_weight=[weight])
        nonzero = {name: w for name, w in plain.weights.items() if w != 0.0}
        if hangs_on_the_last_bit(nonzero, fast.weights()):
            return
        assert fast.weights() == pytest.approx(nonzero, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("budget", [1.0, 0.3])
@pytest.mark.parametrize("penalty", [1e-4, 0.01])
def test_the_running_length_does_not_drift(budget, penalty):
    """Weights that grow to the ball's surface and are cancelled, time and again."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 30)) * 10.0 ** rng.integers(-3, 3, size=(20_000, 1))
    y = np.where(np.arange(20_000) // 50 % 2 == 0, X[:, 0] > 0, X[:, 0] < 0)
    model = OFS(step=0.9, penalty=penalty, budget=budget).partial_fit(X, y)
    scale, size = (
        float(model.engine.state.weights.scale[0]),
        float(model.engine.state.weights.size[0]),
    )
    length, surface = np.linalg.norm(list(model.weights().values())), 1 / math.sqrt(penalty)
    assert size * scale**2 == pytest.approx(length**2, abs=1e-10 * surface**2)


@given(streams(tying_values), budgets)
def test_pe_trun_is_the_papers_algorithm(stream, budget):
    compare(stream, PETrun(budget=budget), naive.ofs.Perceptron(budget=budget), margin=0.0)


@given(streams(tying_values), budgets, st.integers(0, 99))
def test_rand_is_the_papers_algorithm_draw_for_draw(stream, budget, seed):
    rng = new_rng(seed)
    plain = naive.ofs.Perceptron(budget=budget, selection="random", uniform=lambda: uniform(rng))
    compare(stream, RAND(budget=budget, seed=seed), plain, margin=0.0)


def test_the_perceptrons_on_a_long_stream():
    compare(long_stream(seed=3), PETrun(), naive.ofs.Perceptron(), margin=0.0)
    rng = new_rng(5)
    plain = naive.ofs.Perceptron(selection="random", uniform=lambda: uniform(rng))
    compare(long_stream(seed=3), RAND(seed=5), plain, margin=0.0)


def test_changing_parameters_takes_effect_at_once():
    model = OFS(budget=1.0).partial_fit([{"a": 3.0, "b": 2.0, "c": 1.0}, {"d": 1.0}], [1, -1])
    model.set_params(budget=2)
    assert list(model.weights()) == ["a", "b"]
    model.learn_one({"e": 9.0}, 1)
    assert len(model.weights()) == 2
    model.set_params(budget=1.0, penalty=1e4, step=1e-5)
    model.learn_one({"f": 1.0, "g": 1.0}, -1)
    assert len(model.weights()) == 4
    assert np.linalg.norm(list(model.weights().values())) == pytest.approx(0.01)


@pytest.mark.parametrize(
    "wrong",
    [{"step": 0}, {"step": math.inf}, {"penalty": -1}, {"penalty": math.nan}, {"budget": 0}],
)
def test_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        OFS(**wrong).learn_one({"a": 1}, 1)


def test_refuses_a_step_and_penalty_whose_product_is_one_or_more():
    with pytest.raises(InputError, match="product must be below 1"):
        OFS(step=10.0, penalty=0.1).learn_one({"a": 1}, 1)


# ------------------------------------------------------------------ an oracle from elsewhere


def dense_rows(n=300, d=12, seed=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0, 1, -1)


def test_without_a_budget_it_is_scikit_learns_gradient_descent():
    """As long as the weights stay within the ball, which scikit-learn does not have."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, y = dense_rows()
    step, penalty = 0.02, 0.01
    oracle = linear_model.SGDClassifier(
        loss="hinge", alpha=penalty, learning_rate="constant", eta0=step,
        fit_intercept=False, shuffle=False, max_iter=1, tol=None,
    ).partial_fit(X, y, classes=[-1, 1])  # fmt: skip
    ours = OFS(step=step, penalty=penalty, budget=1.0).partial_fit(X, y)
    weights = [ours.weights()[j] for j in range(X.shape[1])]
    assert 1.0 < np.linalg.norm(weights) < 1 / np.sqrt(penalty)
    np.testing.assert_allclose(weights, oracle.coef_[0], rtol=1e-9)


def test_without_a_budget_pe_trun_is_scikit_learns_perceptron():
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, y = dense_rows(seed=5)
    oracle = linear_model.Perceptron(fit_intercept=False, shuffle=False, max_iter=1, tol=None)
    oracle.partial_fit(X, y, classes=[-1, 1])
    ours = PETrun(budget=1.0).partial_fit(X, y)
    weights = [ours.weights()[j] for j in range(X.shape[1])]
    np.testing.assert_allclose(weights, oracle.coef_[0], rtol=1e-9)
