"""What holds for every learner: a line in the registry is all that a new one needs.

The promises are those of ``braided.checks``, which people who write their own learner run as well.
Where hypothesis finds more than a seeded stream does, it looks here too.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided.checks import learner_checks
from tests.support.every_learner import BUDGETED, EAGER, EVERY, NAMES, few, halves, new
from tests.support.learned import state_of
from tests.support.streams_of_rows import any_values, streams


@pytest.mark.parametrize(
    "check",
    [
        pytest.param(check, id=f"{name}-{check.name}")
        for name in [*NAMES, EAGER]
        for check in learner_checks(new(name))
    ],
)
def test_every_promise_is_kept(check):
    check()


@EVERY
@few
@given(stream=streams(any_values), cuts=st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_one_by_one_equals_in_blocks_bit_for_bit(name, stream, cuts):
    rows, labels = halves(stream)
    one_by_one, at_once, in_blocks = new(name), new(name), new(name)
    for x, y in stream:
        one_by_one.predict_one(x)
        one_by_one.learn_one(x, y)
    at_once.partial_fit(rows, labels)
    start = 0
    for size in [*cuts, len(rows)]:
        if rows[start : start + size]:
            in_blocks.prequential(rows[start : start + size], labels[start : start + size])
        start += size
    assert state_of(one_by_one) == state_of(at_once) == state_of(in_blocks)


@EVERY
@few
@given(stream=streams(any_values))
def test_renaming_changes_nothing_but_names(name, stream):
    rows, labels = halves(stream)
    renamed = [{("other", n): v for n, v in x.items()} for x in rows]
    first, second = new(name).partial_fit(rows, labels), new(name).partial_fit(renamed, labels)
    assert {("other", n): w for n, w in first.weights().items()} == second.weights()
    assert first.decision_function(rows).tolist() == second.decision_function(renamed).tolist()


@pytest.mark.parametrize("name", [*BUDGETED.args[1], EAGER])
@pytest.mark.parametrize("budget", [1, 2, 5, 0.1, 0.5])
@few
@given(stream=streams(any_values))
def test_the_budget_is_never_exceeded(name, budget, stream):
    model = new(name, budget=budget)
    for x, y in stream:
        model.learn_one(x, y)
        share = max(1, math.floor(budget * max(1, model.features_seen)))
        assert model.features_kept <= (budget if isinstance(budget, int) else share)
