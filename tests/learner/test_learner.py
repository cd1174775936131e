"""Learner: the doors of river and scikit-learn, and what may be done to a fitted model."""

from __future__ import annotations

import copy
import math
import pickle
import sys
import threading
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from braided import OLSF, RAND, Braid, InputError, OneVsRest, features
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream

STREAM = long_stream(seed=9, rounds=120)
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]


# ------------------------------------------------------------------------- parameters


def test_an_assigned_parameter_waits_until_fit_or_set_params():
    """Room is made by the parameters that the kernels know, or they write beyond it."""
    plain, assigned = OLSF(budget=0.5), OLSF(budget=0.5)
    for model in (plain, assigned):
        model.partial_fit(ROWS[:10], LABELS[:10])
    assigned.budget = 1
    for model in (plain, assigned):
        model.partial_fit(ROWS[10:60], LABELS[10:60])
        for x, y in STREAM[60:]:
            model.learn_one(x, y)
    assert state_of(plain) == state_of(assigned)
    assert assigned.set_params(variant="I").features_kept == 1
    assigned.budget = 3
    assert assigned.fit(ROWS, LABELS).features_kept == 3


def test_an_assigned_parameter_is_checked_before_it_comes_into_force():
    model = OLSF().fit(ROWS, LABELS)
    before = state_of(model)
    model.budget = "all"
    with pytest.raises(InputError, match="budget"):
        model.set_params(radius=3.0)
    with pytest.raises(InputError, match="budget"):
        model.fit(ROWS, LABELS)
    assert model.radius == float("inf")
    assert state_of(model) == before


@pytest.mark.parametrize("wrong", [{"budget": 2, "nonsense": 1}, {"budget": 2, "variant": "III"}])
def test_set_params_that_fails_changes_nothing(wrong):
    model = OLSF(budget=0.5).partial_fit(ROWS, LABELS)
    before = state_of(model)
    with pytest.raises(ValueError, match=r"nonsense|variant"):
        model.set_params(**wrong)
    assert model.get_params() == OLSF(budget=0.5).get_params()
    assert state_of(model) == before


@pytest.mark.parametrize(
    "budget", [Fraction(1, 2) - Fraction(1, 10**30), np.longdouble("0.49999999999999999999")]
)
def test_a_budget_that_is_rounded_up_for_kernels_has_room(budget):
    exact, rounded = OLSF(budget=budget), OLSF(budget=0.5)
    for model in (exact, rounded):
        model.partial_fit([{f"n{i}": 1.0 + i for i in range(8)}], [1])
    assert state_of(exact) == state_of(rounded)


def test_a_shallow_copy_is_a_model_of_its_own():
    model = OLSF().partial_fit(ROWS[:10], LABELS[:10])
    before = state_of(model)
    other = copy.copy(model).partial_fit(ROWS[10:], LABELS[10:])
    assert state_of(model) == before
    assert other.features_seen > model.features_seen


# -------------------------------------------------------------------- as in scikit-learn


def test_fit_starts_anew():
    model = OLSF().fit(ROWS, LABELS)
    assert state_of(model.fit(ROWS[:9], LABELS[:9])) == state_of(OLSF().fit(ROWS[:9], LABELS[:9]))
    assert model.fit([{"a": 1.0}, {"b": 1.0}], ["x", "y"]).classes_.tolist() == ["x", "y"]
    assert model.fit(np.eye(3), [1, 0, 1]).fit(np.eye(4), [1, 0, 1, 0]).n_features_in_ == 4


@pytest.mark.parametrize(
    "bad",
    [
        {"y": [1, None]},
        {"y": [1, 2, 3]},
        {"y": [1, 0], "sample_weight": [1, -1]},
        {"X": [{"a": 1.0}, {"a": b"text"}], "y": [1, 0]},
    ],
)
def test_a_refused_fit_leaves_the_model_as_it_was(bad):
    model = OLSF().partial_fit(ROWS, LABELS)
    before = state_of(model)
    with pytest.raises(InputError):
        model.fit(**{"X": [{"a": 1.0}, {"b": 1.0}], **bad})
    assert state_of(model) == before
    with pytest.raises(InputError):
        OLSF().fit(**{"X": [{"a": 1.0}, {"b": 1.0}], **bad}).predict([{}])


# -------------------------------------------------------------------------- as in river

