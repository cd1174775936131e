"""Braid against its plain transcription, that against the laboratory's, and what it must show."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from braided import Braid, InputError, datasets
from tests import naive
from tests.support.braid_recipe import BOTH_LABELS, as_rows_of, compare
from tests.support.streams_of_rows import any_values, long_stream, streams

DATA = Path(os.environ.get("BRAIDED_DATA", Path(__file__).parents[3] / "shared" / "data"))
LABORATORY = DATA.parent / "braid" / "prototype.py"


@given(streams(any_values, max_rows=90), st.booleans())
def test_equals_the_plain_recipe(stream, label_memory):
    compare([*BOTH_LABELS, *stream], label_memory=label_memory)


@given(streams(max_rows=90))
def test_equals_the_plain_recipe_where_values_repeat(stream):
    compare([*BOTH_LABELS, *stream])


@pytest.mark.parametrize("density", [0.05, 0.3, 0.9])
def test_equals_the_plain_recipe_on_a_long_stream(density):
    compare([*BOTH_LABELS, *long_stream(seed=7, density=density, rounds=600, features=30)])


@cache
def laboratory() -> dict[str, Any]:
    """Its kernel without Numba's cache, which would write into that folder, and without chance."""
    source = LABORATORY.read_text().replace("cache=True", "")
    namespace: dict[str, Any] = {"__name__": "laboratory"}
    exec(source.replace("np.random.randint(0, k)", "0"), namespace)
    return namespace


def laboratory_scores(stream, budget: int = 0):
    if not LABORATORY.is_file():
        pytest.skip("needs braid/prototype.py beside the folder BRAIDED_DATA")
    columns: dict[str, int] = {}
    for x, _ in stream:
        for name in x:
            columns.setdefault(name, len(columns))
    indptr = np.cumsum([0, *(len(x) for x, _ in stream)])
    indices = np.array([columns[name] for x, _ in stream for name in x])
    values = np.array([v for x, _ in stream for v in x.values()])
    labels = np.array([float(y) for _, y in stream])
    scores = laboratory()["scores"](indptr, indices, values, labels, len(columns), budget=budget)
    return scores[0]


@pytest.mark.parametrize(
    ("density", "rounded", "budget"),
    [
        (0.1, False, None),
        (0.5, True, None),
        (0.9, False, None),
        (0.9, False, 1),
        (0.5, False, 3),
        (0.3, False, 8),
    ],
)
def test_the_plain_recipe_equals_the_laboratory_version(density, rounded, budget):
    features = 25 if budget is None else 60
    stream = long_stream(seed=1, density=density, rounds=300, features=features)
    if rounded:  # few different values, so that ties matter
        stream = [({n: float(round(v)) for n, v in x.items()}, y) for x, y in stream]
    plain = naive.braid.Braid(laboratory=True, budget=budget)
    ours = [plain.learn(x, y) for x, y in stream]
    scores = laboratory_scores(stream, budget or 0)
    np.testing.assert_allclose(expit(ours) - 0.5, scores, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("weight", [0.1, 3.0])
def test_sample_weights_are_those_of_the_recipe(weight):
    plain, fast = naive.braid.Braid(), Braid()
    for x, y in [*BOTH_LABELS, *long_stream(seed=3, rounds=200, features=20)]:
        before = fast.score_one(x)
        assert before == pytest.approx(plain.learn(x, y, weight), rel=1e-9, abs=1e-9)
        fast.partial_fit([x], [y], sample_weight=[weight])


@pytest.mark.parametrize("seed", range(3))
def test_coin_flips_can_not_be_predicted(seed):
    """An error below one half would mean that the label leaks into its own prediction."""
    rng = np.random.default_rng(seed)
    X = np.exp(rng.normal(size=(20_000, 12)))
    X[rng.random(X.shape) < 0.4] = np.nan
    y = rng.choice([-1, 1], size=20_000)
    errors = Braid().prequential(X, y) * y <= 0
    assert 0.49 < errors.mean() < 0.51


def test_the_unit_of_a_feature_does_not_matter():
    rows, labels = as_rows_of(long_stream(seed=9, rounds=500, features=25))
    rng = np.random.default_rng(0)
    factor = {f"f{j}": 10.0 ** rng.integers(-4, 5) for j in range(25)}
    scaled = [{name: v * factor[name] for name, v in x.items()} for x in rows]
    np.testing.assert_allclose(
        Braid().prequential(rows, labels), Braid().prequential(scaled, labels), atol=1e-5
    )


def test_probabilities_belong_to_the_scores():
    rows, labels = as_rows_of(long_stream(seed=2))
    model = Braid().partial_fit(rows, np.where(labels > 0, "yes", "no"))
    chances = model.predict_proba(rows)
    assert chances.shape == (len(rows), 2)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    np.testing.assert_allclose(chances[:, 1], expit(model.decision_function(rows)))
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.predict_proba_one(rows[5]) == pytest.approx(
        {"no": chances[5, 0], "yes": chances[5, 1]}
    )
    chosen = model.classes_[chances.argmax(axis=1)]
    assert (chosen == model.predict(rows)).all()


def test_probabilities_before_both_labels_are_known():
    model = Braid()
    assert model.predict_proba_one({"a": 1.0}) == {}
    model.learn_one({"a": 1.0}, "x")
    assert model.predict_proba_one({"a": 1.0}) == {"x": 1.0}
    assert model.predict_proba([{"a": 1.0}]).tolist() == [[1.0]]


def test_probabilities_are_calibrated():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 5))
    chance = 1 / (1 + np.exp(-X @ np.array([1.0, -1.0, 0.5, 0.0, 0.0])))
    y = rng.random(20_000) < chance
    told = expit(Braid().prequential(X, y))
    late = slice(2_000, None)
    assert np.abs(told - chance)[late].mean() < 0.03
    for low in np.arange(0.1, 0.9, 0.1):
        some = (told[late] >= low) & (told[late] < low + 0.1)
        assert abs(y[late][some].mean() - told[late][some].mean()) < 0.05


