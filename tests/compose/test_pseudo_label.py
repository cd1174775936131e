"""Rows without labels against the plain transcription."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import (
    OCO,
    OLSF,
    Braid,
    InputError,
    OneVsOne,
    OneVsRest,
    PseudoLabel,
    Scaled,
    registry,
)
from tests.naive import compose as naive
from tests.support.every_composite import labelled_streams, scores_by_class
from tests.support.learned import state_of
from tests.support.streams_of_rows import long_stream

PARTIAL = [False, True, None]


def compare(model, inside, confidence, stream):
    plain = naive.PseudoLabel(inside, confidence)
    for x, y in stream:
        assert model.score_one(x) == plain.score_one(x)
        model.learn_one(x, y)
        plain.learn_one(x, y)
    assert (model.pseudo_labelled, model.skipped) == (plain.pseudo_labelled, plain.skipped)
    return plain


@settings(max_examples=50)
@given(stream=labelled_streams(PARTIAL), confidence=st.sampled_from([1e-3, 0.05, 0.3, math.inf]))
def test_equals_the_plain_transcription_bit_for_bit(stream, confidence):
    model = PseudoLabel(OLSF(), confidence=confidence)
    plain = compare(model, OLSF(), confidence, stream)
    assert model.rounds == plain.inside.rounds
    assert model.weights() == plain.inside.weights()


MANY = ["a", "b", "c", None]
MANY_CLASSES = {
    "OneVsRest": lambda: OneVsRest(OLSF()),
    "OneVsOne": lambda: OneVsOne(OLSF()),
    "Braid": Braid,
    "Braid, budget": lambda: Braid(budget=3),
    "OLSF": lambda: OLSF().allow_any_labels(),
}


@pytest.mark.parametrize("case", MANY_CLASSES)
@settings(max_examples=20)
@given(stream=labelled_streams(MANY), confidence=st.sampled_from([0.01, 0.1, 1.0, math.inf]))
def test_many_classes_equal_the_plain_transcription_bit_for_bit(case, stream, confidence):
    make = MANY_CLASSES[case]
    model, at_once = (PseudoLabel(make(), confidence=confidence) for _ in range(2))
    inside = make()
    plain = naive.PseudoLabelOfMany(inside, confidence, partial(scores_by_class, inside))
    for x, y in stream:
        assert model.score_one(x) == plain.score_one(x)
        model.learn_one(x, y)
        plain.learn_one(x, y)
    at_once.partial_fit([x for x, _ in stream], [y for _, y in stream])
    assert state_of(model) == state_of(at_once)
    assert (model.pseudo_labelled, model.skipped) == (plain.pseudo_labelled, plain.skipped)
    assert model.rounds == plain.inside.rounds
    assert model.weights() == plain.inside.weights()


def few_labels(seed, share=0.3):
    rng = np.random.default_rng(seed)
    return [(x, y > 0 if rng.random() < share else None) for x, y in long_stream(seed=seed)]


@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_can_be_inside(name):
    stream = few_labels(seed=4)
    model = PseudoLabel(registry.create(name), confidence=0.2)
    at_once = PseudoLabel(registry.create(name), confidence=0.2)
    for x, y in stream:
        model.learn_one(x, y)
    at_once.partial_fit([x for x, _ in stream], [y for _, y in stream])
    assert state_of(model) == state_of(at_once)
    assert model.pseudo_labelled + model.skipped == sum(y is None for _, y in stream)
    assert model.rounds + model.skipped == len(stream)


def test_statistics_of_scaling_include_skipped_rows():
    stream = few_labels(seed=5)
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    inside = PseudoLabel(Scaled(OLSF()), confidence=0.3)
    outside = Scaled(PseudoLabel(OLSF(), confidence=0.3))
    assert inside.prequential(rows, labels).tolist() == outside.prequential(rows, labels).tolist()
    assert inside.weights() == outside.weights()
    assert 0 < inside.skipped < inside.pseudo_labelled + inside.skipped


def test_missing_labels_among_numbers_texts_and_in_pandas():
    rows = [{"a": 1.0}, {"b": 1.0}, {"a": 2.0}, {"b": 2.0}]
    models = [
        PseudoLabel(OLSF(), confidence=0.1).fit(rows, labels)
        for labels in ([1, 0, None, None], [1.0, 0.0, math.nan, math.nan], ["y", "n", None, None])
    ]
    pd = pytest.importorskip("pandas")
    models.append(PseudoLabel(OLSF(), confidence=0.1).fit(rows, pd.array([1, 0, None, None])))
    assert all(model.pseudo_labelled == 2 for model in models)
    assert all(model.weights() == models[0].weights() for model in models)


def test_without_any_label_nothing_is_learned():
    model = PseudoLabel(OCO(), confidence=1e-9).partial_fit([{"a": 1.0}, {"b": 1.0}], [None, None])
    assert (model.rounds, model.skipped, model.features_seen) == (0, 2, 2)
    assert model.predict_one({"a": 1.0}) is None
    with pytest.raises(InputError, match="no row has a label"):
        PseudoLabel(OCO()).fit([{"a": 1.0}], [None])
    model.partial_fit([{"a": 1.0}, {"a": 1.0}], ["x", None])
    assert (model.rounds, model.pseudo_labelled) == (2, 1)
    with pytest.raises(InputError, match="row 2: a third label"):
        model.partial_fit([{"a": 1.0}] * 3, [None, "y", "z"])


def test_pseudo_labels_help_where_few_labels_are_given():
    """A direction that is plain from a few labels is found better with the rest of the rows."""
    rng = np.random.default_rng(0)
    y = rng.choice([-1, 1], size=2000)
    X = rng.normal(size=(2000, 40)) + y[:, None] * 0.4
    labels = [int(label) if t < 60 else None for t, label in enumerate(y)]
    test_y = rng.choice([-1, 1], size=2000)
    test_X = rng.normal(size=(2000, 40)) + test_y[:, None] * 0.4
    alone = OLSF().fit(X[:60], y[:60]).score(test_X, test_y)
    helped = PseudoLabel(OLSF(), confidence=0.5).fit(X, labels)
    assert helped.pseudo_labelled > 500
    assert helped.score(test_X, test_y) > alone
