"""What holds for every learner that is made of learners."""

from __future__ import annotations

import copy
import io
import math
import pickle

import joblib
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from braided import (
    GLSC,
    OCO,
    OLSF,
    SSOL,
    Braid,
    Calibrated,
    InputError,
    OneVsOne,
    OneVsRest,
    PseudoLabel,
    Scaled,
)
from tests.support.every_composite import cut, labelled_streams, many_classes, scores_by_class
from tests.support.learned import state_of

TWO, MANY = [-1, 1], ["a", "b", "c", "d"]
PARTIAL = [-1, 1, None]

MADE = {
    "rest": (lambda: OneVsRest(OLSF(budget=0.4)), MANY),
    "rest-random": (lambda: OneVsRest(OLSF(budget=0.4, selection="random", seed=3)), MANY),
    "rest-two": (lambda: OneVsRest(OCO()), TWO),
    "rest-braid": (lambda: OneVsRest(Braid()), MANY),
    "scaled-rest-braid": (lambda: Scaled(OneVsRest(Braid())), MANY),
    "one": (lambda: OneVsOne(OLSF(budget=0.4)), MANY),
    "standard": (lambda: Scaled(OLSF(budget=0.4)), TWO),
    "maxabs": (lambda: Scaled(SSOL(), how="maxabs", intercept=True), TWO),
    "unit": (lambda: Scaled(OLSF(), how="unit", intercept=True), TWO),
    "tfidf": (lambda: Scaled(OLSF(budget=0.4), how="tfidf", intercept=True), TWO),
    "one-tfidf": (lambda: OneVsOne(Scaled(OLSF(), how="tfidf")), MANY),
    "glsc": (lambda: Scaled(GLSC(budget=5), intercept=True), TWO),
    "pseudo": (lambda: PseudoLabel(OLSF(budget=0.4), confidence=0.05), PARTIAL),
    "pseudo-scaled": (lambda: PseudoLabel(Scaled(OLSF(), intercept=True), confidence=0.1), PARTIAL),
    "scaled-pseudo": (lambda: Scaled(PseudoLabel(OLSF(), confidence=0.1)), PARTIAL),
    "rest-scaled": (lambda: OneVsRest(Scaled(OLSF(), intercept=True)), MANY),
    "scaled-rest": (lambda: Scaled(OneVsRest(OLSF()), how="maxabs", intercept=True), MANY),
    "unit-rest": (lambda: Scaled(OneVsRest(OLSF()), how="unit"), MANY),
    "rest-unit": (lambda: OneVsRest(Scaled(OLSF(), how="unit")), MANY),
    "one-scaled": (lambda: OneVsOne(Scaled(OLSF())), MANY),
    "calibrated": (lambda: Calibrated(OLSF(budget=0.4)), TWO),
    "calibrated-scaled": (lambda: Calibrated(Scaled(OLSF(), intercept=True)), TWO),
    "calibrated-rest": (lambda: Calibrated(OneVsRest(OLSF(budget=0.4))), MANY),
    "calibrated-one-braid": (lambda: Calibrated(OneVsOne(Braid())), MANY),
    "calibrated-pseudo": (lambda: Calibrated(PseudoLabel(OLSF(), confidence=0.05)), PARTIAL),
    "scaled-one": (lambda: Scaled(OneVsOne(OLSF())), MANY),
}  # fmt: skip
EVERY = pytest.mark.parametrize("name", MADE)


def new(name):
    return MADE[name][0]()


def long_stream(name, seed=1, rounds=200):
    labels = MADE[name][1]
    stream = many_classes(seed, rounds, features=20)
    known = {"a": labels[0], "b": labels[1], "c": labels[2 % len(labels)], "d": labels[-1]}
    return [(x, known[y]) for x, y in stream]


@EVERY
@settings(max_examples=25)
@given(data=st.data(), cuts=st.lists(st.integers(1, 7), min_size=1, max_size=20))
def test_one_by_one_equals_in_blocks_bit_for_bit(name, data, cuts):
    stream = data.draw(labelled_streams(MADE[name][1]))
    one_by_one, at_once, in_blocks = new(name), new(name), new(name)
    for x, y in stream:
        one_by_one.predict_one(x)
        one_by_one.learn_one(x, y)
    at_once.partial_fit([x for x, _ in stream], [y for _, y in stream])
    for rows, labels in cut(stream, cuts):
        in_blocks.prequential(rows, labels)
    assert state_of(one_by_one) == state_of(at_once) == state_of(in_blocks)


