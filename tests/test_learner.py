"""Learner: the doors of river and scikit-learn, and what may be done to a fitted model."""

from __future__ import annotations

import copy
from fractions import Fraction

import numpy as np
import pytest

from braided import OLSF, InputError
from tests.streams_of_rows import long_stream
from tests.test_every_learner import state_of

STREAM = long_stream(seed=9, rounds=120)
ROWS, LABELS = [x for x, _ in STREAM], [y for _, y in STREAM]


# ------------------------------------------------------------------------- parameters


def test_an_assigned_parameter_waits_until_fit_or_set_params():
    """Room is made by the parameters that the kernels know, or they write beyond it."""
    plain, assigned = OLSF(budget=0.5), OLSF(budget=0.5)
    for model in (plain, assigned):
        model.partial_fit(ROWS[:10], LABELS[:10])
    assigned.budget = 1
    for model in (plain, assigned):
        model.partial_fit(ROWS[10:60], LABELS[10:60])
        for x, y in STREAM[60:]:
            model.learn_one(x, y)
    assert state_of(plain) == state_of(assigned)
    assert assigned.set_params(variant="I").features_kept == 1
    assigned.budget = 3
    assert assigned.fit(ROWS, LABELS).features_kept == 3


def test_an_assigned_parameter_is_checked_before_it_comes_into_force():
    model = OLSF().fit(ROWS, LABELS)
    before = state_of(model)
    model.budget = "all"
    with pytest.raises(InputError, match="budget"):
        model.set_params(radius=3.0)
    with pytest.raises(InputError, match="budget"):
        model.fit(ROWS, LABELS)
    assert model.radius == float("inf")
    assert state_of(model) == before


@pytest.mark.parametrize("wrong", [{"budget": 2, "nonsense": 1}, {"budget": 2, "variant": "III"}])
def test_set_params_that_fails_changes_nothing(wrong):
    model = OLSF(budget=0.5).partial_fit(ROWS, LABELS)
    before = state_of(model)
    with pytest.raises(ValueError, match=r"nonsense|variant"):
        model.set_params(**wrong)
    assert model.get_params() == OLSF(budget=0.5).get_params()
    assert state_of(model) == before


@pytest.mark.parametrize(
    "budget", [Fraction(1, 2) - Fraction(1, 10**30), np.longdouble("0.49999999999999999999")]
)
def test_a_budget_that_is_rounded_up_for_kernels_has_room(budget):
    exact, rounded = OLSF(budget=budget), OLSF(budget=0.5)
    for model in (exact, rounded):
        model.partial_fit([{f"n{i}": 1.0 + i for i in range(8)}], [1])
    assert state_of(exact) == state_of(rounded)


def test_a_shallow_copy_is_a_model_of_its_own():
    model = OLSF().partial_fit(ROWS[:10], LABELS[:10])
    before = state_of(model)
    other = copy.copy(model).partial_fit(ROWS[10:], LABELS[10:])
    assert state_of(model) == before
    assert other.features_seen > model.features_seen


# -------------------------------------------------------------------- as in scikit-learn


def test_fit_forgets():
    model = OLSF().fit(ROWS, LABELS)
    assert state_of(model.fit(ROWS[:9], LABELS[:9])) == state_of(OLSF().fit(ROWS[:9], LABELS[:9]))
    assert model.fit([{"a": 1.0}, {"b": 1.0}], ["x", "y"]).classes_.tolist() == ["x", "y"]
    assert model.fit(np.eye(3), [1, 0, 1]).fit(np.eye(4), [1, 0, 1, 0]).n_features_in_ == 4


@pytest.mark.parametrize(
    "bad",
    [
        {"y": [1, None]},
        {"y": [1, 2, 3]},
        {"y": [1, 0], "sample_weight": [1, -1]},
        {"X": [{"a": 1.0}, {"a": "text"}], "y": [1, 0]},
    ],
)
def test_fit_that_is_refused_forgets_nothing(bad):
    model = OLSF().partial_fit(ROWS, LABELS)
    before = state_of(model)
    with pytest.raises(InputError):
        model.fit(**{"X": [{"a": 1.0}, {"b": 1.0}], **bad})
    assert state_of(model) == before
    with pytest.raises(InputError):
        OLSF().fit(**{"X": [{"a": 1.0}, {"b": 1.0}], **bad}).predict([{}])
