"""FSOL and SSOL against their paper written plainly, and against three learners of others."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge, SGDClassifier

from braided import FSOL, SSOL, InputError
from braided.learner.state import arrays
from braided.learners.sol.full_matrix import MOST_FEATURES
from braided.learners.sol.sol import SOL
from tests import naive
from tests.support.against_naive import compare
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values

schedules = st.fixed_dictionaries(
    {
        "step": st.sampled_from([0.25, 1.0]),
        "penalty": st.sampled_from([0.0, 0.0625, 0.5, 2.0]),
        "schedule": st.sampled_from(["constant", "growing"]),
        "clock": st.sampled_from(["global", "feature"]),
    }
)
spreads = st.sampled_from([0.1, 1.0, 8.0])


@given(streams(tying_values), schedules)
def test_fsol_is_the_papers_algorithm_to_the_last_bit(stream, form):
    compare(stream, FSOL(**form), naive.sol.SOL(phi="identity", **form), exact=True)


@given(streams(any_values), schedules, spreads)
def test_ssol_is_the_papers_algorithm(stream, form, r):
    compare(stream, SSOL(r=r, **form), naive.sol.SOL(phi="diagonal", r=r, **form))


@given(streams(any_values), schedules, spreads)
def test_full_ssol_is_the_papers_algorithm(stream, form, r):
    fast = SSOL(covariance="full", r=r, **form)
    compare(stream, fast, naive.sol.SOL(phi="full", r=r, **form))


@pytest.mark.parametrize("clock", ["global", "feature"])
@pytest.mark.parametrize(("schedule", "penalty"), [("constant", 0.5), ("growing", 0.004)])
@pytest.mark.parametrize("phi", ["identity", "diagonal", "full"])
def test_is_the_papers_algorithm_on_a_long_stream(phi, schedule, penalty, clock):
    form = {"phi": phi, "step": 0.3, "penalty": penalty, "schedule": schedule, "clock": clock}
    compare(long_stream(seed=7), SOL(r=3.0, **form), naive.sol.SOL(r=3.0, **form))


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_instances_are_the_framework_with_a_phi(covariance):
    rows, labels = zip(*long_stream(seed=1), strict=True)
    first = SOL(phi="identity", penalty=0.3).partial_fit(rows, labels)
    assert first.weights() == FSOL(penalty=0.3).partial_fit(rows, labels).weights()
    form = {"r": 2.0, "step": 1.0, "penalty": 0.3}
    second = SOL(phi=covariance, **form).partial_fit(rows, labels)
    named = SSOL(covariance=covariance, **form).partial_fit(rows, labels)
    assert second.weights() == named.weights()


# ------------------------------------------------------------------ oracles that others wrote


def dense_stream(rounds: int, features: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, features))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.where(X[:, 0] - 0.5 * X[:, 1] + 0.3 * rng.normal(size=rounds) > 0, 1, -1)
    return X, y


def by_column(model) -> list[float]:
    weights = model.weights()
    return [weights.get(column, 0.0) for column in range(model.n_features_in_)]


@pytest.mark.parametrize("step", [0.01, 0.3])
def test_fsol_without_a_penalty_equals_scikit_learns_sgd(step):
    X, y = dense_stream(500, 12)
    oracle = SGDClassifier(
        loss="hinge", penalty=None, learning_rate="constant", eta0=step, fit_intercept=False,
        shuffle=False, max_iter=1, tol=None,
    ).partial_fit(X, y, classes=[-1, 1])  # fmt: skip
    ours = FSOL(step=step, penalty=0.0).partial_fit(X, y)
    np.testing.assert_allclose(by_column(ours), oracle.coef_[0], rtol=1e-10)


def test_growing_fsol_equals_vowpal_wabbits_l1():
    """Its "gravity" is owed for every round with a loss, and here all rounds have one: RDA.

    It reckons in single precision, and cuts predictions off until it has seen both labels.
    """
    vowpalwabbit = pytest.importorskip("vowpalwabbit", reason="an oracle, if it is installed")
    X, y = dense_stream(300, 6)
    step, penalty = 1 / 64, 1 / 32
    oracle = vowpalwabbit.Workspace(
        f"--sgd --loss_function hinge --l1 {penalty} --power_t 0 -l {step} --noconstant --quiet"
    )
    ours = FSOL(step=step, penalty=penalty, schedule="growing")
    scores = ours.prequential(X, y)
    assert (y * scores < 1).all()
    theirs = []
    for x, label in zip(X, y, strict=True):
        row = "| " + " ".join(f"f{j}:{v:.9g}" for j, v in enumerate(x))
        theirs.append(oracle.predict(row))
        oracle.learn(f"{label} {row}")
    both = np.flatnonzero(y != y[0])[0] + 1
    np.testing.assert_allclose(scores[both:], theirs[both:], atol=2e-6)
    assert 0 < ours.features_kept < 6


@pytest.mark.parametrize("penalty", [0.0, 3.0])
@pytest.mark.parametrize("r", [0.5, 20.0])
def test_full_ssol_is_ridge_regression_when_every_round_has_a_loss(r, penalty):
    """u = (I + X'X/r)^-1 eta X'y = eta r times the ridge regression of y on X with penalty r.

    No library has SSOL itself. The diagonal form is the same for rows of one feature.
    """
    X, y = dense_stream(200, 8)
    one_feature = np.where(np.arange(8) == np.argmax(np.abs(X), axis=1)[:, None], X, 0.0)
    step = 1e-3
    for covariance, rows in [("full", X), ("full", one_feature), ("diagonal", one_feature)]:
        ours = SSOL(covariance=covariance, r=r, step=step, penalty=penalty)
        assert (y * ours.prequential(rows, y) < 1).all()
        oracle = Ridge(alpha=r, fit_intercept=False, solver="cholesky").fit(rows, y)
        u = oracle.coef_ * step * r
        w = np.sign(u) * np.maximum(np.abs(u) - step * penalty, 0.0)
        np.testing.assert_allclose(by_column(ours), w, rtol=1e-9, atol=1e-15)


# ------------------------------------------------------------------------ what must hold too


def test_losses_stay_within_the_bound_of_the_paper():
    """Losses <= those of any u + |u| sqrt((X^2 + 2 lambda X) T), for the eta that it is made for.

    X is the largest norm of a row in Euclid's measure and, for lambda, in the city's.
    """
    X, y = dense_stream(400, 10)
    penalty, rounds = 0.5, len(y)
    longest, widest = np.linalg.norm(X, axis=1).max(), np.abs(X).sum(axis=1).max()
    u = np.zeros(10)
    u[:2] = 3.0, -1.5
    best = np.maximum(0, 1 - y * (X @ u)).sum()
    room = (longest**2 + 2 * penalty * widest) * rounds
    step = np.linalg.norm(u) / math.sqrt(room)
    losses = np.maximum(0, 1 - y * FSOL(step=step, penalty=penalty).prequential(X, y))
    assert losses.sum() <= best + np.linalg.norm(u) * math.sqrt(room)


@pytest.mark.parametrize("clock", ["global", "feature"])
def test_both_clocks_agree_on_features_present_from_the_start(clock):
    X, y = dense_stream(300, 6)
    model = FSOL(step=0.2, penalty=0.01, schedule="growing", clock=clock).partial_fit(X, y)
    reference = FSOL(step=0.2, penalty=0.01, schedule="growing").partial_fit(X, y)
    assert model.weights() == reference.weights()


def test_a_prediction_counts_the_row_itself():
    """Algorithm 4 adds the row to A before it predicts; asking changes nothing."""
    model = SSOL(r=1.0, step=1.0, penalty=0.0).partial_fit([{"a": 1.0}], [1])
    before = [array.tobytes() for array in arrays(model.engine.state)]
    # a = 1/2 after round 1, theta = 1. A row with value 2: a = 1/2 - (1/4 * 4) / (1 + 2) = 1/6.
    assert model.score_one({"a": 2.0}) == pytest.approx(2 / 6)
    assert model.weights() == {"a": 0.5}
    assert [array.tobytes() for array in arrays(model.engine.state)] == before


def test_the_full_matrix_stays_exact_when_values_are_large():
    """Two features of a billion, nearly the same: the printed subtraction would lose all digits."""
    rows = [{"a": 1e9, "b": 1e9 + 3}, {"a": 1e9, "b": 1e9 - 5}, {"a": 1.0, "b": -2.0}] * 3
    labels = [1, -1, 1] * 3
    model = SSOL(covariance="full", r=1.0, step=1e-9, penalty=0.0)
    scores = model.prequential(rows, labels)
    A = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    theta = [Fraction(0), Fraction(0)]
    for x, y, score in zip(rows, labels, scores, strict=True):
        v = [Fraction(x["a"]), Fraction(x["b"])]
        A = [[A[i][k] + v[i] * v[k] for k in (0, 1)] for i in (0, 1)]
        if y * score < 1:
            theta = [theta[i] + Fraction(1e-9) * y * v[i] for i in (0, 1)]
    determinant = A[0][0] * A[1][1] - A[0][1] ** 2
    u = [
        (A[1][1] * theta[0] - A[0][1] * theta[1]) / determinant,
        (A[0][0] * theta[1] - A[0][1] * theta[0]) / determinant,
    ]
    found = model.weights()
    assert [found["a"], found["b"]] == pytest.approx([float(u[0]), float(u[1])], rel=1e-6)


@pytest.mark.parametrize("one_by_one", [True, False])
def test_the_full_matrix_refuses_too_many_features(one_by_one):
    fits = {f"f{i}": 1.0 for i in range(MOST_FEATURES)}
    model = SSOL(covariance="full").partial_fit([fits], [1])
    before = [array.tobytes() for array in arrays(model.engine.state)]
    message = rf"'full'\) learns from at most {MOST_FEATURES} features; .* would be 1025"
    learn = {
        True: lambda: model.learn_one({"f0": 1.0, "one more": 1.0}, -1),
        False: lambda: model.partial_fit([{"f0": 1.0}, {"one more": 1.0}], [1, -1]),
    }
    with pytest.raises(InputError, match=message):
        learn[one_by_one]()
    assert [array.tobytes() for array in arrays(model.engine.state)] == before
    assert model.features_seen == MOST_FEATURES
    assert "one more" not in model.engine.space
    model.learn_one({"f0": 1.0, "f1": 2.0}, -1)
    assert model.rounds == 2
    fresh = SSOL(covariance="full")
    with pytest.raises(InputError, match=r"would be 1025"):
        fresh.partial_fit([{**fits, "one more": 1.0}], [1])
    assert fresh.rounds == 0


def test_phi_stays_what_it_was_learned_with():
    model = SSOL().partial_fit([{"a": 1.0}], [1])
    with pytest.raises(InputError, match="start anew"):
        model.set_params(covariance="full")
    assert model.covariance == "diagonal"
    model.learn_one({"b": 1.0}, -1)
    assert SSOL().set_params(covariance="full").partial_fit([{"a": 1.0}], [1]).rounds == 1


def test_parameters_may_change_between_rounds():
    """Births that were not noted under the world's clock count from the first round."""
    model = FSOL(step=0.125, penalty=0.125, schedule="growing")
    model.partial_fit([{"a": 1.0}] * 4, [1] * 4)
    owed = 0.125 * 0.125
    model.set_params(clock="feature")
    model.partial_fit([{"b": 1.0}] * 2, [1] * 2)
    assert model.weights() == {"a": 0.5 - 6 * owed, "b": 0.25 - 2 * owed}
    model.set_params(clock="global")
    assert model.weights() == {"a": 0.5 - 6 * owed, "b": 0.25 - 6 * owed}
    model.partial_fit([{f"f{i}": 2.0 for i in range(50)}], [1])
    model.set_params(clock="feature")
    model.learn_one({"c": 1.0}, 1)
    weights = model.weights()
    assert weights["c"] == 0.125 - owed
    assert weights["b"] == weights["f0"] == weights["f49"] == 0.25 - 8 * owed


@pytest.mark.parametrize("model", [FSOL(step=0.5), SSOL(), SSOL(covariance="full")])
def test_the_weight_of_a_row_multiplies_its_step(model):
    rows = [{"a": 1.0, "b": 2.0}, {"a": -1.0}, {"b": 0.5}]
    labels, weights = [1, -1, 1], [2.0, 0.5, 3.0]
    form = model.get_params()
    plain = naive.sol.SOL(phi=form.pop("covariance", "identity"), **form)
    for x, y, weight in zip(rows, labels, weights, strict=True):
        plain.learn(x, y, weight)
    model.partial_fit(rows, labels, sample_weight=weights)
    assert model.weights() == pytest.approx(plain.weights())


@pytest.mark.parametrize("name", ["step", "penalty", "schedule", "clock"])
@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, "often", None, True, 1e60])
def test_refuses_bad_parameters(name, wrong):
    for learner in (FSOL, SSOL, SOL):
        with pytest.raises(InputError, match=name):
            learner(**{name: wrong}).learn_one({"a": 1}, 1)


@pytest.mark.parametrize("wrong", [{"r": 0}, {"r": math.inf}, {"covariance": "identity"}])
def test_refuses_bad_parameters_of_ssol(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        SSOL(**wrong).learn_one({"a": 1}, 1)