@EVERY
def test_scores_before_each_row_are_those_of_one_by_one(name):
    stream = long_stream(name)
    one_by_one, at_once = new(name), new(name)
    many, before, predicted = one_by_one.many_classes, [], []
    for x, y in stream:
        before.append(scores_by_class(one_by_one, x) if many else one_by_one.score_one(x))
        predicted.append(one_by_one.predict_one(x))
        one_by_one.learn_one(x, y)
    scores = at_once.prequential([x for x, _ in stream], [y for _, y in stream], by_class=many)
    if many:
        classes = at_once.classes_.tolist()
        before = [[score.get(c, -math.inf) for c in classes] for score in before]
        chosen = at_once.classes_[scores.argmax(axis=1)].tolist()
        assert chosen[1:] == predicted[1:]
        assert np.isneginf(scores[0]).all()
    assert scores.tolist() == before
    rows = [x for x, _ in stream]
    assert at_once.predict(rows).tolist() == [at_once.predict_one(x) for x in rows]
    one_scored = [at_once.score_one(x) for x in rows]
    if len(at_once.classes_) > 2:
        one_scored = [list(score.values()) for score in one_scored]
    assert at_once.decision_function(rows).tolist() == one_scored


@EVERY
def test_delayed_labels_equal_a_plain_loop(name):
    stream = long_stream(name, rounds=60)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    due = np.minimum(np.arange(60) // 7 * 7, 50)
    late, plain = new(name), new(name)
    from braided import as_rows

    many = late.many_classes
    scores = late.interleaved(rows, as_rows(rows[:50], labels[:50]), due, by_class=many)
    learned = 0
    for t, x in enumerate(rows):
        expected = scores_by_class(plain, x) if many else plain.score_one(x)
        if many:
            found = dict(zip(late.classes_.tolist(), scores[t].tolist(), strict=True))
            assert {c: s for c, s in found.items() if s > -math.inf} == expected
        else:
            assert scores[t] == expected
        for i in range(learned, due[t]):
            plain.learn_one(rows[i], labels[i])
        learned = due[t]
    assert state_of(plain) == state_of(late)


@EVERY
def test_dicts_csr_arrays_and_none_are_the_same(name):
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(60, 6)).round(2)
    dense[rng.random(dense.shape) < 0.3] = np.nan
    dense[3, 2] = 0.0
    labels = [MADE[name][1][i] for i in rng.integers(len(MADE[name][1]), size=60)]
    row, column = np.nonzero(~np.isnan(dense))
    csr = sp.csr_matrix((dense[row, column], (row, column)), shape=dense.shape)
    dicts = [{j: v for j, v in enumerate(values) if v == v} for values in dense.tolist()]
    with_none = [{j: v if v == v else None for j, v in enumerate(x)} for x in dense.tolist()]
    models = [new(name).partial_fit(X, labels) for X in (dense, csr, dicts, with_none)]
    one_by_one = new(name)
    for x, y in zip(with_none, labels, strict=True):
        one_by_one.score_one(x)
        one_by_one.learn_one(x, y)
    assert all(state_of(model) == state_of(models[0]) for model in [*models, one_by_one])


@EVERY
@pytest.mark.parametrize("bad", [math.inf, 1e101, b"text", [math.inf], 10**400])
def test_bad_values_are_refused_and_change_nothing(name, bad):
    stream = long_stream(name, rounds=40)
    model = new(name).partial_fit([x for x, _ in stream], [y for _, y in stream])
    before, label = state_of(model), stream[0][1]
    bad_row = {"f0": 1.0, "never seen": 2.0, "f1": bad}
    for question in (lambda: model.learn_one(bad_row, label), lambda: model.predict_one(bad_row)):
        with pytest.raises(InputError, match=r"row 0, feature 'f1'"):
            question()
    with pytest.raises(InputError, match=r"row 1, feature 'f1'"):
        model.partial_fit([{"new": 1.0}, bad_row], [label, label])
    assert state_of(model) == before


@EVERY
@pytest.mark.parametrize("label", [math.inf, [1], 0.5])
def test_what_can_not_be_a_label_is_refused(name, label):
    stream = long_stream(name, rounds=40)
    model = new(name).partial_fit([x for x, _ in stream], [y for _, y in stream])
    before = state_of(model)
    with pytest.raises(InputError):
        model.learn_one({"f0": 1.0}, label)
    with pytest.raises(InputError, match="row 1"):
        model.partial_fit([{"f0": 1.0}, {"new": 1.0}], np.array([MADE[name][1][0], label], object))
    if MADE[name][1] is not PARTIAL:
        for missing in (None, math.nan):
            with pytest.raises(InputError, match="row 0: the label is missing"):
                model.learn_one({"new": 1.0}, missing)
    assert state_of(model) == before


@EVERY
def test_copies_go_on_as_the_model_does(name):
    stream = long_stream(name)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    model = new(name).partial_fit(rows[:100], labels[:100])
    dumped = io.BytesIO()
    joblib.dump(model, dumped)
    dumped.seek(0)
    copies = [
        copy.deepcopy(model),
        copy.copy(model),
        pickle.loads(pickle.dumps(model)),
        joblib.load(dumped),
    ]
    for each in [model, *copies]:
        each.partial_fit(rows[100:], labels[100:])
    assert all(state_of(each) == state_of(model) for each in copies)
    again = clone(model).fit(rows, labels)
    assert state_of(again) == state_of(model)
    assert state_of(again.fit(rows, labels)) == state_of(model)


