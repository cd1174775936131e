"""Counting mistakes along a stream, however it is cut and whatever its labels are."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OLSF, as_rows, streams
from braided.errors import InputError
from braided.evaluate import prequential

# The larger value first seen, the smaller, customary negatives, texts, truth values.
PAIRS = [(-1, 1), (0, 1), (1, 2), (-1, 0), ("a", "b"), (False, True), (-2.5, -0.5)]


def plain_count(X, y, **parameters):
    """The mistakes by the book: both labels known from the start, one row at a time."""
    model = OLSF(**parameters)
    classes = sorted(set(y))
    model.partial_fit(as_rows(X[:1], y[:1])[:0], classes=classes)
    wrong = 0
    for x, label in zip(X, y, strict=True):
        sign = 1 if label == classes[-1] else -1
        wrong += not sign * model.score_one(x) > 0
        model.learn_one(x, label)
    return wrong


@st.composite
def streams_of_rows(draw):
    n = draw(st.integers(2, 25))
    value = st.floats(-3, 3).map(lambda v: round(v, 2))
    row = st.dictionaries(st.sampled_from("abcdef"), value, max_size=4)
    X = draw(st.lists(row, min_size=n, max_size=n))
    pair = draw(st.sampled_from(PAIRS))
    first = draw(st.sampled_from(pair))
    # A run of one label first: which side is positive is not yet known then.
    prefix = draw(st.integers(0, n - 1))
    rest = draw(st.lists(st.sampled_from(pair), min_size=n - prefix, max_size=n - prefix))
    y = [first] * prefix + rest
    if len(set(y)) == 1:
        y[-1] = next(label for label in pair if label != y[0])
    return X, y


@settings(max_examples=60, deadline=None)
@given(streams_of_rows(), st.integers(1, 30), st.sampled_from(["hard", "I", "II"]))
def test_mistakes_equal_those_of_a_plain_loop_for_any_labels_and_block(data, block, variant):
    X, y = data
    result = prequential(OLSF(variant=variant), streams.given(X, y), block=block)
    assert result.mistakes == plain_count(X, y, variant=variant)
    assert result.rounds == len(X)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("late", [0, 1])
def test_second_label_that_turns_up_late(pair, late):
    # Ten rounds of one label, then ten of the other, told apart by a feature each: the first
    # score of either feature is 0 and all others are right.
    X = [{"early": 1.0}] * 10 + [{"late": 1.0}] * 10
    y = [pair[1 - late]] * 10 + [pair[late]] * 10
    for block in (1, 3, 10, 20):
        assert prequential(OLSF(), streams.given(X, y), block=block).mistakes == 2


@pytest.mark.parametrize("label", [-1, 0, 1, 5, "a", False])
def test_a_stream_with_a_single_label(label):
    stream = streams.given([{"a": 1.0}] * 6, [label] * 6)
    for block in (1, 4, 6):
        assert prequential(OLSF(), stream, block=block).mistakes == 1


def test_a_model_that_has_learned_before_goes_on():
    X, y = [{"a": 1.0}, {"b": 1.0}] * 4, ["x", "w"] * 4
    whole, halves = OLSF(), OLSF()
    expected = prequential(whole, streams.given(X, y)).mistakes
    parts = [
        prequential(halves, streams.given(X[cut], y[cut])).mistakes
        for cut in (slice(0, 1), slice(1, 5), slice(5, 8))
    ]
    assert sum(parts) == expected
    assert halves.weights() == whole.weights()


def test_the_result_describes_the_model():
    X = [{"a": 1.0, "b": 0.5, "c": 0.25}, {"a": -1.0, "d": 2.0}] * 5
    model = OLSF(budget=2)
    result = prequential(model, streams.given(X, [1, -1] * 5))
    assert (result.rounds, result.features_seen, result.features_kept) == (10, 4, 2)
    assert result.error_rate == result.mistakes / 10
    assert result.seconds > 0
    assert model.rounds == 10


def test_progress_hears_of_every_row():
    heard = []
    stream = streams.given([{"a": 1.0}, {"b": 1.0}] * 3 + [{"a": 1.0}], [0, None, 1] * 2 + [0])
    result = prequential(OLSF(), stream, block=3, progress=lambda *told: heard.append(told))
    assert [rows for rows, _ in heard] == [3, 3, 1]
    assert [error for _, error in heard] == result.error_curve()[[2, 5, 6]].tolist()


def test_nan_scores_are_mistakes():
    class Diverged(OLSF):
        def prequential(self, X, y=None, *, feature_names=None):
            return super().prequential(X, y, feature_names=feature_names) * np.nan

    stream = streams.given([{"a": 1.0}] * 4, [0, 1] * 2)
    assert prequential(Diverged(), stream).mistakes == 4


def test_a_stream_without_rounds():
    class Nothing:
        def blocks(self, size):
            return iter(())

    result = prequential(OLSF(), Nothing())
    assert result.rounds == 0
    assert math.isnan(result.error_rate)


@pytest.mark.parametrize("block", [0, -1, 1.5])
def test_a_bad_block_size_is_refused(block):
    with pytest.raises(InputError, match="block="):
        prequential(OLSF(), streams.given([{"a": 1.0}], [1]), block=block)


def test_rows_without_labels_are_refused():
    class Unlabelled:
        def blocks(self, size):
            yield replace(as_rows([{"a": 1.0}]), labels=None)

    with pytest.raises(InputError, match="labels"):
        prequential(OLSF(), Unlabelled())


def test_snapshots_and_curves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4))
    y = np.where(X[:, 0] > 0, 1, -1)
    result = prequential(OLSF(), streams.given(X, y), every=100)
    assert [s.round for s in result.snapshots] == [100, 200, 300, 400, 500]
    assert all(s.features_seen == 4 and s.memory_bytes > 0 for s in result.snapshots)
    curve = result.error_curve()
    assert curve[-1] == pytest.approx(result.error_rate)
    windowed = result.error_curve(window=50)
    wrong = ~(result.signs * result.scores > 0)
    assert windowed[-1] == pytest.approx(wrong[-50:].mean())
    assert windowed[9] == pytest.approx(wrong[:10].mean())
    assert result.error_curve(window=10_000).tolist() == curve.tolist()
    same = prequential(OLSF(), streams.given(X, y), block=7)
    assert same.scores.tolist() == result.scores.tolist()


def test_a_diverged_learner_is_told_and_always_wrong():
    class Diverged(OLSF):
        def prequential(self, X, y=None, *, feature_names=None):
            return super().prequential(X, y, feature_names=feature_names) * np.nan

    result = prequential(Diverged(), streams.given([{"a": 1.0}] * 8, [1, -1] * 4))
    assert result.diverged
    assert result.error_rate == 1.0
