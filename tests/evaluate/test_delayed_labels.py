"""Labels that come late or never: the same, bit for bit, as a plain loop with a queue."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided import OCO, OLSF, InputError, as_rows, registry, streams
from braided.evaluate import prequential
from tests.support.every_learner import EVERY, new
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, long_stream
from tests.support.streams_of_rows import streams as streams_of_rows

PAIRS = [(-1, 1), (0, 1), (1, 2), (-1, 0), ("a", "b"), (False, True), (-2.5, -0.5)]


def plain_loop(model, stream, delay):
    """The score of each row when it is predicted, one row at a time."""
    scores, queue = [], deque()
    for x, y in stream:
        scores.append(model.score_one(x))
        queue.append((x, y))
        if len(queue) > delay:
            known_x, known_y = queue.popleft()
            if known_y is not None:
                model.learn_one(known_x, known_y)
    return scores


def with_holes(stream, holes):
    """The same stream with every so many labels gone."""
    return [(x, None if holes and t % holes == 1 else y) for t, (x, y) in enumerate(stream)]


def as_stream(stream):
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    return streams.given(rows, np.array([*labels, None], dtype=object)[:-1])


def assert_same(name, stream, delay, block):
    plain, fast = new(name), new(name)
    expected = plain_loop(plain, stream, delay)
    result = prequential(fast, as_stream(stream), delay=delay, block=block)
    # With the labels -1 and 1 a score has one sign from the first round on.
    assert result.scores.tolist() == expected
    assert fast.rounds == plain.rounds
    assert fast.features_seen == plain.features_seen
    if plain.rounds:
        assert state_of(fast) == state_of(plain)


@EVERY
@settings(max_examples=25, deadline=None)
@given(
    stream=streams_of_rows(any_values),
    delay=st.integers(0, 12),
    holes=st.integers(0, 4),
    block=st.integers(1, 50),
)
def test_equals_a_plain_loop_bit_for_bit(name, stream, delay, holes, block):
    assert_same(name, with_holes(stream, holes), delay, block)


@EVERY
@pytest.mark.parametrize(("delay", "holes", "block"), [(0, 3, 64), (1, 0, 8192), (100, 5, 7)])
def test_equals_a_plain_loop_on_a_long_stream(name, delay, holes, block):
    assert_same(name, with_holes(long_stream(seed=8), holes), delay, block)


@pytest.mark.parametrize("block", [1, 2, 3, 7, 50, 99, 100, 101, 400, 1000])
@pytest.mark.parametrize("delay", [1, 50, 399, 400, 5000])
def test_every_block_size_gives_the_same(delay, block):
    assert_same("olsf", long_stream(seed=3), delay, block)


def test_no_delay_is_the_plain_pass():
    stream = long_stream(seed=1)
    model = OLSF()
    scores = OLSF().prequential([x for x, _ in stream], [y for _, y in stream])
    assert prequential(model, as_stream(stream), delay=0).scores.tolist() == scores.tolist()


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("late", [0, 1])
@pytest.mark.parametrize("delay", [0, 1, 3])
def test_second_label_that_the_model_hears_of_late(pair, late, delay):
    # A feature for each label: until its first row is learned the score is 0, then it is right.
    X = [{"early": 1.0}] * 10 + [{"late": 1.0}] * 10
    y = [pair[1 - late]] * 10 + [pair[late]] * 10
    for block in (1, 3, 10, 11, 20):
        result = prequential(OLSF(), streams.given(X, y), delay=delay, block=block)
        assert result.mistakes == 2 * (1 + delay)
        assert (result.signs[0] > 0) == (pair[1 - late] > pair[late])


def test_rows_that_wait_in_the_end_are_not_learned():
    X, y = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}], [1, -1, 1]
    model = OLSF()
    result = prequential(model, streams.given(X, y), delay=2)
    assert (model.rounds, model.features_seen, result.rounds) == (1, 1, 3)
    never = OLSF()
    assert prequential(never, streams.given(X, y), delay=3).mistakes == 3
    assert (never.rounds, never.features_seen) == (0, 0)
    assert never.predict_one({"a": 1.0}) is None


@pytest.mark.parametrize(
    "labels",
    [
        [1, None, -1, None, 1],
        np.array([1.0, np.nan, -1.0, np.nan, 1.0]),
        np.array(["yes", None, "no", float("nan"), "yes"], dtype=object),
        ["yes", None, "no", float("nan"), "yes"],
    ],
)
@pytest.mark.parametrize("delay", [0, 1])
def test_unlabelled_rows_are_predicted_only(labels, delay):
    X = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}, {"c": 1.0}, {"a": 1.0}]
    model = OLSF()
    result = prequential(model, streams.given(X, labels), delay=delay)
    assert (result.rounds, result.unlabelled) == (5, 2)
    # a and c are new; a is learned when it comes back.
    assert result.mistakes == 2
    assert result.error_rate == 2 / 3
    assert (result.scores[3] != 0) == (delay == 0)
    assert np.isnan(result.signs).tolist() == [False, True, False, True, False]
    assert model.rounds == 3 - delay
    assert "b" not in model.weights()
    assert model.features_seen == 2


def test_pandas_missing_labels():
    pd = pytest.importorskip("pandas")
    labels = pd.Series([1, None, 0], dtype="Int64")
    result = prequential(OLSF(), streams.given([{"a": 1.0}] * 3, labels))
    assert result.unlabelled == 1


def test_nothing_but_unlabelled_rows():
    model = OLSF()
    result = prequential(model, streams.given([{"a": 1.0}] * 4, [None] * 4), block=3)
    assert (result.rounds, result.unlabelled, result.mistakes, model.rounds) == (4, 4, 0, 0)
    assert np.isnan(result.error_rate)
    assert np.isnan(result.error_curve()).all()


def test_learning_a_missing_label_is_refused_as_ever():
    with pytest.raises(InputError, match="the label is missing"):
        OLSF().learn_one({"a": 1.0}, None)
    with pytest.raises(InputError, match="row 1: the label is missing"):
        OLSF().partial_fit([{"a": 1.0}] * 2, [1, None])


@pytest.mark.parametrize("delay", [0, 2])
def test_a_third_label_is_refused_by_its_round(delay):
    stream = streams.given([{"a": 1.0}] * 9, [1, None, 2, 1, 2, 1, 1, 3, 1])
    with pytest.raises(InputError, match="row 7: a third label, 3"):
        prequential(OLSF(), stream, delay=delay, block=2)


@pytest.mark.parametrize("delay", [-1, 1.5, None, True])
def test_delay_is_checked(delay):
    with pytest.raises(InputError, match="delay="):
        prequential(OLSF(), streams.given([{"a": 1.0}], [1]), delay=delay)


def test_a_trained_model_goes_on_with_late_labels():
    stream = long_stream(seed=4)
    first, second = stream[:200], stream[200:]
    rows, labels = [x for x, _ in first], [y for _, y in first]
    plain, fast = (registry.create("fsol").partial_fit(rows, labels) for _ in range(2))
    expected = plain_loop(plain, second, 10)
    assert prequential(fast, as_stream(second), delay=10).scores.tolist() == expected
    assert state_of(fast) == state_of(plain)


def test_blocks_with_names_of_their_own():
    class Growing:
        def blocks(self, size):
            for t in range(12):
                x = {f"f{t // 2}": 1.0, "always": 0.5}
                yield as_rows([x, x], [1 - 2 * (t % 2)] * 2)

    blocks = list(Growing().blocks(0))
    pairs = [pair for rows in blocks for pair in zip(rows.dicts(), rows.labels, strict=True)]
    for delay in (1, 2, 3, 5):
        plain = OCO()
        expected = plain_loop(plain, pairs, delay)
        assert prequential(OCO(), Growing(), delay=delay).scores.tolist() == expected


@pytest.mark.parametrize("due", [[0, 3], [1, 0], [-1, 0], [0], [[0, 1]]])
def test_interleaved_checks_what_is_due(due):
    rows = as_rows([{"a": 1.0}] * 2, [1, -1])
    model = OLSF()
    with pytest.raises(InputError, match="due must be 2 numbers from 0 to 2 that never fall"):
        model.interleaved(rows, rows, np.array(due))
    assert model.features_seen == 0
