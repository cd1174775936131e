"""Checks of parameters: what is allowed, and that all else is refused by name."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from braided import OLSF, InputError
from braided.kernels.budget import allowed, budget_as_number, check_budget, room_for
from braided.parameters import check_choice, check_positive, check_seed, check_share, check_whole

NO_NUMBERS = [None, "1", True, False, 1j, [1.0], Decimal(1), math.nan, 10**400, -(10**400)]


@pytest.mark.parametrize(
    "value", [1, 0.5, 1e-300, math.inf, np.float32(2), np.int8(3), Fraction(1, 2)]
)
def test_numbers_above_zero(value):
    check_positive("step", value)


@pytest.mark.parametrize("value", [0, -1, -math.inf, np.float64(0), *NO_NUMBERS])
def test_what_is_no_number_above_zero(value):
    with pytest.raises(InputError, match=r"step=.* is not allowed: a number above 0"):
        check_positive("step", value)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), Fraction(1, 3)])
def test_shares(value):
    check_share("share", value)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.inf, *NO_NUMBERS])
def test_what_is_no_share(value):
    with pytest.raises(InputError, match=r"share=.* is not allowed: a number from 0 to 1"):
        check_share("share", value)


@pytest.mark.parametrize("value", [0, 7, 2**40, np.int64(5), np.uint64(2**63)])
def test_seeds(value):
    check_seed(value)
    OLSF(seed=value).partial_fit([{"a": 1.0}], [1])


@pytest.mark.parametrize("value", [-1, 1.5, np.int64(-1), None, "1", True, math.nan])
def test_what_is_no_seed(value):
    with pytest.raises(InputError, match=r"seed=.* is not allowed: an int of at least 0"):
        check_seed(value)


def test_whole_numbers():
    check_whole("size", 3, 1)
    check_whole("size", np.int16(3), 1, 3)
    for value in (0, 4, 10**400, 2.0, True, None, "2"):
        with pytest.raises(
            InputError, match=r"size=.* is not allowed: an int from 1 to 3, because"
        ):
            check_whole("size", value, 1, 3, ", because")


def test_choices():
    check_choice("kind", "a", ("a", None))
    check_choice("kind", None, ("a", None))
    for value in ("A", 1, (), ["a"]):
        with pytest.raises(InputError, match=r"kind=.* is not allowed: choose one of 'a', None"):
            check_choice("kind", value, ("a", None))


@pytest.mark.parametrize(
    "value", [1, 5, 10**30, np.int64(3), 1.0, 0.1, np.float32(0.1), Fraction(1, 3)]
)
def test_budgets(value):
    check_budget(value)
    model = OLSF(budget=value).partial_fit(
        [{f"n{i}": 1.0 + i for i in range(20)}, {"m": 1}], [1, 0]
    )
    whole = isinstance(value, int | np.integer)
    assert model.features_kept == (min(value, 21) if whole else max(1, math.floor(value * 21)))


@pytest.mark.parametrize("value", [0, -1, 0.0, -0.5, 1.5, 2.0, math.inf, *NO_NUMBERS])
def test_what_is_no_budget(value):
    with pytest.raises(InputError, match=r"budget=.* is not allowed"):
        check_budget(value)
    with pytest.raises(InputError, match=r"budget=.* is not allowed"):
        OLSF(budget=value)


@pytest.mark.parametrize("budget", [1, 3, 100, 0.001, 0.1, 0.29, 1 / 3, 0.5, 0.7, 0.999])
def test_there_is_room_for_whatever_the_budget_allows(budget):
    for power in range(3, 12):
        capacity = 2**power
        room = room_for(budget, capacity)
        most = max(allowed(budget_as_number(budget), seen) for seen in range(capacity + 1))
        assert 1 <= most <= room
