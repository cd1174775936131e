"""OLSF against the paper's algorithm written plainly, scikit-learn's PA, and the paper's bounds."""

from __future__ import annotations

import copy
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OLSF, InputError
from braided.kernels.rng import new_rng, uniform
from braided.learner.state import arrays
from tests import naive
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values

budgets = st.sampled_from([1.0, 0.7, 0.5, 0.29, 0.1, 1, 2, 3, 7])
forms = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["hard", "I", "II"]),
        "aggressiveness": st.sampled_from([0.0625, 0.5, 4.0]),
        "budget": budgets,
        "selection": st.sampled_from(["largest", "random"]),
        "update": st.sampled_from(["pa", "perceptron"]),
    }
)
radii = st.sampled_from([0.3, 1.0, 5.0, 30.0])


def compare(stream, *, exact: bool, seed: int = 3, **form) -> None:
    """Learn the stream both ways; scores and weights must agree after every round."""
    rng = new_rng(seed)
    plain = naive.olsf.OLSF(**form, uniform=lambda: uniform(rng))
    fast = OLSF(**form, seed=seed)
    for x, y in stream:
        before = fast.score_one(x)
        score = plain.learn(x, y)
        fast.learn_one(x, y)
        weights = fast.weights()
        nonzero = {name: w for name, w in plain.weights.items() if w != 0.0}
        if exact:
            assert before == score
            assert weights == nonzero
        else:
            assert before == pytest.approx(score, rel=1e-9, abs=1e-12)
            assert weights == pytest.approx(nonzero, rel=1e-9)
        assert fast.features_seen == len(plain.weights)


@given(streams(tying_values), forms)
def test_is_the_papers_algorithm_with_ties(stream, form):
    compare(stream, exact=False, **form)


@given(streams(any_values), forms, radii)
def test_is_the_papers_algorithm_in_a_ball(stream, form, radius):
    compare(stream, exact=False, radius=radius, **form)


@pytest.mark.parametrize("selection", ["largest", "random"])
@pytest.mark.parametrize("update", ["pa", "perceptron"])
@pytest.mark.parametrize("radius", [math.inf, 2.0])
@pytest.mark.parametrize("budget", [1.0, 0.5, 0.1, 1, 5])
@pytest.mark.parametrize("variant", ["hard", "I", "II"])
def test_is_the_papers_algorithm_on_a_long_stream(variant, budget, radius, update, selection):
    compare(
        long_stream(seed=7),
        exact=False,
        variant=variant,
        budget=budget,
        radius=radius,
        update=update,
        selection=selection,
    )


def test_folding_the_scale_changes_nothing():
    """A ball much smaller than a step shrinks the scale by more than 1e-250 in 400 rounds."""
    compare(long_stream(seed=1), exact=False, variant="hard", radius=0.01, budget=0.5)
    compare(long_stream(seed=1), exact=False, variant="hard", radius=0.01, budget=1.0)


