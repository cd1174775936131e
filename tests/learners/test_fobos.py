"""STG, FOBOS, Ada-FOBOS and Ada-RDA against their papers written plainly, and against others'.

scikit-learn's SGD with an L1 penalty is no oracle here: it is Tsuruoka's cumulative penalty, which
clips a weight against a debt of its own, and not FOBOS.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import SGDClassifier

from braided import FOBOS, STG, AdaFOBOS, AdaRDA, InputError
from tests.naive import fobos as naive
from tests.support.against_naive import compare
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values

steps = st.sampled_from([0.125, 0.5, 1.0])
penalties = st.sampled_from([0.0, 0.0625, 0.25, 1.0])
intervals = st.sampled_from([1, 2, 3, 7])
ceilings = st.sampled_from([math.inf, 0.25, 1.0])
decays = st.sampled_from(["none", "sqrt"])
deltas = st.sampled_from([1e-3, 1.0])


@given(streams(tying_values), steps, penalties)
def test_fobos_is_the_papers_algorithm_to_the_last_bit(stream, step, penalty):
    form = {"step": step, "penalty": penalty}
    compare(stream, FOBOS(**form), naive.FOBOS(**form), exact=True)


@given(streams(any_values), steps, penalties, decays)
def test_fobos_is_the_papers_algorithm(stream, step, penalty, decay):
    form = {"step": step, "penalty": penalty, "decay": decay}
    compare(stream, FOBOS(**form), naive.FOBOS(**form))


@given(streams(tying_values), steps, penalties, intervals, ceilings)
def test_stg_is_the_papers_algorithm_to_the_last_bit(stream, step, penalty, interval, ceiling):
    """Powers of two add up exactly: weights do meet the ceiling, and 0, exactly."""
    form = {"step": step, "penalty": penalty, "interval": interval, "ceiling": ceiling}
    compare(stream, STG(**form), naive.STG(**form), exact=True)


@given(streams(any_values), steps, penalties, intervals, ceilings, decays)
def test_stg_is_the_papers_algorithm(stream, step, penalty, interval, ceiling, decay):
    form = {"step": step, "penalty": penalty, "interval": interval, "ceiling": ceiling}
    compare(stream, STG(**form, decay=decay), naive.STG(**form, decay=decay))


@given(streams(any_values), steps, penalties, deltas, decays)
def test_ada_fobos_is_the_papers_algorithm(stream, step, penalty, delta, decay):
    form = {"step": step, "penalty": penalty, "delta": delta, "decay": decay}
    compare(stream, AdaFOBOS(**form), naive.AdaFOBOS(**form))


@given(streams(any_values), steps, penalties, deltas, st.sampled_from(["global", "feature"]))
def test_ada_rda_is_the_papers_algorithm(stream, step, penalty, delta, clock):
    form = {"step": step, "penalty": penalty, "delta": delta, "clock": clock}
    compare(stream, AdaRDA(**form), naive.AdaRDA(**form))


LONG = [
    (learner, {"step": 0.05, "penalty": 0.05, "decay": decay, **more})
    for decay in ("none", "sqrt")
    for learner, more in [
        (FOBOS, {}),
        (STG, {"interval": 7, "ceiling": math.inf}),
        (STG, {"interval": 7, "ceiling": 0.05}),
        (AdaFOBOS, {"delta": 0.1}),
    ]
]
LONG += [
    (AdaRDA, {"step": 0.1, "penalty": 0.02, "delta": 0.1, "clock": clock})
    for clock in ("global", "feature")
]


@pytest.mark.parametrize(("learner", "form"), LONG)
def test_is_the_papers_algorithm_on_a_long_stream(learner, form):
    compare(long_stream(seed=7), learner(**form), getattr(naive, learner.__name__)(**form))


@pytest.mark.parametrize(("learner", "form"), LONG)
def test_the_weight_of_a_row_multiplies_its_gradient(learner, form):
    plain = getattr(naive, learner.__name__)(**form)
    stream = long_stream(seed=2, rounds=60)
    weights = np.random.default_rng(0).exponential(size=60)
    for (x, y), weight in zip(stream, weights, strict=True):
        plain.learn(x, y, weight)
    rows, labels = zip(*stream, strict=True)
    found = learner(**form).partial_fit(rows, labels, sample_weight=weights).weights()
    nonzero = {j: w for j, w in plain.w.items() if w != 0.0}
    assert found == pytest.approx(nonzero, rel=1e-9)


# ------------------------------------------------------------------ oracles that others wrote


def worked_table():
    """A small table that needs no random numbers: the same with every version of NumPy."""
    t, j = np.arange(120)[:, None], np.arange(8)[None, :]
    X = ((7 * t + 13 * j + 5 * t * j * j + 3 * (t // 7) * j) % 19 - 9) / 8.0
    margin = X[:, 0] - X[:, 3] + 0.25 * X[:, 5] + (t[:, 0] % 5 - 2) / 4.0
    return X, np.where(margin > 0, 1, -1)


def by_column(model) -> list[float]:
    weights = model.weights()
    return [weights.get(column, 0.0) for column in range(8)]


# What TensorFlow 2.21 makes of the table: ResourceApplyProximalGradientDescent, the same with
# l1 = 4 * penalty every fourth time and 0 otherwise, ResourceApplyProximalAdagrad and
# ResourceApplyAdagradDA, in double precision, with accumulators that start at 1e-20.
TENSORFLOW = [
    (FOBOS(step=0.125, penalty=0.0625),
     [1.609375, 0.078125, -0.1640625, -1.0625, -0.0078125, 0.46875, 0.34375, 0.234375]),
    (FOBOS(step=0.5, penalty=0.0625, decay="sqrt"),
     [1.2839091919437844, 0.02987232639076934, -0.08838962326164058, -1.052601047083657,
      0.00899736962870789, 0.16786068570178475, 0.16728209598463475, 0.1360656910167128]),
    (STG(step=0.125, penalty=0.0625, interval=4),
     [1.578125, 0.0625, -0.1875, -1.125, 0.0, 0.46875, 0.25, 0.21875]),
    (AdaFOBOS(step=0.5, penalty=0.0625, delta=1e-10),
     [1.501489926357829, 0.07335853231327591, -0.10917849945846889, -1.1851333934651391,
      -0.0168083713088823, 0.3493395557688015, 0.13045339381786553, 0.15093103696000756]),
    (AdaRDA(step=0.5, penalty=0.03125, delta=1e-10),
     [1.4083579195604128, 0.0, -0.04285495643554833, -0.9989685402102997, 0.0,
      0.3427530813818425, 0.15428702415662252, 0.0]),
]  # fmt: skip


@pytest.mark.parametrize(("model", "theirs"), TENSORFLOW)
def test_equals_tensorflows_optimisers(model, theirs):
    """Recorded, since TensorFlow is large; its Adagrad has delta within the root."""
    X, y = worked_table()
    np.testing.assert_allclose(by_column(model.partial_fit(X, y)), theirs, rtol=1e-9)


@pytest.mark.parametrize(("step", "penalty", "theirs"), [
    (0.5, 0.03125, [1.4083579195604128, 0.0, -0.042854956435548326, -0.9989685402102997, 0.0,
                    0.3427530813818425, 0.15428702415662252, 0.0]),
    (0.25, 0.125, [0.65843823597249, 0.0, 0.0, -0.6808836704383225, 0.0, 0.0, 0.0, 0.0]),
])  # fmt: skip
def test_ada_rda_equals_lightnings_adagrad(step, penalty, theirs):
    """Recorded from AdaGradClassifier (one pass, hinge, l1_ratio=1) of sklearn-contrib-lightning.

    It is no longer published in a form that installs without its old compilers.
    """
    X, y = worked_table()
    model = AdaRDA(step=step, penalty=penalty, delta=1e-10).partial_fit(X, y)
    np.testing.assert_allclose(by_column(model), theirs, rtol=1e-9)


@pytest.mark.parametrize("step", [0.01, 0.3])
@pytest.mark.parametrize("learner", [FOBOS, STG])
def test_without_a_penalty_equals_scikit_learns_sgd(learner, step):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 8))
    y = np.where(X @ rng.normal(size=8) + rng.normal(size=500) > 0, 1, -1)
    oracle = SGDClassifier(
        loss="hinge", penalty=None, learning_rate="constant", eta0=step, fit_intercept=False,
        shuffle=False, max_iter=1, tol=None,
    ).partial_fit(X, y, classes=[-1, 1])  # fmt: skip
    ours = learner(step=step, penalty=0.0).partial_fit(X, y)
    np.testing.assert_allclose(by_column(ours), oracle.coef_[0], rtol=1e-9)


# ------------------------------------------------------------------------ what must hold too


def test_fobos_is_stg_of_every_round():
    rows, labels = zip(*long_stream(seed=4), strict=True)
    fobos = FOBOS(step=0.05, penalty=0.05).partial_fit(rows, labels)
    stg = STG(step=0.05, penalty=0.05, interval=1).partial_fit(rows, labels)
    assert fobos.weights() == stg.weights()


@pytest.mark.parametrize("learner", [FOBOS, AdaFOBOS])
@pytest.mark.parametrize("decay", ["none", "sqrt"])
def test_a_million_rounds_later_the_exact_sum_of_steps_is_owed(learner, decay):
    """Not the present step times the rounds, and no drift from a million roundings."""
    rounds, penalty = 1_000_000, 5e-7 if decay == "none" else 1e-4
    model = learner(step=0.3, penalty=penalty, decay=decay)
    model.learn_one({"early": 1.0}, 1)
    before = model.weights()["early"]
    idle = np.zeros((rounds - 1, 1))
    model.partial_fit(idle, np.ones(rounds - 1), feature_names=["other"])
    steps = np.full(rounds, 0.3) / (np.sqrt(np.arange(1, rounds + 1)) if decay == "sqrt" else 1)
    h = 1.0 + model.delta if learner is AdaFOBOS else 1.0
    owed = math.fsum(steps[1:]) * penalty / h
    assert 0.05 < owed < before
    assert model.weights()["early"] == pytest.approx(before - owed, rel=1e-12)


@pytest.mark.parametrize("decay", ["none", "sqrt"])
def test_many_touches_over_many_rounds_do_not_drift(decay):
    """A weight that is touched now and then in 200,000 rounds, beside the plain scalar rule."""
    rounds, step, penalty = 200_000, 0.1, 1e-3
    rng = np.random.default_rng(0)
    rows = (rng.random(rounds) < 0.1) * rng.normal(size=rounds)
    labels = np.where(rng.random(rounds) < 0.7, 1, -1) * np.where(rows < 0, -1, 1)
    model = FOBOS(step=step, penalty=penalty, decay=decay)
    model.partial_fit(rows[:, None], labels)
    w = 0.0
    for t, (x, y) in enumerate(zip(rows.tolist(), labels.tolist(), strict=True), start=1):
        eta = step / math.sqrt(t) if decay == "sqrt" else step
        w = naive.soft(w + (eta * y * x if y * w * x < 1 else 0.0), eta * penalty)
    assert model.weights()[0] == pytest.approx(w, rel=1e-9)


def test_a_weight_above_the_ceiling_owes_nothing():
    model = STG(step=1.0, penalty=0.125, interval=2, ceiling=1.0)
    model.learn_one({"high": 2.0, "low": 1.0}, 1)
    model.partial_fit([{}] * 5, [1] * 5)
    assert model.weights() == {"high": 2.0, "low": 0.25}


def test_parameters_may_change_between_rounds():
    rows, labels = zip(*long_stream(seed=5), strict=True)
    for learner, change in [
        (FOBOS, {"penalty": 0.2, "step": 0.01}),
        (STG, {"ceiling": 0.03, "interval": 3}),
        (AdaFOBOS, {"delta": 2.0, "penalty": 0.01}),
        (AdaRDA, {"delta": 2.0, "step": 0.3}),
    ]:
        form = {"step": 0.05, "penalty": 0.05}
        model = learner(**form)
        plain = getattr(naive, learner.__name__)(**model.get_params())
        for start, stop in [(0, 200), (200, 400)]:
            model.partial_fit(rows[start:stop], labels[start:stop])
            for x, y in zip(rows[start:stop], labels[start:stop], strict=True):
                plain.learn(x, y)
            nonzero = {j: w for j, w in plain.w.items() if w != 0.0}
            assert model.weights() == pytest.approx(nonzero, rel=1e-9)
            model.set_params(**change)
            for name, value in change.items():
                setattr(plain, name, value)


def test_ada_rda_learns_in_the_first_round():
    """A dual average over no rounds is nothing, not NaN."""
    for clock in ("global", "feature"):
        model = AdaRDA(clock=clock)
        model.learn_one({"a": 1.0}, 1)
        assert model.weights()["a"] > 0
        assert model.score_one({"a": 1.0}) == pytest.approx(model.weights()["a"])


WRONG = [("step", 0), ("step", math.inf), ("step", "large"), ("penalty", -1)]
WRONG += [("penalty", math.nan), ("decay", "linear"), ("clock", "stopped"), ("delta", 0)]
WRONG += [("interval", 0), ("interval", 2.5), ("ceiling", 0)]


@pytest.mark.parametrize("learner", [FOBOS, STG, AdaFOBOS, AdaRDA])
def test_refuses_bad_parameters(learner):
    for name, value in WRONG:
        if name in learner().get_params():
            with pytest.raises(InputError, match=name):
                learner(**{name: value}).learn_one({"a": 1}, 1)
