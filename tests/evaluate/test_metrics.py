"""What counts as a mistake."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.errors import InputError
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