not_dicts = pytest.mark.parametrize(
    "x",
    [None, 5, 1.5, "text", [1.0], [("a", 1.0)], ["a"], np.array([1.0, 2.0]), {"a"}, object()],
)


@not_dicts
def test_a_row_that_is_no_dict_is_refused(x):
    model = OLSF().partial_fit([{"a": 1.0, "b": 1.0}], [1])
    before = state_of(model)
    for question in (model.predict_one, model.score_one):
        with pytest.raises(InputError, match="dict"):
            question(x)
    for each in (model, OLSF()):
        with pytest.raises(InputError, match="dict"):
            each.learn_one(x, 1)
    assert state_of(model) == before


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    "bad",
    [math.inf, 1e101, b"1", [1.0, math.inf], [b"1"], 1j, 10**400, Decimal("Infinity"), object()],
    ids=["inf", "1e101", "bytes", "vector", "tags", "1j", "10**400", "Decimal", "object"],
)
def test_a_bad_value_is_refused_whether_or_not_its_name_is_known(known, bad):
    model = OLSF().partial_fit([{"a": 1.0, "b": 1.0}], [1])
    before = state_of(model)
    x = {"b": 1.0, "a" if known else "c": bad}
    for ask in (model.predict_one, model.score_one, lambda x: model.learn_one(x, 1)):
        with pytest.raises(InputError, match=r"row 0, feature '[ac]'"):
            ask(x)
    assert state_of(model) == before


def test_names_that_are_unknown_do_not_count_and_are_not_learned():
    model = OLSF().partial_fit([{"a": 1.0}, {"b": -1.0}], [1, 0])
    before = state_of(model)
    for extra in ({"c": 5.0}, {"c": None}, {"c": math.nan, "d": 2}, {7: 1.0}):
        assert model.score_one({"a": 3.0, **extra}) == model.score_one({"a": 3.0})
        assert model.predict_one({**extra, "a": 3.0}) == 1
    assert model.score_one({"c": 1.0}) == 0.0
    assert state_of(model) == before


class Shouting(dict):
    """A dict that is not quite one."""

    def __getitem__(self, name):
        raise AssertionError("rows are read through their items")


same_rows = pytest.mark.parametrize(
    "as_other",
    [
        OrderedDict,
        Counter,
        lambda x: defaultdict(float, x),
        Shouting,
        UserDict,
        ChainMap,
        MappingProxyType,
    ],
    ids=lambda kind: getattr(kind, "__name__", "?"),
)


@same_rows
def test_any_mapping_is_a_row(as_other):
    model, other = OLSF(budget=0.5), OLSF(budget=0.5)
    for x, y in STREAM:
        model.learn_one(x, y)
        mapping = as_other(x)
        assert other.score_one(mapping) == other.score_one(x)
        other.learn_one(mapping, y)
        assert len(mapping) == len(x)
    assert state_of(model) == state_of(other)


values_alike = pytest.mark.parametrize(
    "value",
    [
        -0.0, 0, True, False, 3, -7, 2**53 + 1, 2**63, 2**64 + 1, -(2**63) - 1, 10**30, 5e-324,
        1e100, -1e100, Decimal("0.1"), Fraction(1, 3), np.float32(0.1), np.float16(0.1),
        np.longdouble(0.1), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.array(0.1),
        math.nan, None, Decimal("NaN"), np.float32("nan"), "text", "two words", "1", "$1,200", "NA",
        "true", "", [1.0, 2.0], ["x", "y", "x"], [], {"x": 1.5, "y": "z"}, {}, date(2024, 2, 29),
    ],
    ids=repr,
)  # fmt: skip


@values_alike
def test_a_value_means_the_same_through_every_door(value):
    """One by one with known names, with new names, and in a block beside others."""
    rows = [
        {"a": 1.0, "b": 1.0},
        {"a": value, "b": 0.5},
        {"b": 2, "c": value, "d": 0.25},
        {"a": value},
    ]
    labels = [1, 0, 1, 0]
    one_by_one, at_once, each = OLSF(), OLSF(), OLSF()
    scores = []
    for x, y in zip(rows, labels, strict=True):
        scores.append(one_by_one.score_one(x))
        one_by_one.learn_one(x, y)
        each.partial_fit([x], [y])
    assert at_once.prequential(rows, labels).tolist() == scores
    assert state_of(one_by_one) == state_of(at_once) == state_of(each)


