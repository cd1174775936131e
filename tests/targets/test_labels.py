"""Labels: any two values, known at once, late or beforehand."""

from __future__ import annotations

import datetime
import math
import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import OLSF, InputError
from braided.targets import Labels
from tests.support.learned import state_of

pd = pytest.importorskip("pandas")


def learned(*values):
    labels = Labels()
    for value in values:
        y = np.empty(1, object)
        y[0] = value
        labels.signs(y)
    return labels


# ------------------------------------------------------------------------ any two values


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize(
    ("negative", "positive"),
    [
        (-1, 1), (0, 1), (False, True), (1, 2), (-5, -1), (0, -1 + 2), (0.5, 1.5), (-1.0, 0.0),
        ("mail", "spam"), ("", "a"), (b"a", b"b"), ((1, 2), (1, 3)), (2**70, 2**70 + 1),
        (datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)),
    ],
)  # fmt: skip
def test_the_larger_value_is_the_positive_one_whichever_is_seen_first(negative, positive, flipped):
    labels = learned(*((positive, negative) if flipped else (negative, positive)))
    both = np.empty(2, object)
    both[:] = [negative, positive]
    oriented = labels.signs(both) * labels.orientation
    assert oriented.tolist() == [-1.0, 1.0]
    assert labels.classes.tolist() == [negative, positive]
    assert labels.names(np.array([-0.1, 0.1])).tolist() == [negative, positive]
    assert [labels.name(score * labels.orientation) for score in (-0.1, 0.1)] == [
        negative,
        positive,
    ]
    assert [labels.code_of(v) * labels.orientation for v in (negative, positive)] == [-1.0, 1.0]
    assert len(labels) == 2


@pytest.mark.parametrize(
    "y",
    [
        np.array([1, 0, 1]), np.array([1, 0, 1], np.uint8), np.array([1.0, 0.0, 1.0], np.float32),
        np.array([True, False, True]), np.array(["b", "a", "b"]), np.array([b"b", b"a", b"b"]),
        np.array(["b", "a", "b"], object), np.array([1, "a", 1], object),
        np.array(["2021", "2020", "2021"], "M8[Y]"),
    ],
    ids=lambda y: str(y.dtype),
)  # fmt: skip
def test_label_arrays_of_any_type_become_signs_and_plain_values(y):
    labels = Labels()
    labels.check(y)
    first, second, third = labels.signs(y)
    assert first == third == -second
    assert all(not isinstance(value, np.generic) for value in labels.codes)
    assert [labels.code_of(value) for value in y.tolist()] == [first, second, third]


def test_labels_that_are_equal_are_one_label():
    model = OLSF().partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0])
    for one in (True, 1.0, np.int8(1), np.float64(1), np.bool_(True), np.array(1)):
        model.learn_one({"a": 1.0}, one)
        model.partial_fit([{"a": 1.0}], [one])
        model.partial_fit([{"a": 1.0}], np.array([one]))
    assert model.classes_.tolist() == [0, 1]


def test_values_that_can_not_be_sorted_come_in_order_of_first_sight():
    labels = learned("a", 1)
    assert labels.classes.tolist() == ["a", 1]
    assert labels.names(np.array([1.0, -1.0])).tolist() == [1, "a"]
    labels = learned(1, "a")
    assert labels.classes.tolist() == [1, "a"]
    in_a_block = OLSF().partial_fit([{"x": 1.0}, {"y": 1.0}], [1, "a"])
    one_by_one = OLSF()
    one_by_one.learn_one({"x": 1.0}, 1)
    one_by_one.learn_one({"y": 1.0}, "a")
    assert in_a_block.classes_.tolist() == one_by_one.classes_.tolist() == [1, "a"]
    assert state_of(in_a_block) == state_of(one_by_one)


@given(st.lists(st.sampled_from(["x", "y"]), min_size=1, max_size=20), st.integers(0, 20))
def test_signs_do_not_depend_on_blocks(y, cut):
    at_once, in_blocks = Labels(), Labels()
    signs = at_once.signs(np.array(y)).tolist()
    parts = [in_blocks.signs(np.array(part, "<U1")).tolist() for part in (y[:cut], y[cut:])]
    assert parts[0] + parts[1] == signs
    assert in_blocks.orientation == at_once.orientation


# ------------------------------------------------------------- one value, none, declared


@pytest.mark.parametrize(("value", "sign"), [(-1, -1), (0, -1), (False, -1), (1, 1), ("x", 1)])
def test_one_label_value_is_always_predicted(value, sign):
    labels = learned(value)
    assert labels.code_of(value) == sign
    assert labels.classes.tolist() == [value]
    assert labels.names(np.array([-1.0, 0.0, 1.0])).tolist() == [value] * 3
    assert labels.name(-1.0) == labels.name(1.0) == value


def test_a_late_second_label_turns_scores_and_weights_round():
    model = OLSF().partial_fit([{"a": 1.0}], ["spam"])
    assert model.weights()["a"] > 0
    assert model.predict([{"a": 1.0}, {"b": 1.0}]).tolist() == ["spam", "spam"]
    model.learn_one({"b": 1.0}, "yes")  # larger: now it is the positive one
    assert model.weights()["a"] < 0 < model.weights()["b"]
    assert model.predict([{"a": 1.0}, {"b": 1.0}]).tolist() == ["spam", "yes"]
    assert model.score_one({"a": 1.0}) < 0 < model.score_one({"b": 1.0})


