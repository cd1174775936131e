"""States: named tuples of arrays that grow without losing anything."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from braided.learner.state import arrays, capacity_for, grown, writeable


class Inner(NamedTuple):
    by_feature: Any
    by_place: Any


class State(NamedTuple):
    rounds: Any
    weight: Any
    inner: Inner
    table: Any


def fresh(capacity: int, room: int) -> State:
    return State(
        np.zeros(1, np.int64),
        np.zeros(capacity),
        Inner(np.full(capacity, -1, np.int32), np.zeros(room)),
        np.full((capacity, 2), 7.0),
    )


def numbered(state: State) -> State:
    """Every place of every array with a number of its own."""
    for array in arrays(state):
        array[...] = np.arange(array.size).reshape(array.shape) + 1
    return state


def test_arrays_are_those_of_nested_tuples_too():
    state = fresh(8, 3)
    assert [a.shape for a in arrays(state)] == [(1,), (8,), (8,), (3,), (8, 2)]
    assert list(arrays(())) == []


def test_growing_keeps_what_there_was_and_fills_up_with_what_is_fresh():
    small = numbered(fresh(8, 3))
    big = grown(small, fresh(16, 6))
    assert type(big) is State
    assert type(big.inner) is Inner
    assert big.weight.tolist() == [*range(1, 9), *[0.0] * 8]
    assert big.inner.by_feature.tolist() == [*range(1, 9), *[-1] * 8]
    assert big.inner.by_place.tolist() == [1, 2, 3, 0, 0, 0]
    assert big.rounds.tolist() == [1]
    assert big.table[:8].tolist() == small.table.tolist()
    assert (big.table[8:] == 7.0).all()
    for before, after in zip(arrays(small), arrays(big), strict=True):
        assert before.dtype == after.dtype
        assert after.flags.c_contiguous
        assert after.flags.writeable


def test_growing_never_shrinks():
    big = numbered(fresh(16, 6))
    same = grown(big, fresh(8, 3))
    for before, after in zip(arrays(big), arrays(same), strict=True):
        assert after is before


def test_each_array_grows_by_itself():
    """As when a budget is made smaller and the space larger at once."""
    state = grown(numbered(fresh(8, 6)), fresh(16, 3))
    assert state.weight.size == 16
    assert state.inner.by_place.tolist() == [1, 2, 3, 4, 5, 6]
    wide = State(*(np.ones(1) for _ in range(2)), Inner(np.ones(1), np.ones(1)), np.ones((2, 5)))
    tall = wide._replace(table=np.full((4, 3), 9.0))
    both = grown(wide, tall).table
    assert both.shape == (4, 5)
    assert (both[:2] == 1.0).all()
    assert (both[2:] == 9.0).all()


def test_growing_in_steps_equals_growing_at_once():
    start = numbered(fresh(8, 2))
    in_steps = grown(grown(grown(start, fresh(16, 4)), fresh(32, 8)), fresh(64, 16))
    at_once = grown(start, fresh(64, 16))
    for one, other in zip(arrays(in_steps), arrays(at_once), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(
    ("features", "capacity"),
    [(0, 8), (1, 8), (8, 8), (9, 16), (16, 16), (17, 32), (1000, 1024), (2**20 + 1, 2**21)],
)
def test_capacity_is_the_next_power_of_two(features, capacity):
    assert capacity_for(features) == capacity


def test_what_is_read_only_is_copied_and_nothing_else():
    state = numbered(fresh(8, 3))
    state.inner.by_feature.flags.writeable = False
    again = writeable(state)
    assert again.weight is state.weight
    assert again.inner.by_place is state.inner.by_place
    assert again.inner.by_feature.flags.writeable
    assert again.inner.by_feature.tolist() == state.inner.by_feature.tolist()