@pytest.mark.parametrize("seen", [0, 5, 40])
def test_an_empty_row_after_any_other_is_scored_as_empty(seen):
    """The buffers hold nothing of the row before, also when that was long, new or refused."""
    one_by_one, at_once = OLSF(), OLSF()
    rows = [
        {f"a{i}": 1.0 for i in range(seen)},
        {},
        {**{f"b{i}": 1.0 for i in range(seen)}, "nan": math.nan},
        {},
        {"x": 1.0},
        {},
    ]
    for t, x in enumerate(rows):
        assert one_by_one.score_one(x) == 0.0 or x
        one_by_one.learn_one(x, t % 2)
    assert state_of(one_by_one) == state_of(at_once.partial_fit(rows, [0, 1] * 3))


def test_what_is_unobserved_takes_no_slow_path(monkeypatch):
    """Rows with None and NaN are the daily bread of this package."""
    model = OLSF().partial_fit([{"a": 1.0, "b": 1.0}, {"c": 1.0}], [1, 0])
    expected = model.score_one({"a": 2.0})
    monkeypatch.setattr("braided.learner.engine.as_rows", None)
    for unobserved in (None, math.nan, np.float32("nan"), Decimal("NaN")):
        x = {"a": 2.0, "b": unobserved, "never seen": unobserved}
        assert model.score_one({**x, "nor this": 5}) == model.score_one({"a": 2.0}) >= expected
        model.learn_one({**x, f"new beside {unobserved!r}": 0.0}, 1)
    assert (model.rounds, model.features_seen) == (6, 7)


def test_predicting_between_learning_changes_nothing():
    model, silent = OLSF(budget=3), OLSF(budget=3)
    for t, (x, y) in enumerate(STREAM):
        model.predict_one(ROWS[-t])
        model.score_one({})
        model.learn_one(x, y)
        model.decision_function(ROWS[t : t + 2])
        silent.learn_one(x, y)
    assert state_of(model) == state_of(silent)


# ---------------------------------------------------------------- threads and interrupts


