"""What scikit-learn asks of an estimator, and the tools that expect it."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from braided import (
    OLSF,
    Braid,
    Calibrated,
    InputError,
    OneVsOne,
    OneVsRest,
    PseudoLabel,
    Scaled,
    registry,
)
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream

ORDER_MATTERS = "a step of twice the length is not two steps: rows are learned one after another"

EXPECTED_TO_FAIL = {
    "check_sample_weight_equivalence_on_dense_data": ORDER_MATTERS,
    "check_sample_weight_equivalence_on_sparse_data": ORDER_MATTERS,
}

# As in scikit-learn's own SVC(probability=True).
CALIBRATED = {
    "check_classifiers_train": "labels follow the score, and need not be the most probable ones"
}

STREAM = long_stream(seed=9, rounds=200)
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]


def blobs(rounds=200):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(rounds) < 0.5, "yes", "no")
    return rng.normal(size=(rounds, 4)) + np.where(y == "yes", 1.5, -1.5)[:, None], y


@pytest.mark.skipif(
    "expected_failed_checks" not in inspect.signature(check_estimator).parameters,
    reason="this scikit-learn can not be told which checks fail on purpose",
)
@pytest.mark.parametrize(
    "model",
    [
        *(registry.create(e.name) for e in registry.LEARNERS if e.alias_of is None),
        Scaled(OLSF()),
        Scaled(OLSF(), how="unit", intercept=True),
        PseudoLabel(OLSF()),
        Calibrated(OLSF()),
        Calibrated(OneVsRest(OLSF())),
        OneVsRest(OLSF()),
        OneVsOne(OLSF()),
    ],
    ids=repr,
)
def test_every_estimator_check_of_scikit_learn(model):
    calibrated = CALIBRATED if isinstance(model, Calibrated) else {}
    expected = {**EXPECTED_TO_FAIL, **calibrated}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(model, expected_failed_checks=expected, on_fail=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert not failed
    assert {r["check_name"] for r in results if r["status"] == "xfail"} <= set(expected)


def test_the_checks_that_a_braid_fails_come_from_learning_in_one_pass():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(Braid(), on_fail=None)
    failed = {r["check_name"] for r in results if r["status"] == "failed"}
    assert failed <= set(EXPECTED_TO_FAIL)
    assert Braid().__sklearn_tags__().classifier_tags.multi_class


# --------------------------------------------------------------------------- parameters


def test_parameters_are_readable_words():
    model = OLSF(budget=0.1, variant="II")
    assert repr(model) == "OLSF(budget=0.1, variant='II')"
    assert model.get_params()["budget"] == 0.1
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(budget=5) is model
    assert model.budget == 5
    with pytest.raises(ValueError, match="Invalid parameter 'step'"):
        model.set_params(step=1)
    with pytest.raises(TypeError):
        OLSF(0.1)


def test_parameters_are_checked_when_they_are_first_used():
    model = OLSF(budget=-1)
    for use in (
        lambda: model.learn_one({"a": 1}, "yes"),
        lambda: model.partial_fit(ROWS, LABELS),
        lambda: model.fit(ROWS, LABELS),
        lambda: model.prequential(ROWS, LABELS),
    ):
        with pytest.raises(InputError, match="budget=-1 is not allowed"):
            use()
    assert model.rounds == 0
    model.set_params(budget=3).fit(ROWS, LABELS)
    before = state_of(model)
    with pytest.raises(InputError, match="budget=-1 is not allowed"):
        model.set_params(budget=-1)  # it has learned, so it would be used at once
    assert model.budget == 3
    assert state_of(model) == before


def test_a_clone_has_learned_nothing():
    model = OLSF(budget=3).fit(ROWS, LABELS)
    assert clone(model).rounds == 0
    assert state_of(clone(model).fit(ROWS, LABELS)) == state_of(model)


def test_the_score_is_the_share_of_right_labels():
    X, y = blobs(100)
    model = OLSF().fit(X, y)
    right = model.predict(X) == y
    assert model.score(X, y) == right.mean()
    weights = np.arange(100.0)
    assert model.score(X, y, weights) == pytest.approx(weights[right].sum() / weights.sum())


def test_sample_weights_are_routed_to_those_who_ask():
    X, y = blobs()
    weights = np.where(np.arange(200) % 2, 1.0, 0.0)
    with config_context(enable_metadata_routing=True):
        asking = OLSF().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        pipeline = make_pipeline(clone(asking)).fit(X, y, sample_weight=weights)
        assert pipeline[-1].rounds == 100
        with pytest.raises(ValueError, match="not explicitly set"):
            make_pipeline(OLSF()).fit(X, y, sample_weight=weights)


# ------------------------------------------------------------------------ sample weights


def test_a_row_of_weight_zero_is_left_out():
    weights = np.tile([1.0, 0.0, 1.0, 1.0], 50)
    kept = np.flatnonzero(weights)
    weighted = OLSF(budget=0.5).partial_fit(ROWS, LABELS, sample_weight=weights)
    left_out = OLSF(budget=0.5).partial_fit([ROWS[i] for i in kept], [LABELS[i] for i in kept])
    assert state_of(weighted) == state_of(left_out)
    model = OLSF().partial_fit([{"a": 1.0}, {"b": 9.0}], [1, 7], sample_weight=[1, 0])
    assert (model.rounds, model.features_seen, model.classes_.tolist()) == (1, 1, [1])


@pytest.mark.parametrize("variant", ["hard", "I", "II"])
def test_a_weight_scales_the_step(variant):
    x, full = {"a": 3.0, "b": -1.0}, OLSF(variant=variant)
    full.partial_fit([x], [1])
    for weight in (0.25, 2, 7.5):
        model = OLSF(variant=variant).partial_fit([x], [1], sample_weight=[weight])
        expected = {name: weight * w for name, w in full.weights().items()}
        assert model.weights() == pytest.approx(expected, rel=1e-14)


def test_weights_of_one_change_nothing():
    plain = OLSF(budget=4).partial_fit(ROWS, LABELS)
    for ones in ([1] * 200, np.ones(200, np.float32), np.ones(400)[::2], np.ones(200, bool)):
        assert state_of(OLSF(budget=4).partial_fit(ROWS, LABELS, sample_weight=ones)) == state_of(
            plain
        )
    frozen = np.ones(200)
    frozen.flags.writeable = False
    assert state_of(OLSF(budget=4).fit(ROWS, LABELS, frozen)) == state_of(plain)


@pytest.mark.parametrize(
    "weights",
    [
        [1], [1, 1, 1], 1.0, [[1, 1]], [1, -1], [1, np.nan], [1, np.inf], [1, 1.1e9], [1, "x"],
        [1, 1j], [1, None], ["1", "1"], [1, 10**400], [[1], [1, 1]], np.array([1, 1j]),
    ],
    ids=repr,
)  # fmt: skip
def test_weights_that_mean_nothing_are_refused(weights):
    model = OLSF().partial_fit([{"a": 1.0}], [1])
    before = state_of(model)
    with pytest.raises(InputError, match="sample_weight"):
        model.partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0], sample_weight=weights)
    assert state_of(model) == before


# ----------------------------------------------------------------------- width and names


def test_the_width_of_arrays_without_names_must_stay():
    X, y = blobs()
    model = OLSF().partial_fit(X[:50], y[:50])
    before = state_of(model)
    assert model.n_features_in_ == 4
    for wrong in (X[:, :3], np.hstack([X, X]), sp.csr_matrix(X[:, :2])):
        for ask in (model.predict, model.decision_function, lambda X: model.partial_fit(X, y)):
            with pytest.raises(InputError, match=r"X has \d features, but OLSF is expecting 4"):
                ask(wrong)
    assert state_of(model) == before
    model.partial_fit(sp.csr_matrix(X), y)
    model.partial_fit(X[:, :2], y, feature_names=["a", "b"])
    model.partial_fit([{"c": 1.0, 3: 1.0}], ["yes"])
    assert (model.n_features_in_, model.features_seen) == (4, 7)
    assert OLSF().partial_fit([{"a": 1.0, "b": 1.0}], [1]).n_features_in_ == 2


def test_columns_and_the_dicts_of_their_numbers_are_the_same_features():
    X, y = blobs(20)
    model = OLSF().partial_fit(X, y)
    scores = model.decision_function(X)
    assert [model.score_one(dict(enumerate(x))) for x in X.tolist()] == scores.tolist()
    assert model.predict_one({}) == "no"
    assert model.decision_function(X, feature_names=["a", "b", "c", "d"]).tolist() == [0.0] * 20


# --------------------------------------------------------------------- learned, or not yet


@pytest.mark.parametrize("X", [[], [{}][:0], np.empty((0, 3)), sp.csr_matrix((0, 3))])
def test_no_rows_teach_nothing(X):
    model = OLSF().partial_fit(X, [])
    assert model.rounds == 0
    assert model.predict_one({"a": 1.0}) is None
    for question in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match="learned nothing yet"):
            question([{"a": 1.0}])
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "n_features_in_")
    model.partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0])
    assert model.partial_fit(X[:0], []).predict([{"a": 1.0}]).tolist() == [1]
    assert model.predict([]).size == 0
    with pytest.raises(InputError, match="at least one row"):
        model.fit(X, [])
    assert model.rounds == 2


def test_fit_needs_labels_features_and_a_weight():
    for wrong, why in (
        ({"X": np.eye(2)}, "requires y to be passed"),
        ({"X": np.eye(2), "y": [1, 0], "sample_weight": [0, 0]}, "every sample weight is zero"),
        ({"X": np.empty((2, 0)), "y": [1, 0]}, r"0 feature\(s\)"),
    ):
        with pytest.raises(InputError, match=why):
            OLSF().fit(**wrong)


# ------------------------------------------------------------------------ in company


def test_learners_in_pipelines_searches_and_wrappers():
    X, y = blobs()
    pipeline = make_pipeline(StandardScaler(), OLSF())
    assert pipeline.fit(X, y).score(X, y) > 0.9
    assert cross_val_score(OLSF(), X, y, cv=3).min() > 0.9
    assert cross_val_score(OLSF(), sp.csr_matrix(X), y, cv=3).min() > 0.9
    search = GridSearchCV(pipeline, {"olsf__variant": ["I", "II"], "olsf__budget": [1, 0.5]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.8
    assert set(cross_val_predict(OLSF(), X, y, method="decision_function") > 0) == {True, False}
    three = np.where(X[:, 0] > 2, "far", y)
    assert OneVsRestClassifier(OLSF()).fit(X, three).score(X, three) > 0.5
    assert CalibratedClassifierCV(OLSF(), cv=3).fit(X, y).predict_proba(X).shape == (200, 2)


def test_learners_made_of_learners_in_pipelines_and_searches():
    X, y = blobs()
    three = np.where(X[:, 0] > 2, "far", y)
    model = Scaled(OneVsRest(OLSF()), intercept=True)
    assert cross_val_score(model, X, three, cv=3).min() > 0.6
    assert make_pipeline(StandardScaler(), model).fit(X, three).score(X, three) > 0.6
    grid = {
        "how": ["standard", "maxabs", "unit", "tfidf"],
        "learner__learner__variant": ["I", "II"],
    }
    search = GridSearchCV(model, grid, cv=3).fit(X, three)
    assert search.best_score_ > 0.6
    assert set(search.best_params_) == set(grid)
    assert cross_val_score(OneVsOne(OLSF()), sp.csr_matrix(X), three, cv=3).min() > 0.6
    assert cross_val_score(PseudoLabel(Scaled(OLSF())), X, y, cv=3).min() > 0.9


def test_rows_of_changing_features_in_a_cross_validation():
    scores = cross_val_score(OLSF(), ROWS, LABELS, cv=3)
    assert scores.shape == (3,)
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    assert cross_val_score(OLSF(), frame, LABELS, cv=3).tolist() == pytest.approx(scores.tolist())