def test_experts_tell_their_shares_and_losses():
    assert Braid().experts() == {}
    rows, labels = as_rows_of(long_stream(seed=2))
    plain, model = naive.braid.Braid(), Braid().partial_fit(rows, labels)
    for x, y in zip(rows, labels.tolist(), strict=True):
        plain.learn(x, y)
    report = model.experts()
    assert sum(member["share"] for member in report.values()) == pytest.approx(1.0)
    losses = [member["loss"] for member in report.values()]
    assert losses == pytest.approx(plain.losses / len(rows), rel=1e-6)
    assert [m["weight"] for m in report.values() if "weight" in m] == pytest.approx(
        plain.stack[:6], rel=1e-6
    )


def test_explains_by_name():
    rng = np.random.default_rng(0)
    rows, labels = [], []
    for _ in range(500):
        spam = bool(rng.random() < 0.5)
        x = {"hello": 1.0, "cheap" if spam else "lunch": 1.0}
        x |= {f"word {rng.integers(30)}": 1.0}
        rows.append(x)
        labels.append("spam" if spam else "mail")
    model = Braid().partial_fit(rows, labels)
    pushes = model.explain({"cheap": 1, "hello": 1, "unheard of": 1, "word 3": None})
    assert list(pushes) == ["cheap", "hello"]
    assert pushes["cheap"] > 1 > abs(pushes["hello"])
    assert model.explain({"lunch": 1})["lunch"] < -1
    weights = model.weights()
    assert weights["cheap"] > 0 > weights["lunch"]
    assert {*list(weights)[:2]} == {"cheap", "lunch"}
    assert Braid().explain({"a": 1}) == {}


def test_predicting_and_explaining_change_nothing():
    rows, labels = as_rows_of(long_stream(seed=2))
    first, second = Braid(), Braid()
    for x, y in zip(rows, labels.tolist(), strict=True):
        first.learn_one(x, y)
        second.predict_one(rows[0])
        second.predict_proba(rows[:3]) if second.rounds else None
        second.explain(x)
        second.learn_one(x, y)
    assert first.prequential(rows, labels).tolist() == second.prequential(rows, labels).tolist()


def test_features_that_vanish_and_return_find_what_was_learned():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 2))
    y = X[:, 0] > 0
    rows = [{"a": a, "b": b} for a, b in X.tolist()]
    model = Braid().partial_fit(rows[:300], y[:300])
    model.partial_fit([{"b": x["b"]} for x in rows[300:600]], y[300:600])
    right = (model.prequential(rows[600:700], y[600:700]) > 0) == y[600:700]
    assert right.mean() > 0.85


def test_label_memory_predicts_runs_of_labels():
    rng = np.random.default_rng(0)
    y = np.cumsum(rng.random(4_000) < 0.1) % 2
    X = rng.normal(size=(4_000, 3)) + 0.3 * y[:, None]
    error = {memory: np.mean((Braid(label_memory=memory).prequential(X, y) > 0) != y)
             for memory in (True, False)}  # fmt: skip
    assert error[True] < 0.13 < 0.3 < error[False]


def test_spam_by_named_words(monkeypatch):
    if not (DATA / "sms_spam.svm.gz").is_file():
        pytest.skip("needs sms_spam.svm.gz in the folder BRAIDED_DATA")
    monkeypatch.setenv("BRAIDED_DATA", str(DATA))
    data = datasets.load("sms_spam")
    scores = Braid().prequential(data.X, data.y)
    assert np.mean((scores > 0) != (data.y > 0)) <= 0.016


def test_refuses_bad_parameters():
    with pytest.raises(InputError, match="label_memory"):
        Braid(label_memory="yes").learn_one({"a": 1}, 1)