def test_threads_may_predict_side_by_side():
    rows = [{f"f{i}": 1.0 + t for i in range(t % 40)} for t in range(200)]
    model = OLSF().partial_fit(rows, [t % 2 for t in range(200)])
    expected = [model.score_one(x) for x in rows]
    wrong, interval = [], sys.getswitchinterval()

    def ask(start):
        for t in range(start, start + 1500):
            t = t % 200
            extra = {f"unknown {start}": 1.0} if t % 3 == 0 else {}
            if model.score_one({**rows[t], **extra}) != expected[t]:
                wrong.append(t)

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask, args=(50 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong


def test_after_an_interrupt_all_features_have_room(monkeypatch):
    def interrupted(self, rows, **options):
        place(self, rows, **options)
        raise KeyboardInterrupt

    place = features.FeatureSpace.place
    model = OLSF().partial_fit([{"a": 1.0}], [1])
    with monkeypatch.context() as patch:
        patch.setattr(features.FeatureSpace, "place", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.partial_fit([{f"n{i}": 1.0 for i in range(1000)}], [0])
    assert model.engine.state.weights.every.size >= len(model.engine.space) == 1001
    model.learn_one({"n999": 1.0}, 0)
    assert list(model.weights()) == ["a", "n999"]


# ------------------------------------------------------------------------------ pickling


def test_pickling_between_rows_resumes_exactly():
    model = OLSF(budget=0.3, selection="random")
    for x, y in STREAM[:60]:
        model.predict_one(x)
        model.learn_one(x, y)
    again = pickle.loads(pickle.dumps(model))
    for each in (model, again):
        for x, y in STREAM[60:]:
            each.learn_one(x, y)
    assert state_of(model) == state_of(again)
    assert again.get_params() == model.get_params()


def test_a_model_that_was_mapped_read_only_is_like_any_other(tmp_path):
    """Joblib hands models to its workers that way."""
    model = OLSF().fit(np.ones((4, 3)), [1, 0, 1, 0])
    joblib.dump(model, tmp_path / "model")
    mapped = joblib.load(tmp_path / "model", mmap_mode="r")
    X = np.array([[1.0, 2.0, np.nan]])
    assert mapped.predict(X).tolist() == model.predict(X).tolist()
    assert mapped.score_one({1: 2.0, 9: 1.0}) == model.score_one({1: 2.0, 9: 1.0})
    assert mapped.predict_one({"x": 2.0}) == model.predict_one({"x": 2.0})
    for each in (model, mapped):
        each.partial_fit(X, [0]).learn_one({2: 1.0, "x": 2.0}, 1)
    assert state_of(model) == state_of(mapped)


@pytest.mark.parametrize("kind", [np.complex64, np.complex128, np.clongdouble, complex])
def test_complex_numbers_are_refused_at_every_door(kind):
    model = OLSF().partial_fit([{"a": 1.0}, {"b": 1.0}], [0, 1])
    before = pickle.dumps(model.engine.state)
    for x in ({"a": kind(1 + 2j)}, {"a": 1.0, "new": kind(1)}):
        for refuse in (
            lambda x=x: model.learn_one(x, 1),
            lambda x=x: model.score_one(x),
            lambda x=x: model.partial_fit([x], [1]),
        ):
            with pytest.raises(InputError, match="is not allowed"):
                refuse()
    assert (pickle.dumps(model.engine.state), model.features_seen) == (before, 2)


@pytest.mark.parametrize("nan", [float("nan"), np.float64("nan"), np.float32("nan")])
def test_nan_is_no_name(nan):
    model = OLSF().partial_fit([{"a": 1.0}], [0])
    for refuse in (
        lambda: model.learn_one({"b": 1.0, nan: 1.0}, 0),
        lambda: model.partial_fit([{nan: 1.0}], [0]),
        lambda: model.partial_fit(np.ones((1, 2)), [0], feature_names=["b", nan]),
    ):
        with pytest.raises(InputError, match="NaN can not be the name of a feature"):
            refuse()
    assert model.features_seen == 1


def test_another_seed_counts_until_something_was_learned():
    rows, labels = [{f"f{i}": 1.0 for i in range(t, t + 9)} for t in range(40)], [0, 1] * 20
    for make in (
        lambda **p: OLSF(budget=3, selection="random", **p),
        lambda **p: RAND(budget=3, **p),
    ):
        early, late = make(seed=5), make(seed=1)
        late.partial_fit([], [], classes=[0, 1])
        early.partial_fit([], [], classes=[0, 1])
        late.set_params(seed=5)
        assert early.partial_fit(rows, labels).weights() == late.partial_fit(rows, labels).weights()
    outer = OneVsRest(RAND(budget=3, seed=1)).partial_fit([], [], classes=[0, 1])
    outer.set_params(learner__seed=5)
    fresh = OneVsRest(RAND(budget=3, seed=5)).partial_fit([], [], classes=[0, 1])
    assert outer.partial_fit(rows, labels).weights() == fresh.partial_fit(rows, labels).weights()


SORTED = [({"a": float(i % 7), f"f{i % 5}": 1.0}, int(i >= 40)) for i in range(80)]


@pytest.mark.parametrize("make", [OLSF, Braid, lambda: RAND(budget=3, seed=4)])
def test_fit_shuffles_by_the_seed_if_asked(make):
    rows, labels = [x for x, _ in SORTED], np.array([y for _, y in SORTED])
    weights = np.where(np.arange(80) % 9 == 0, 0.0, 0.5)
    order = np.random.default_rng(getattr(make(), "seed", 0)).permutation(80)
    shuffled = [rows[i] for i in order]
    for w in (None, weights):
        fitted = make().fit(rows, labels, w, shuffle=True)
        expected = make().fit(shuffled, labels[order], None if w is None else w[order])
        assert state_of(fitted) == state_of(expected)
        assert state_of(make().fit(rows, labels, w)) != state_of(expected)


def test_fit_that_shuffles_names_rows_by_their_own_number():
    rows, labels = [x for x, _ in SORTED], [y for _, y in SORTED]
    labels[57] = float("nan")
    with pytest.raises(InputError, match="row 57"):
        OLSF().fit(rows, labels, shuffle=True)
    with pytest.raises(InputError, match="shuffle"):
        OLSF().fit(rows, [y for _, y in SORTED], shuffle="yes")


def test_shuffled_rows_that_were_sorted_by_class_teach_as_much_as_others():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.argsort(y, kind="stable")
    fitted = Braid().fit(X[order], y[order], shuffle=True)
    random = Braid().fit(*(each[np.random.default_rng(1).permutation(y.size)] for each in (X, y)))
    assert np.mean(fitted.predict(X) == y) > 0.95 * np.mean(random.predict(X) == y) > 0.9