def test_labels_before_any_value_was_seen():
    labels = Labels()
    assert (len(labels), labels.classes.tolist(), labels.code_of(1)) == (0, [], None)
    assert labels.name(1.0) is None
    labels.check(np.array([]))
    assert labels.signs(np.array([])).size == 0


@pytest.mark.parametrize(
    "classes",
    [[1, 0], (0, 1), np.array([0, 1]), pd.Series([1, 0]), {0, 1}, iter([0, 1]), [0, 1, 1]],
)
def test_declared_classes_are_known_before_they_are_seen(classes):
    model = OLSF().partial_fit([{"a": 1.0}], [1], classes=classes)
    assert model.classes_.tolist() == [0, 1]
    assert model.weights()["a"] > 0
    assert model.predict([{"a": -1.0}]).tolist() == [0]
    with pytest.raises(InputError, match="third label, 2"):
        model.learn_one({"a": 1.0}, 2)


def test_declaring_changes_no_prediction():
    rows, y = [{"a": 1.0}, {"b": 1.0}, {"a": 2.0, "b": -1.0}], ["q", "p", "q"]
    seen, declared = OLSF().partial_fit(rows, y), OLSF().partial_fit(rows, y, classes=["p", "q"])
    assert seen.decision_function(rows).tolist() == declared.decision_function(rows).tolist()
    declared.partial_fit(rows, y, classes=["q", "p"]).partial_fit(rows, y, classes=["p"])
    assert declared.classes_.tolist() == ["p", "q"]


def test_declared_classes_of_another_type_than_the_labels():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = OLSF().partial_fit([{"a": 1.0}], np.array(["a"]), classes=[1, "a"])
    assert model.predict([{"a": 1.0}, {"a": -1.0}]).tolist() == ["a", 1]


# ------------------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("classes", "why"),
    [
        ([0, 1, 2], "more than two labels: 1, 0, 2"),
        ([0, 2], "more than two labels"),
        ([None, 1], "classes: the label is missing"),
        ([math.nan, 1], "classes: the label is missing"),
        ([pd.NA, 1], "classes: the label is missing"),
        ([[0], 1], r"classes: \[0\] can not be a label"),
        (["x", 1], "more than two labels"),
    ],
)
def test_declared_classes_that_can_not_be_labels_are_refused(classes, why):
    model = OLSF().partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0])
    before = state_of(model)
    with pytest.raises(InputError, match=why):
        model.partial_fit([{"c": 1.0}], [1], classes=classes)
    assert state_of(model) == before
    assert model.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (None, "the label is missing"),
        (math.nan, "the label is missing"),
        (np.float32("nan"), "the label is missing"),
        (pd.NA, "the label is missing"),
        (pd.NaT, "the label is missing"),
        (math.inf, "can not be a label"),
        (-math.inf, "can not be a label"),
        ([1], "can not be a label"),
        ({}, "can not be a label"),
        (([1],), "can not be a label"),
        (np.array([1, 2]), "can not be a label"),
        (7, "a third label, 7, after"),
        ("7", "a third label, '7', after"),
        (0.5, "a third label, 0.5, .* continuous"),
    ],
)
def test_a_bad_label_is_named_with_its_row_and_changes_nothing(bad, why, fresh):
    model = OLSF()
    if not fresh:
        model.partial_fit([{"a": 1.0}, {"b": 1.0}], [1, 0])
    before = (model.rounds, model.features_seen, model.weights())
    y = np.empty(4, object)
    y[:] = [1, 0, 1, 1]
    y[2] = bad
    with pytest.raises(InputError, match=f"row 2: .*{why}"):
        model.partial_fit([{"new": 1.0}] * 4, y)
    if not fresh:
        with pytest.raises(InputError):
            model.learn_one({"new": 1.0}, bad)
    assert (model.rounds, model.features_seen, model.weights()) == before


def test_a_bad_label_of_a_frame_is_named_with_its_row():
    rows = [{"a": 1.0}] * 2
    for y in (pd.Series(["x", None]), pd.array([1, None], "Int64"), pd.Categorical(["x", None])):
        with pytest.raises(InputError, match="row 1: the label is missing"):
            OLSF().partial_fit(rows, y)


def test_rows_that_are_left_out_count_when_a_label_is_named():
    model = OLSF()
    with pytest.raises(InputError, match="row 3: a third label, 'z'"):
        model.partial_fit([{}] * 4, ["x", "w", "y", "z"], sample_weight=[1, 0, 1, 1])
    model.partial_fit([{}] * 3, ["x", None, "y"], sample_weight=[1, 0, 1])
    assert model.classes_.tolist() == ["x", "y"]


@pytest.mark.parametrize("value", ["nan", "NA", "?", "None"])
def test_a_third_label_that_looks_like_none_is_told_how_to_be_none(value):
    with pytest.raises(InputError, match=f"If {re.escape(repr(value))} stands for no label"):
        Labels().check(np.array(["yes", "no", value]))
