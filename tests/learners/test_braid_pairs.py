"""Braid's pairs against their plain transcription."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.learner.state import grown
from braided.learners.braid.pairs import LOGIT, forget_pairs, learn_pairs, new_pairs, score_pairs
from tests.naive.pairs import Pairs
from tests.support.streams_of_rows import any_values, long_stream, streams, tying_values


def compare(stream, weight=1.0, capacity=8):
    columns = {}
    plain, fast = Pairs(columns.__getitem__), new_pairs(capacity)
    for x, y in stream:
        for name in x:
            columns.setdefault(name, len(columns))
        while len(columns) > capacity:
            capacity *= 2
            fast = grown(fast, new_pairs(capacity))
        views = [(name, float(np.float32(v))) for name, v in x.items()]
        row = np.array([columns[n] for n in x], np.int32), np.array([*x.values()], np.float32)
        score_pairs(fast, *row)
        assert fast.own[LOGIT] == pytest.approx(plain.score(views), rel=1e-9, abs=1e-9)
        learn_pairs(fast, *row, float(y), weight)
        plain.learn(y, weight)
    return fast, columns


@given(streams(any_values, max_rows=60), st.sampled_from([1.0, 0.3, 5.0]))
def test_equals_the_plain_pairs(stream, weight):
    compare(stream, weight)


@given(streams(tying_values, max_rows=60))
def test_equals_the_plain_pairs_where_values_repeat(stream):
    compare(stream)


@pytest.mark.parametrize(("features", "density"), [(30, 0.5), (400, 0.05)])
def test_equals_the_plain_pairs_on_long_streams(features, density):
    fast, columns = compare(long_stream(seed=2, rounds=400, features=features, density=density))
    width = min(256, 1 << (len(columns) - 1).bit_length())
    assert fast.together.shape == (width, width, 2)


def test_a_feature_can_be_forgotten():
    fast, _ = compare(long_stream(seed=2, rounds=200, features=8, density=0.8))
    forget_pairs(fast, 3)
    assert not fast.alone[3].any()
    assert not fast.together[3].any()
    assert not fast.together[:, 3].any()
    assert fast.alone[2].all()
    assert fast.together.any()
