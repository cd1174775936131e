"""The budget rule: how many features a number or a share allows."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from braided import OLSF, InputError
from braided.kernels.budget import allowed, budget_as_number, room_for
from braided.parameters import check_budget
from tests.support.no_numbers import NO_NUMBERS


@pytest.mark.parametrize(
    "value", [1, 5, 10**30, np.int64(3), 1.0, 0.1, np.float32(0.1), Fraction(1, 3)]
)
def test_budgets_keep_as_many_features_as_they_say(value):
    check_budget(value)
    model = OLSF(budget=value).partial_fit(
        [{f"n{i}": 1.0 + i for i in range(20)}, {"m": 1}], [1, 0]
    )
    whole = isinstance(value, int | np.integer)
    assert model.features_kept == (min(value, 21) if whole else max(1, math.floor(value * 21)))


@pytest.mark.parametrize("value", [0, -1, 0.0, -0.5, 1.5, 2.0, math.inf, *NO_NUMBERS])
def test_other_than_budgets_is_refused(value):
    with pytest.raises(InputError, match=r"budget=.* is not allowed"):
        check_budget(value)
    with pytest.raises(InputError, match=r"budget=.* is not allowed"):
        OLSF(budget=value).learn_one({"a": 1}, 1)


@pytest.mark.parametrize("budget", [1, 3, 100, 0.001, 0.1, 0.29, 1 / 3, 0.5, 0.7, 0.999])
def test_there_is_room_for_whatever_the_budget_allows(budget):
    for power in range(3, 12):
        capacity = 2**power
        room = room_for(budget, capacity)
        most = max(allowed(budget_as_number(budget), seen) for seen in range(capacity + 1))
        assert 1 <= most <= room
