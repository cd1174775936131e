"""The confusion matrix, against scikit-learn's and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from braided import OCO, OLSF, OneVsOne, OneVsRest, streams
from braided.evaluate import Result, holdout, prequential


def stream(labels, rounds=120, missing=True):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rounds, 4))
    numbers = np.digitize(X[:, 0], np.linspace(-1, 1, len(labels) - 1))
    y = np.array(list(labels), object)[numbers]
    if missing:
        y[::10] = None
    return streams.given(X, y)


@pytest.mark.parametrize(
    ("model", "labels"),
    [
        (OLSF(), ["spam", "mail"]),
        (OLSF(), [1, 0]),
        (OneVsRest(OCO()), ["b", "d", "a", "c"]),
        (OneVsOne(OCO()), [3, 1, 2]),
    ],
)
def test_counts_are_those_of_scikit_learn(model, labels):
    metrics = pytest.importorskip("sklearn.metrics")
    rounds, told, predicted = stream(labels), [], []
    one_by_one = type(model)(**model.get_params(deep=False))
    for learner in (model, one_by_one):  # both labels are known before the first prediction
        learner.partial_fit([{0: 1.0}] * len(labels), labels)
    for x, y in rounds.pairs():
        if y is not None:
            if one_by_one.score_one(x):
                told.append(y)
                predicted.append(one_by_one.predict_one(x))
            one_by_one.learn_one(x, y)
    result = prequential(model, rounds)
    matrix = result.confusion_matrix()
    assert matrix.classes == tuple(sorted(labels))
    known = metrics.confusion_matrix(told, predicted, labels=sorted(labels))
    assert matrix.counts[:, :-1].tolist() == known.tolist()
    assert matrix.rounds.sum() == result.rounds - result.unlabelled
    assert matrix.rounds.sum() - matrix.counts.diagonal().sum() == result.mistakes


def test_metrics_are_those_of_the_result():
    result = prequential(OneVsRest(OCO()), stream("abc"))
    matrix = result.confusion_matrix()
    assert np.mean(matrix.recall) == pytest.approx(result.metric("balanced_accuracy"))
    assert np.mean(matrix.f1) == pytest.approx(result.metric("f1"))
    two = prequential(OLSF(), stream("ab"))
    assert two.confusion_matrix().f1[1] == pytest.approx(two.metric("f1"))
    assert two.confusion_matrix().recall.mean() == pytest.approx(two.metric("balanced_accuracy"))


def test_a_holdout_counts_what_was_not_learned():
    result = holdout(OLSF(), stream("ab", missing=False), share=0.75)
    assert result.confusion_matrix().rounds.sum() == 30


def test_scores_that_predict_no_label():
    result = Result(np.array([1.0, -1.0, -1.0, np.nan]), np.array([0.0, np.nan, -2.0, 1.0]), ())
    assert result.confusion_matrix().counts.tolist() == [[1, 0, 1], [0, 0, 1]]


def test_one_label_alone():
    result = prequential(OLSF(), streams.given([{"a": 1}, {"a": 2}], ["only", "only"]))
    assert "only" in result.classes
    matrix = result.confusion_matrix()
    assert matrix.rounds.sum() == 2
    assert dict(zip(matrix.classes, matrix.rounds.tolist(), strict=True))["only"] == 2


def test_labels_that_can_not_be_compared_stay_in_their_order():
    rounds = streams.given([{"a": 1}, {"b": 1}, {"c": 1}], np.array(["x", 2, 1], object))
    assert prequential(OneVsRest(OLSF()), rounds).confusion_matrix().classes == ("x", 2, 1)
