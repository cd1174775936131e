"""What counts as a mistake."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.errors import InputError
from braided.evaluate import metrics as ours
from braided.evaluate import mistakes

SCORES = st.floats()  # NaN and infinity included


@given(st.lists(st.tuples(st.sampled_from([-1, 1]), SCORES)))
def test_counts_all_but_those_on_the_right_side(rounds):
    right = sum(
        (label == 1 and score > 0) or (label == -1 and score < 0) for label, score in rounds
    )
    labels, scores = ([pair[i] for pair in rounds] for i in (0, 1))
    assert mistakes(np.array(labels), np.array(scores)) == len(rounds) - right


@pytest.mark.parametrize("score", [0.0, -0.0, np.nan])
def test_undecided_is_a_mistake(score):
    assert mistakes([1, -1], [score, score]) == 2


def test_tiny_and_infinite_scores_decide():
    assert mistakes([1, -1, 1, -1], [5e-324, -5e-324, np.inf, -np.inf]) == 0


def test_none_in_no_rounds():
    assert mistakes([], []) == 0


def test_one_label_for_each_score():
    with pytest.raises(InputError, match="expected one for each"):
        mistakes([1, -1], [0.5])
    with pytest.raises(InputError, match="expected one for each"):
        mistakes(np.ones((3, 1)), np.ones(3))


def test_labels_are_signs():
    with pytest.raises(InputError, match="the signs -1 and"):
        mistakes([0, 1], [0.5, 0.5])


@given(st.lists(st.tuples(st.sampled_from([-1, 1]), st.floats(-3, 3)), min_size=2, max_size=60))
def test_agree_with_scikit_learn_where_every_score_decides(rounds):
    from sklearn import metrics as theirs

    labels = np.array([label for label, _ in rounds])
    scores = np.array([score or 1.0 for _, score in rounds])
    if np.unique(labels).size < 2:
        return
    called = np.where(scores > 0, 1, -1)
    assert ours.error_rate(labels, scores) == pytest.approx(np.mean(labels != called))
    assert ours.balanced_accuracy(labels, scores) == pytest.approx(
        theirs.balanced_accuracy_score(labels, called)
    )
    assert ours.f1(labels, scores) == pytest.approx(theirs.f1_score(labels, called))
    assert ours.auc(labels, scores) == pytest.approx(theirs.roc_auc_score(labels, scores))
    assert ours.kappa(labels, scores) == pytest.approx(theirs.cohen_kappa_score(labels, called))
    probabilities = 1 / (1 + np.exp(-scores))
    assert ours.log_loss(labels, probabilities) == pytest.approx(
        theirs.log_loss(labels, probabilities)
    )


@pytest.mark.parametrize("undecided", [0.0, np.nan])
def test_undecided_is_wrong_by_every_metric(undecided):
    labels, scores = [1, -1, 1, -1], [undecided] * 4
    assert ours.balanced_accuracy(labels, scores) == 0
    assert ours.f1(labels, scores) == 0
    assert ours.kappa(labels, scores) == 0


def test_nan_loses_every_pair():
    assert ours.auc([1, -1, -1], [np.nan, 0.5, -9.0]) == 0.0
    assert ours.auc([1, 1, -1], [9.0, 0.5, np.nan]) == 0.0


def test_no_rounds_give_no_value():
    assert ours.mistakes([], []) == 0
    for metric in (ours.error_rate, ours.balanced_accuracy, ours.f1, ours.kappa, ours.auc):
        assert np.isnan(metric([], []))