@EVERY
def test_answers_before_anything_was_learned(name):
    model = new(name)
    assert model.predict_one({"a": 1.0}) is None
    assert not model.score_one({"a": 1.0})
    assert (model.weights(), model.rounds, model.features_seen, model.memory_bytes) == ({}, 0, 0, 0)
    assert model.features_kept == 0
    for question in (model.predict, model.decision_function):
        with pytest.raises(NotFittedError):
            question([{"a": 1.0}])
    assert model.partial_fit([], []).predict_one({"a": 1.0}) is None


@EVERY
def test_a_fit_that_is_refused_forgets_nothing(name):
    stream = long_stream(name, rounds=50)
    model = new(name).fit([x for x, _ in stream], [y for _, y in stream])
    scores = model.decision_function([{"f0": 1.0}]).tolist()
    before = state_of(model)
    with pytest.raises(InputError):
        model.fit([{"f0": 1.0}, {"f1": math.inf}], ["a", "b"])
    with pytest.raises(InputError):
        model.fit([{"f0": 1.0}, {"f1": 1.0}], ["a", "b"], sample_weight=[0, 0])
    assert state_of(model) == before
    assert model.decision_function([{"f0": 1.0}]).tolist() == scores


@EVERY
def test_memory_bytes_include_the_learners_inside(name):
    stream = long_stream(name, rounds=50)
    model = new(name).fit([x for x, _ in stream], [y for _, y in stream])
    inside = sum(each.state_bytes for each in model.engine.inside())
    assert model.memory_bytes >= inside + model.engine.space.memory_bytes > 0
    assert model.rounds == 50 - getattr(model, "skipped", 0) or name in (
        "scaled-pseudo",
        "calibrated-pseudo",
    )


@EVERY
def test_the_learner_that_was_given_is_left_alone(name):
    model = new(name)
    given = model.learner
    assert model.partial_fit([{"a": 1.0}, {"b": 1.0}], MADE[name][1][:2]).learner is given
    assert given.rounds == 0


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne, Scaled, PseudoLabel])
@pytest.mark.parametrize("wrong", [None, 3, OLSF, "olsf", np.eye(2)], ids=repr)
def test_what_is_inside_must_be_a_learner(make, wrong):
    with pytest.raises(InputError, match="made of a learner"):
        make(wrong).learn_one({"a": 1}, 1)


def test_combinations_that_are_refused():
    for make, why in (
        (lambda: OneVsRest(OneVsRest(OLSF())), "many classes apart by itself"),
        (lambda: OneVsRest(Scaled(OneVsOne(OLSF()))), "many classes apart by itself"),
        (lambda: PseudoLabel(Scaled(PseudoLabel(OLSF()))), "without labels already"),
        (lambda: Scaled(OneVsRest(Scaled(OLSF()))), "scales already"),
        (lambda: Scaled(OLSF(), how="robust"), "how='robust' is not allowed"),
        (lambda: Scaled(OLSF(), intercept="yes"), "intercept='yes'"),
        (lambda: PseudoLabel(OLSF(), confidence=0), "confidence=0 is not allowed"),
    ):
        with pytest.raises(InputError, match=why):
            make().learn_one({"a": 1}, 1)


def test_parameters_of_the_learner_inside():
    stream = long_stream("rest")
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    model = OneVsRest(Scaled(OLSF(budget=8))).fit(rows, labels)
    assert model.get_params()["learner__learner__budget"] == 8
    model.set_params(learner__learner__budget=2)
    assert all(len(weights) <= 2 for weights in model.weights().values())
    before = state_of(model)
    for wrong in (
        {"learner__learner__budget": 0},
        {"learner__learner__budget": 5, "learner__how": "robust"},
        {"learner__learner__budget": 5, "learner__how": "unit"},
        {"learner__learner": OCO()},
        {"learner": OLSF()},
    ):
        with pytest.raises(ValueError, match=r"not allowed|can not"):
            model.set_params(**wrong)
        assert model.get_params()["learner__learner__budget"] == 2
        assert model.learner.how == "standard"
        assert state_of(model) == before
    model.partial_fit(rows, labels)
    assert all(len(weights) <= 2 for weights in model.weights().values())


def test_an_attribute_comes_into_force_with_set_params_or_fit():
    stream = long_stream("standard")
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    plain, changed = Scaled(OLSF()).fit(rows, labels), Scaled(OLSF()).fit(rows, labels)
    changed.how, changed.intercept, changed.learner.budget = "unit", True, 1
    for model in (plain, changed):
        model.partial_fit(rows, labels)
        model.learn_one(rows[0], labels[0])
    assert state_of(plain) == state_of(changed)
    assert state_of(changed.fit(rows, labels)) == state_of(clone(changed).fit(rows, labels))


def test_the_most_features_of_the_learner_inside_is_the_limit():
    model = Scaled(SSOL(covariance="full"), intercept=True)
    most = model.most_features
    wide = [dict.fromkeys(range(most), 1.0)]
    with pytest.raises(InputError, match=f"at most {most} features"):
        model.partial_fit(wide, [1])
    assert model.rounds == 0
    assert model.partial_fit([dict.fromkeys(range(most - 1), 1.0)], [1]).features_seen == most
