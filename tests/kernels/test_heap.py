"""The heap of kept features against a sorted list."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from braided.kernels.heap import (
    ABSENT,
    NOBODY,
    Kept,
    admit,
    forget_leavers,
    kept_within,
    leave,
    new_kept,
    note_leaver,
    rebuild,
    shrunk,
    threshold,
)

FEATURES = 12

# Few different magnitudes, so that there are ties.
magnitudes = st.sampled_from([0.5, 1.0, 1.0, 1.5, 2.0, 3.0])


def members(kept: Kept) -> list[int]:
    return kept.members[: kept.size[0]].tolist()


def assert_sound(kept: Kept, weight: np.ndarray) -> None:
    """Places and members agree, keys are a heap, no key is above the magnitude it stands for."""
    size = int(kept.size[0])
    assert len(set(members(kept))) == size
    for position, feature in enumerate(members(kept)):
        assert kept.place[feature] == position
        assert 0 < kept.keys[position] <= abs(weight[feature])
        if position:
            parent = (position - 1) // 2
            this = (kept.keys[position], -feature)
            assert (kept.keys[parent], -members(kept)[parent]) < this
    assert np.flatnonzero(kept.place >= 0).tolist() == sorted(members(kept))
    assert sorted(members(kept)) == np.flatnonzero(weight).tolist()


def worst(weights: dict[int, float]) -> int:
    """Who leaves first: the smallest magnitude and, among equals, the feature seen last."""
    return min(weights, key=lambda feature: (abs(weights[feature]), -feature))


changes = st.one_of(
    st.tuples(st.just("admit"), st.integers(0, FEATURES - 1), magnitudes),
    st.tuples(st.just("grow"), st.integers(0, FEATURES - 1), magnitudes),
    st.tuples(st.just("shrink"), st.integers(0, FEATURES - 1), magnitudes),
    st.tuples(st.just("leave"), st.integers(0, FEATURES - 1), magnitudes),
    st.tuples(st.just("end of row"), st.just(0), st.just(0.0)),
    st.tuples(st.just("rebuild"), st.integers(0, FEATURES - 1), magnitudes),
)


@given(st.integers(1, FEATURES), st.lists(changes, max_size=60), st.sampled_from([1.0, -1.0]))
def test_the_heap_keeps_what_a_sorted_list_keeps(budget, steps, sign):
    kept, weight = new_kept(FEATURES, budget), np.zeros(FEATURES)
    plain: dict[int, float] = {}  # the features kept, by their true magnitudes
    left: set[int] = set()  # those who left in this row
    for what, feature, magnitude in steps:
        if what == "admit" and feature not in plain:
            below = threshold(kept, budget)
            out = admit(kept, feature, magnitude, budget, weight)
            if feature in left:
                expected = feature
            elif len(plain) < budget:
                expected = NOBODY
            else:
                expected = worst({**plain, feature: magnitude})
            assert out == expected
            # Whoever stops at the threshold would not have been let in.
            assert magnitude >= below or out == feature
            if out != feature:
                weight[feature] = plain[feature] = sign * magnitude
                if out != NOBODY:
                    weight[out] = 0.0
                    del plain[out]
                    left.add(out)
        elif what == "grow" and feature in plain:  # its key becomes stale, and nobody is told
            weight[feature] = plain[feature] = plain[feature] + sign * magnitude
        elif what == "shrink" and feature in plain:
            weight[feature] = plain[feature] = plain[feature] / 2
            shrunk(kept, feature, abs(weight[feature]))
        elif what == "leave" and feature in plain:
            weight[feature] = 0.0
            del plain[feature]
            leave(kept, feature)
            left.add(feature)
        elif what == "end of row":
            forget_leavers(kept)
            left.clear()
        elif what == "rebuild":
            if feature in plain:
                weight[feature] = 0.0
                del plain[feature]
            rebuild(kept, weight)
        assert_sound(kept, weight)
        assert {f: w for f, w in enumerate(weight) if w} == plain


def test_a_leaver_is_not_let_in_again_before_its_row_ends():
    kept, weight = new_kept(4, 1), np.zeros(4)
    assert admit(kept, 0, 1.0, 1, weight) == NOBODY
    weight[0] = 1.0
    assert admit(kept, 1, 2.0, 1, weight) == 0
    weight[:2] = 0.0, 2.0
    assert admit(kept, 0, 9.0, 1, weight) == 0
    forget_leavers(kept)
    assert kept.place[0] == ABSENT
    assert kept.last_leaver[0] == NOBODY
    assert admit(kept, 0, 9.0, 1, weight) == 1


def test_several_leavers_of_one_row_are_all_forgotten():
    kept = new_kept(8, 1)
    for feature in (5, 0, 7):
        note_leaver(kept, feature)
    assert all(kept.place[feature] < ABSENT for feature in (5, 0, 7))
    forget_leavers(kept)
    assert (kept.place == ABSENT).all()


def test_zero_is_never_let_in_and_a_tie_leaves_the_feature_seen_first():
    kept, weight = new_kept(4, 1), np.zeros(4)
    assert admit(kept, 0, 0.0, 1, weight) == 0
    assert admit(kept, 2, 1.0, 1, weight) == NOBODY
    weight[2] = 1.0
    assert admit(kept, 3, 1.0, 1, weight) == 3
    assert admit(kept, 1, 1.0, 1, weight) == 2


def test_a_stale_key_does_not_make_a_large_weight_leave():
    kept, weight = new_kept(4, 2), np.zeros(4)
    for feature, magnitude in ((0, 1.0), (1, 2.0)):
        admit(kept, feature, magnitude, 2, weight)
        weight[feature] = magnitude
    weight[0] = 10.0
    assert threshold(kept, 2) == 1.0
    assert admit(kept, 2, 3.0, 2, weight) == 1


@given(
    st.lists(st.one_of(magnitudes, magnitudes.map(lambda m: -m), st.just(0.0)), max_size=20),
    st.sampled_from([1, 3, 8, 0.1, 0.5, 0.9, 1.0]),
)
def test_the_heap_of_the_largest_weights(values, budget):
    seen = len(values)
    weight = np.zeros(32)
    weight[:seen] = values
    before = weight.copy()
    kept = kept_within(weight, seen, budget)
    if budget == 1.0 and isinstance(budget, float):
        assert (weight == before).all()
        assert kept.members.size == 0
        return
    k = min(budget, max(1, seen)) if isinstance(budget, int) else max(1, int(budget * seen))
    order = sorted(range(32), key=lambda feature: (-abs(before[feature]), feature))
    assert np.flatnonzero(weight).tolist() == sorted(f for f in order[:k] if before[f])
    assert_sound(kept, weight)