@pytest.mark.parametrize(("variant", "loss"), [("I", "hinge"), ("II", "squared_hinge")])
@pytest.mark.parametrize("aggressiveness", [0.01, 0.1, 1.0])
def test_equals_scikit_learns_passive_aggressive(variant, loss, aggressiveness):
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 20))
    y = np.where(X @ rng.normal(size=20) + rng.normal(size=500) > 0, 1, -1)
    if not hasattr(linear_model, "PassiveAggressiveClassifier"):
        pytest.skip("this scikit-learn no longer has PassiveAggressiveClassifier")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        oracle = linear_model.PassiveAggressiveClassifier(
            C=aggressiveness, loss=loss, fit_intercept=False, shuffle=False
        ).partial_fit(X, y, classes=[-1, 1])
    ours = OLSF(variant=variant, aggressiveness=aggressiveness).partial_fit(X, y)
    weights = ours.weights()
    np.testing.assert_allclose(
        [weights[j] for j in range(20)], oracle.coef_[0], rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(ours.decision_function(X), oracle.decision_function(X), rtol=1e-10)


@pytest.mark.parametrize(("variant", "step"), [
    ("I", lambda loss, square, C: min(C, loss / square)),
    ("II", lambda loss, square, C: loss / (square + 1 / (2 * C))),
])  # fmt: skip
def test_equals_the_formula_of_passive_aggressive(variant, step):
    """The same oracle as a formula: scikit-learn drops its class in version 1.10."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 10))
    y = np.where(rng.random(300) < 0.5, 1, -1)
    w = np.zeros(10)
    for x, label in zip(X, y, strict=True):
        loss = max(0.0, 1 - label * (w @ x))
        w += step(loss, x @ x, 0.1) * label * x
    ours = OLSF(variant=variant, aggressiveness=0.1).partial_fit(X, y).weights()
    np.testing.assert_allclose([ours[j] for j in range(10)], w, rtol=1e-10)


def losses_and_rows(stream, **form):
    """Hinge losses of the learner along the stream, and rows as a dense matrix with zeros."""
    names = sorted({name for x, _ in stream for name in x})
    X = np.array([[x.get(name, 0.0) for name in names] for x, _ in stream]).reshape(len(stream), -1)
    y = np.array([label for _, label in stream], dtype=float)
    model = OLSF(**form)
    scores = model.prequential([x for x, _ in stream], y)
    return np.maximum(0, 1 - y * scores), y * scores <= 0, X, y


@st.composite
def streams_with_comparator(draw):
    stream = draw(streams(any_values))
    seed = draw(st.integers(0, 1000))
    scale = draw(st.sampled_from([0.1, 1.0, 10.0]))
    return stream, seed, scale


@given(streams_with_comparator())
def test_bound_of_theorem_1_separable(drawn):
    """sum loss^2 <= |u|^2 max|x|^2 when u separates with margin 1 (hard)."""
    stream, seed, scale = drawn
    names = sorted({name for x, _ in stream for name in x})
    u = np.random.default_rng(seed).normal(size=len(names)) * scale
    weight = dict(zip(names, u, strict=True))
    margins = [sum(weight[n] * v for n, v in x.items()) for x, _ in stream]
    separated = [
        (x, 1 if m > 0 else -1) for (x, _), m in zip(stream, margins, strict=True) if abs(m) >= 1
    ]
    if not separated:
        return
    losses, _, X, _ = losses_and_rows(separated, variant="hard")
    bound = (u @ u) * (X**2).sum(axis=1).max()
    assert (losses**2).sum() <= bound * (1 + 1e-9)


@given(streams_with_comparator())
def test_bound_of_theorem_2_unit_rows(drawn):
    """sum loss^2 <= (|u| + 2 sqrt(sum loss*^2))^2 for rows of length 1 (hard)."""
    stream, seed, scale = drawn
    unit = []
    for x, y in stream:
        norm = math.sqrt(sum(v * v for v in x.values()))
        if norm > 0:
            unit.append(({n: v / norm for n, v in x.items()}, y))
    if not unit:
        return
    losses, _, X, y = losses_and_rows(unit, variant="hard")
    u = np.random.default_rng(seed).normal(size=X.shape[1]) * scale
    best = np.maximum(0, 1 - y * (X @ u))
    bound = (np.linalg.norm(u) + 2 * math.sqrt((best**2).sum())) ** 2
    assert (losses**2).sum() <= bound * (1 + 1e-9)


@given(streams_with_comparator(), st.sampled_from([0.01, 0.1, 1.0, 10.0]))
def test_bound_of_theorem_3_mistakes(drawn, C):
    """mistakes <= max(max|x|^2, 1/C) (|u|^2 + 2C sum loss*) (I)."""
    stream, seed, scale = drawn
    # A row of nothing can not be predicted, and is a mistake under no theorem.
    stream = [(x, y) for x, y in stream if any(x.values())]
    if not stream:
        return
    _, mistakes, X, y = losses_and_rows(stream, variant="I", aggressiveness=C)
    u = np.random.default_rng(seed).normal(size=X.shape[1]) * scale
    best = np.maximum(0, 1 - y * (X @ u))
    longest = (X**2).sum(axis=1).max()
    bound = max(longest, 1 / C) * (u @ u + 2 * C * best.sum())
    assert mistakes.sum() <= bound * (1 + 1e-9)


@given(streams_with_comparator(), st.sampled_from([0.01, 0.1, 1.0, 10.0]))
def test_bound_of_theorem_4_squared_loss(drawn, C):
    """sum loss^2 <= (max|x|^2 + 1/(2C)) (|u|^2 + 2C sum loss*^2) (II)."""
    stream, seed, scale = drawn
    losses, _, X, y = losses_and_rows(stream, variant="II", aggressiveness=C)
    u = np.random.default_rng(seed).normal(size=X.shape[1]) * scale
    best = np.maximum(0, 1 - y * (X @ u))
    longest = (X**2).sum(axis=1).max() if X.size else 0.0
    bound = (longest + 1 / (2 * C)) * (u @ u + 2 * C * (best**2).sum())
    assert (losses**2).sum() <= bound * (1 + 1e-9)


def test_a_feature_evicted_in_the_middle_of_a_row_does_not_come_back():
    """Feature "a" is kept with weight 1, shrinks to 0.25 and must leave for "b" and "c"."""
    stream = [({"a": 1.0}, 1), ({"b": 0.5, "c": 0.5, "a": -0.75}, 1)]
    compare(stream, exact=True, variant="hard", budget=1, update="perceptron")
    compare(stream, exact=True, variant="hard", budget=2, update="perceptron")


def test_a_feature_that_vanishes_and_returns_keeps_its_weight():
    model = OLSF().partial_fit([{"a": 1.0, "b": 1.0}], [1])
    kept = model.weights()["a"]
    for _ in range(50):
        model.learn_one({"b": 1.0, "c": 0.5}, -1)
    assert model.weights()["a"] == kept


def test_ties_leave_the_feature_seen_first_and_of_one_row_the_first_by_name():
    model = OLSF(budget=2).partial_fit([{"z": 1.0, "y": 1.0, "x": 1.0}], [1])
    assert list(model.weights()) == ["x", "y"]


def test_changing_the_budget_takes_effect_at_once():
    model = OLSF().partial_fit([{"a": 3.0, "b": 2.0, "c": 1.0}, {"d": 1.0}], [1, -1])
    model.set_params(budget=2)
    assert list(model.weights()) == ["a", "b"]
    model.learn_one({"e": 9.0}, 1)
    assert len(model.weights()) == 2
    model.set_params(budget=1.0)
    model.learn_one({"f": 1.0, "g": 1.0}, -1)
    assert len(model.weights()) == 4


def is_finite(model) -> bool:
    arrays_of_floats = (a for a in arrays(model.engine.state) if a.dtype.kind == "f")
    return all(np.isfinite(a).all() for a in arrays_of_floats)


@pytest.mark.parametrize("selection", ["largest", "random"])
@pytest.mark.parametrize("budget", [1.0, 1])
def test_large_values_after_the_scale_has_shrunk(budget, selection):
    """The weights in units of the scale are large then, and their product with a row larger."""
    model = OLSF(variant="hard", radius=0.01, budget=budget, selection=selection)
    smallest = 1.0
    for t in range(600):
        model.learn_one({"a": 1.0 + 0.1 * (t % 3), "b": 0.5}, t % 2)
        scale = model.engine.state.weights.scale[0]
        if scale <= smallest:
            smallest = scale
            for x in ({"a": 9e99, "b": 1e99}, {"a": -1e100, "b": 1e100}):
                other = copy.deepcopy(model)
                other.learn_one(x, t % 2)
                other.learn_one(x, 1 - t % 2)
                assert is_finite(other)
                assert math.isfinite(other.score_one(x))
    assert smallest < 1e-140


@pytest.mark.parametrize("form", [{"variant": "hard"}, {"variant": "II", "aggressiveness": 9.0}])
@pytest.mark.parametrize("budget", [1.0, 1])
@pytest.mark.parametrize("factor", [5.0, 1e9])
def test_sample_weights_that_overshoot_never_poison(form, budget, factor):
    """A step that is weighted five times goes beyond its aim by four, every time."""
    model = OLSF(**form, budget=budget)
    X, y = [{"a": 1.0}, {"a": 1.0, "b": 1e-30}, {"b": 1e-139}, {"a": 1e100, "b": 1.0}], [0, 1, 0, 1]
    for _ in range(600):
        scores = model.partial_fit(X, y, sample_weight=[factor] * 4).decision_function(X)
        assert is_finite(model)
        assert np.isfinite(scores).all()


def test_sample_weights_of_the_perceptron_never_poison():
    model = OLSF(update="perceptron")
    model.partial_fit([{"a": 1e10}, {"b": 1}, {"a": 1.0}], [1, 0, 0], sample_weight=[1e9, 1, 1])
    assert is_finite(model)


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "III"},
        {"budget": 0},
        {"budget": 0.0},
        {"budget": 1.5},
        {"budget": True},
        {"budget": "all"},
        {"aggressiveness": 0},
        {"aggressiveness": math.nan},
        {"radius": -1},
        {"selection": "smallest"},
        {"update": "sgd"},
        {"seed": -1},
        {"seed": 1.5},
    ],
)
def test_refuses_bad_parameters(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=name):
        OLSF(**wrong).learn_one({"a": 1}, 1)
