"""Checks of parameters: what is allowed, and that all else is refused by name."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from braided import OLSF, InputError
from braided.parameters import check_choice, check_positive, check_seed, check_share, check_whole
from tests.support.no_numbers import NO_NUMBERS


@pytest.mark.parametrize(
    "value", [1, 0.5, 1e-300, math.inf, np.float32(2), np.int8(3), Fraction(1, 2)]
)
def test_numbers_above_zero_are_allowed(value):
    check_positive("step", value)


@pytest.mark.parametrize("value", [0, -1, -math.inf, np.float64(0), *NO_NUMBERS])
def test_other_than_numbers_above_zero_is_refused(value):
    with pytest.raises(InputError, match=r"step=.* is not allowed: a number above 0"):
        check_positive("step", value)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), Fraction(1, 3)])
def test_shares_from_0_to_1_are_allowed(value):
    check_share("share", value)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.inf, *NO_NUMBERS])
def test_other_than_shares_is_refused(value):
    with pytest.raises(InputError, match=r"share=.* is not allowed: a number from 0 to 1"):
        check_share("share", value)


@pytest.mark.parametrize("value", [0, 7, 2**40, np.int64(5), np.uint64(2**63)])
def test_seeds_of_any_whole_number_are_allowed(value):
    check_seed(value)
    OLSF(seed=value).partial_fit([{"a": 1.0}], [1])


@pytest.mark.parametrize("value", [-1, 1.5, np.int64(-1), None, "1", True, math.nan])
def test_other_than_seeds_is_refused(value):
    with pytest.raises(InputError, match=r"seed=.* is not allowed: an int of at least 0"):
        check_seed(value)


def test_whole_numbers_within_limits_are_allowed():
    check_whole("size", 3, 1)
    check_whole("size", np.int16(3), 1, 3)
    for value in (0, 4, 10**400, 2.0, True, None, "2"):
        with pytest.raises(
            InputError, match=r"size=.* is not allowed: an int from 1 to 3, because"
        ):
            check_whole("size", value, 1, 3, ", because")


def test_only_given_choices_are_allowed():
    check_choice("kind", "a", ("a", None))
    check_choice("kind", None, ("a", None))
    for value in ("A", 1, (), ["a"]):
        with pytest.raises(InputError, match=r"kind=.* is not allowed: choose one of 'a', None"):
            check_choice("kind", value, ("a", None))
