"""The k features that a budget keeps, against a sorted list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.kernels import eviction_heap, top_k
from braided.kernels.rng import new_rng
from braided.kernels.top_k import (
    NOT_KEPT,
    TopK,
    drop,
    is_consistent,
    keep_random,
    new_top_k,
    push_slot,
    scale_by,
    top_k_of,
    weights_of,
)
from tests.support.kernels import from_python

split_row, move_kept = from_python(top_k.split_row), from_python(top_k.move_kept)
keep_largest, size_of_new = from_python(top_k.keep_largest), from_python(top_k.size_of_new)
dot = from_python(top_k.dot)
feature_of, slot_of = from_python(eviction_heap.feature_of), from_python(eviction_heap.slot_of)

FEATURES = 12

# Few different magnitudes, and sums of them are exact: there are ties, and weights become 0.
values = st.sampled_from([-2.0, -1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 1.5, 3.0])
rows = st.dictionaries(st.integers(0, FEATURES - 1), values, max_size=8)
sizes = st.sampled_from([1, 2])


def weights_by_feature(kept: TopK) -> dict[int, float]:
    return {f: w for f, w in enumerate(weights_of(kept, FEATURES).tolist()) if w}


def step_along(kept: TopK, k: int, row: dict[int, float], power: int) -> float:
    """Learn one row; the change in size."""
    indices = np.array(list(row), np.int32)
    x = np.array(list(row.values()), float)
    outside = split_row(kept, indices)
    assert (kept.slot[indices[kept.row[:outside]]] == NOT_KEPT).all()
    assert sorted(kept.row[: indices.size].tolist()) == list(range(indices.size))
    change = move_kept(kept, indices, x, 1.0, outside, power)
    return change + keep_largest(kept, k, indices, x, 1.0, outside, power)


def truncated(weights: dict[int, float], k: int) -> dict[int, float]:
    """The k largest, of equals those seen first."""
    order = sorted(weights, key=lambda feature: (-abs(weights[feature]), feature))
    return {feature: weights[feature] for feature in order[:k] if weights[feature]}


def assert_sound(kept: TopK) -> None:
    """Slots and members agree, and what is at most the bar is in the heap, which is in order."""
    count, length = int(kept.taken[0]), int(kept.queue.length[0])
    members = kept.member[1 : count + 1].tolist()
    assert len(set(members)) == count
    assert [kept.slot[feature] for feature in members] == list(range(1, count + 1))
    assert np.count_nonzero(kept.slot) == count
    assert kept.weight[NOT_KEPT] == 0.0
    entries = [(float(kept.queue.magnitude[i]), -int(kept.queue.code[i])) for i in range(length)]
    for position in range(1, length):
        assert entries[(position - 1) // 4] <= entries[position]
    for slot in range(1, count + 1):
        magnitude = abs(kept.weight[slot])
        if magnitude <= kept.bar[0] and magnitude > 0:
            assert any(
                slot_of(-code) == slot
                and feature_of(-code) == kept.member[slot]
                and entry == magnitude
                for entry, code in entries
            )


@given(st.integers(1, FEATURES), st.lists(rows, max_size=60), sizes)
def test_keeps_what_a_sorted_list_keeps(k, stream, power):
    kept = new_top_k(FEATURES, k)
    plain: dict[int, float] = {}
    size = 0.0
    for row in stream:
        size += step_along(kept, k, row, power)
        moved = {f: plain.get(f, 0.0) + row.get(f, 0.0) for f in {**plain, **row}}
        plain = truncated(moved, k)
        assert weights_by_feature(kept) == plain
        assert size == sum(abs(w) ** power for w in plain.values())
        assert_sound(kept)
        assert is_consistent(kept, FEATURES)


@pytest.mark.parametrize("k", [60, 700])
def test_keeps_what_a_sorted_list_keeps_of_many_features(k):
    """Enough for the bar to be raised from a sample, and for void entries."""
    features, rng = 1000, np.random.default_rng(k)
    kept, plain, scale = new_top_k(features, k), np.zeros(features), 1.0
    for t in range(600):
        indices = rng.choice(features, 40, replace=False).astype(np.int32)
        x = rng.choice([-1.0, 1.0], 40) * rng.integers(1, 9, 40) * scale
        scale = scale * 1.03 if t % 200 else 1.0
        outside = split_row(kept, indices)
        move_kept(kept, indices, x, 1.0, outside, 1)
        keep_largest(kept, k, indices, x, 1.0, outside, 1)
        plain[indices] += x
        order = np.lexsort((np.arange(features), -np.abs(plain)))
        plain[order[k:]] = 0.0
        assert weights_of(kept, features).tolist() == plain.tolist()


@given(st.integers(1, FEATURES), st.lists(rows, max_size=30), st.integers(0, 30))
def test_dropping_a_feature_changes_no_other(k, stream, at):
    kept = new_top_k(FEATURES, k)
    for t, row in enumerate(stream):
        step_along(kept, k, row, 1)
        if t == at and kept.taken[0]:
            before = weights_by_feature(kept)
            gone = int(kept.member[1])
            drop(kept, 1)
            before.pop(gone, None)
            assert weights_by_feature(kept) == before
        assert_sound(kept)


@given(st.integers(1, FEATURES), st.lists(rows, max_size=30))
def test_scaling_multiplies_all_weights_and_drops_those_that_become_zero(k, stream):
    kept = new_top_k(FEATURES, k)
    for row in stream:
        step_along(kept, k, row, 2)
    before = weights_by_feature(kept)
    assert scale_by(kept, 0.5, 2) == sum((w / 2) ** 2 for w in before.values())
    assert weights_by_feature(kept) == {f: w / 2 for f, w in before.items()}
    assert_sound(kept)
    everything = np.arange(FEATURES, dtype=np.int32)
    assert dot(kept, everything, np.ones(FEATURES)) == sum(before.values()) / 2
    scale_by(kept, 1e-320, 1)
    scale_by(kept, 1e-320, 1)
    assert kept.taken[0] == 0
    assert not kept.slot.any()


def test_a_heap_full_of_void_entries_is_cleared():
    kept = top_k_of(np.array([3.0, 2.0, 1.0]), 3, 3)
    kept.bar[0] = 9.0
    for _ in range(3):
        push_slot(kept, 1)
    assert (kept.queue.length[0], kept.bar[0]) == (3, 9.0)
    push_slot(kept, 1)
    assert (kept.queue.length[0], kept.bar[0]) == (0, 0.0)


def test_a_feature_dropped_while_its_row_is_learned_does_not_come_back():
    kept = top_k_of(np.array([1.0, 0.0, 0.0]), 1, 1)
    step_along(kept, 1, {1: 0.5, 2: 0.5, 0: -0.75}, 1)
    assert weights_by_feature(kept) == {1: 0.5}


def test_the_size_of_features_that_are_not_kept():
    kept = top_k_of(np.array([1.0, 0.0, 0.0]), 2, 2)
    outside = split_row(kept, np.array([1, 0, 2], np.int32))
    x = np.array([3.0, 50.0, -4.0])
    assert outside == 2
    assert size_of_new(kept, x, 0.5, outside, 1) == 3.5
    assert size_of_new(kept, x, 1.0, outside, 2) == 25.0


def test_keep_random_keeps_every_feature_equally_often():
    """Two of six features, of which four have a weight after the step."""
    rng, counts = new_rng(1), np.zeros(6)
    for _ in range(3000):
        kept = top_k_of(np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0]), 2, 2)
        indices, x = np.array([4, 5], np.int32), np.ones(2)
        outside = split_row(kept, indices)
        change = keep_random(kept, 2, 6, rng, indices, x, 1.0, outside, 1)
        left = weights_of(kept, 6)
        assert change == left.sum() - 2
        counts += left
    assert counts[:2] == pytest.approx(1000, abs=100)
    assert counts[2:4].tolist() == [0, 0]
    assert counts[4:] == pytest.approx(1000, abs=100)


@given(st.lists(values, max_size=20), st.integers(1, 20))
def test_top_k_of_given_weights(given_values, k):
    weights = np.zeros(32)
    weights[: len(given_values)] = given_values
    kept = top_k_of(weights, k, 32)
    assert weights_of(kept, 32)[weights_of(kept, 32) != 0].size <= k
    expected = truncated(dict(enumerate(weights.tolist())), k)
    assert {f: w for f, w in enumerate(weights_of(kept, 32).tolist()) if w} == expected
