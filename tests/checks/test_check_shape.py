"""check_entry finds each mistake that a stream shape can make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from braided.checks import SHAPE_CHECKS, check_entry
from braided.records import as_rows
from braided.registry import ShapeEntry, ShapeOption
from braided.streams import Stream, fixed, given


def backwards(X, y=None, *, seed=0, first=1, feature_names=None):
    """A shape that is right: the rows from the last to the first."""
    rows = given(X, y, feature_names=feature_names).rows
    return Stream("backwards", rows, order=np.arange(len(rows))[::-1].copy(), seed=seed)


def with_shape(shape, X, y, feature_names=None):
    return Stream("mine", given(X, y, feature_names=feature_names).rows, shape)


def hides_by_chance(X, y=None, *, feature_names=None):
    rng = np.random.default_rng(0)  # made once, not in each pass

    def shape(blocks):
        for block in blocks:
            yield block.select(rng.random(block.values.size) < 0.5)

    return with_shape(shape, X, y)


def hides_the_end_of_blocks(X, y=None, *, feature_names=None):
    def shape(blocks):
        for block in blocks:
            yield block.select(np.arange(block.values.size) < block.values.size - 1)

    return with_shape(shape, X, y)


def draws_its_own_seed(X, y=None, *, seed=0, feature_names=None):
    return fixed(X, y, seed=int(np.random.default_rng().integers(2**31)))


def fills_with_zeros(X, y=None, *, feature_names=None):
    rows = given(X, y).rows
    names = sorted({name for x in rows.dicts() for name in x})
    filled = [{name: x.get(name, 0.0) for name in names} for x in rows.dicts()]
    return given(filled, rows.labels)


def shuffles_labels(X, y=None, *, feature_names=None):
    rows = given(X, y).rows
    return given(list(rows.dicts()), rows.labels[::-1])


def repeats_rows(X, y=None, *, feature_names=None):
    rows = given(X, y).rows
    return Stream("mine", rows, order=np.zeros(len(rows), np.int64))


def drops_a_row(X, y=None, *, feature_names=None):
    rows = given(X, y).rows
    return given(rows[1:] if len(rows) > 1 else rows)


def takes_anything(X, y=None, *, feature_names=None):
    rows = as_rows(X, y)
    labels = np.zeros(len(rows)) if rows.labels is None else rows.labels
    return Stream("mine", as_rows(list(rows.dicts()), labels))


def lists(X, y=None, *, feature_names=None):
    return list(zip(X, y, strict=True))


def entry(home, shuffles=False, **more):
    return ShapeEntry("mine", home, "a shape of mine", shuffles=shuffles, **more)


RIGHT = entry(backwards, True, options=(ShapeOption("first", int, 1, "of mine"),))

BROKEN = [
    (replace(RIGHT, shuffles=False), "check_shape_options_are_arguments"),
    (entry(takes_anything, True), "check_shape_options_are_arguments"),
    (
        replace(RIGHT, options=(ShapeOption("last", int, 1, "of mine"),)),
        "check_shape_options_are_arguments",
    ),
    (
        replace(RIGHT, options=(ShapeOption("first", int, 2, "of mine"),)),
        "check_shape_options_are_arguments",
    ),
    (entry(hides_by_chance), "check_shape_every_pass_is_the_same"),
    (entry(hides_the_end_of_blocks), "check_shape_blocks_do_not_matter"),
    (entry(draws_its_own_seed, True), "check_shape_the_same_seed_gives_the_same_stream"),
    (entry(fills_with_zeros), "check_shape_shows_the_rows_of_the_set"),
    (entry(shuffles_labels), "check_shape_shows_the_rows_of_the_set"),
    (entry(repeats_rows), "check_shape_shows_the_rows_of_the_set"),
    (entry(drops_a_row), "check_shape_shows_the_rows_of_the_set"),
    (entry(takes_anything), "check_shape_refuses_a_set_that_is_no_stream"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN)
def test_a_mistake_is_found_by_the_check_for_it(broken, check):
    told = f"stream shape mine breaks a promise: .*\n  check: {check}"
    with pytest.raises(AssertionError, match=told):
        check_entry(broken)


def test_every_check_can_fail():
    assert {check for _, check in BROKEN} == {check.__name__ for check in SHAPE_CHECKS}


def test_a_shape_that_is_right():
    assert set(check_entry(RIGHT).values()) == {"held"}


def test_what_is_no_stream():
    with pytest.raises(AssertionError, match=r"expected: a braided\.streams\.Stream"):
        check_entry(entry(lists))
