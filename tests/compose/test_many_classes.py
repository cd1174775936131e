"""One learner for each class, or for each pair of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from braided import OCO, OLSF, InputError, OneVsOne, OneVsRest, Scaled, registry
from braided.learner.algorithm import SharesClasses
from tests.naive import compose as naive
from tests.support.digits import digits, prequential_accuracy
from tests.support.every_composite import labelled_streams, many_classes
from tests.support.learned import state_of

BOTH = pytest.mark.parametrize(
    ("fast", "plain"), [(OneVsRest, naive.OneVsRest), (OneVsOne, naive.OneVsOne)]
)


def compare(fast, plain, stream):
    for x, y in stream:
        assert fast.score_one(x) == plain.score_one(x)
        fast.learn_one(x, y)
        plain.learn_one(x, y)


def all_observed(stream):
    """All features in all rows: what was seen is then the same for every learner inside."""
    names = dict.fromkeys(name for x, _ in stream for name in x)
    return [({name: x.get(name, 0.0) for name in names}, y) for x, y in stream]


@BOTH
@settings(max_examples=50)
@given(stream=labelled_streams(list("abcde")))
def test_equals_the_plain_transcription_bit_for_bit(fast, plain, stream):
    compare(fast(OLSF()), plain(lambda number: OLSF()), stream)


@BOTH
@pytest.mark.parametrize("name", [e.name for e in registry.LEARNERS if e.alias_of is None])
def test_every_learner_can_be_inside(fast, plain, name):
    if fast is OneVsRest and isinstance(registry.create(name), SharesClasses):
        pytest.skip("classes share what they can, which has a plain form of its own")
    stream = many_classes(seed=3, rounds=80)
    # Features are seen once for all classes. Who tells features never seen from those that are 0,
    # or keeps a share of those seen, learns as it would alone if all are seen from the start.
    parameters = registry.parameters(name)
    share = parameters.get("budget", 1.0)
    if name == "ssol" or (isinstance(share, float) and share < 1.0):
        stream = all_observed(stream)

    def make(number):
        return registry.create(name, **({"seed": number} if "seed" in parameters else {}))

    compare(fast(make(0)), plain(make), stream)


@BOTH
def test_each_learner_inside_has_its_own_seed(fast, plain):
    def make(number):
        return OLSF(selection="random", budget=3, seed=7 + number)

    stream = all_observed(many_classes(seed=5, rounds=100, features=8))
    model = fast(make(0))
    compare(model, plain(make), stream)
    seeds = [inside.algorithm.seed for inside in model.engine.inside()]
    assert seeds == [7 + i for i in range(len(model.weights()))]


@BOTH
def test_weights_are_those_of_the_learners_inside(fast, plain):
    stream = many_classes(seed=1)
    model, expected = fast(OCO()), plain(lambda number: OCO())
    for x, y in stream:
        model.learn_one(x, y)
        expected.learn_one(x, y)
    assert model.weights() == {c: inside.weights() for c, inside in expected.inside.items()}
    kept = {name for weights in model.weights().values() for name in weights}
    assert (
        model.features_kept
        == len(kept)
        <= model.features_seen
        == len({n for x, _ in stream for n in x})
    )
    assert model.rounds == len(stream)


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne])
def test_a_class_that_is_declared_is_known_at_once(make):
    stream = many_classes(seed=1, rounds=100, classes="ab")
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    model = make(OCO()).partial_fit(rows[:50], labels[:50], classes=["a", "z", "b"])
    assert model.classes_.tolist() == ["a", "b", "z"]
    scores = model.prequential(rows[50:], labels[50:])
    assert np.isfinite(scores).all()
    at_once = make(OCO()).partial_fit(rows, labels, classes=["a", "b", "z"])
    assert state_of(at_once) == state_of(model)
    one_by_one = make(OCO()).partial_fit([], [], classes=["a", "b", "z"])
    for x, y in stream:
        one_by_one.learn_one(x, y)
    assert state_of(one_by_one) == state_of(model)


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne])
def test_a_single_class_is_always_predicted(make):
    model = make(OLSF()).partial_fit([{"a": 1.0}, {"b": 1.0}], ["x", "x"])
    assert model.predict([{"a": -9.0}]).tolist() == ["x"]
    assert model.decision_function([{"a": 1.0}]).shape == (1,)


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne])
@pytest.mark.parametrize(
    "labels",
    [[3, 1, 2], [True, False, True], ["x", "é", "z"], [(1, 2), (0,), ()], [(1,), (2,), (0,)]],
)
def test_labels_of_any_type_are_predicted(make, labels):
    y = np.empty(3, object)
    y[:] = labels
    rows = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}]
    model = make(OLSF(variant="hard")).partial_fit(rows * 3, np.tile(y, 3))
    assert model.predict(rows).tolist() == labels
    assert [model.predict_one(x) for x in rows] == labels


def test_a_target_that_is_continuous_is_refused():
    with pytest.raises(InputError, match=r"row 1: 1\.5 can not be a class .*continuous"):
        OneVsRest(OLSF()).fit([{"a": 1.0}, {"a": 2.0}], [1.0, 1.5])
    assert OneVsRest(OLSF()).fit([{"a": 1.0}, {"a": 2.0}], [1.0, 2.0]).rounds == 2


def test_a_learner_of_two_labels_says_what_to_use_for_more():
    with pytest.raises(InputError, match=r"braided\.OneVsRest"):
        OLSF().partial_fit([{"a": 1.0}] * 3, ["x", "y", "z"])


# ------------------------------------------------------------------------------- digits


@pytest.mark.parametrize(
    "model",
    [
        OneVsRest(OLSF(variant="I")),
        OneVsOne(OLSF(variant="I")),
        Scaled(OneVsRest(OLSF(variant="I")), how="maxabs", intercept=True),
    ],
    ids=["rest", "one", "scaled"],
)
def test_accuracy_on_digits(model):
    assert prequential_accuracy(model, *digits()) >= 0.85


@pytest.mark.parametrize("make", [OneVsRest, OneVsOne])
def test_a_class_that_first_appears_halfway_is_learned(make):
    X, y = digits()
    half = y.size // 2
    late = y == 7
    keep = ~late | (np.arange(y.size) >= half)
    X, y = X[keep], y[keep]
    model = make(OLSF(variant="I"))
    scores = model.prequential(X, y)
    first = int(np.flatnonzero(y == 7)[0])
    assert np.isneginf(scores[: first + 1, 7]).all()
    assert np.isfinite(scores[first + 1 :]).all()
    predicted = model.classes_[scores.argmax(axis=1)]
    last = slice(3 * y.size // 4, None)
    recall = np.mean(predicted[last][y[last] == 7] == 7)
    assert recall > 0.8
    assert np.mean(predicted[last] == y[last]) > 0.85
    one_by_one = make(OLSF(variant="I"))
    for x, label in zip(X[: first + 40].tolist(), y[: first + 40].tolist(), strict=True):
        one_by_one.learn_one(dict(enumerate(x)), label)
    in_blocks = make(OLSF(variant="I")).partial_fit(X[: first + 40], y[: first + 40])
    assert state_of(one_by_one) == state_of(in_blocks)
    assert not math.isinf(one_by_one.score_one({0: 1.0})[7])
