"""check_entry finds each mistake that a metric can make."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from braided.checks import METRIC_CHECKS, check_entry, entry_checks
from braided.registry import METRICS, MetricEntry
from tests.support.failing_checks import failing


def share_positive(signs, scores):
    """A metric that is right: the share of rounds with a positive score."""
    return float(np.mean(scores > 0)) if scores.size else math.nan


def infinite(signs, scores):
    both = (signs > 0).any() and (signs < 0).any()
    return math.inf if both and signs.size > 30 else math.nan


def needs_both_labels(signs, scores):
    return scores[signs > 0].max() if (signs > 0).sum() > 1 else scores[signs < 0].max()


def first_score(signs, scores):
    return float(scores[0]) if scores.size else math.nan


def sorts_in_place(signs, scores):
    scores.sort()
    return share_positive(signs, scores)


def pair(signs, scores):
    return [1.0, 2.0]


def behind(signs, scores, window):
    """A curve that is one round late."""
    rounds = range(len(signs))
    span = [slice(0 if window is None else max(0, t - window), t) for t in rounds]
    return np.array([share_positive(signs[s], scores[s]) for s in span])


def knows_two_classes(classes, predicted):
    if classes.size and classes.max() > 1:
        raise KeyError(classes.max())
    return share_positive(classes, predicted)


def entry(home, **more):
    return MetricEntry("mine", home, "a metric of mine", **more)


BROKEN = [
    (entry(infinite), "check_metric_is_a_number"),
    (entry(share_positive, of="everything"), "check_metric_is_a_number"),
    (entry(needs_both_labels), "check_metric_does_without_a_label"),
    (entry(first_score), "check_metric_does_not_depend_on_the_order_of_rounds"),
    (entry(sorts_in_place), "check_metric_leaves_its_arrays_alone"),
    (entry(share_positive, curve=behind), "check_metric_curve_follows_the_metric"),
    (entry(knows_two_classes, many_classes=True), "check_metric_of_many_classes_is_a_number"),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN)
def test_a_mistake_is_found_by_the_check_for_it(broken, check):
    with pytest.raises(AssertionError, match=f"metric mine breaks a promise: .*\n  check: {check}"):
        check_entry(broken)


def test_every_check_can_fail():
    assert {check for _, check in BROKEN} == {check.__name__ for check in METRIC_CHECKS}


def test_what_is_no_number_breaks_every_promise():
    told = failing(entry_checks(entry(pair, many_classes=True)))
    assert len(told) == len(METRIC_CHECKS)
    assert all("expected: one number\n  found:    [1.0, 2.0]" in text for text in told.values())


def test_a_metric_that_is_right():
    outcome = check_entry(entry(share_positive, many_classes=True))
    assert set(outcome.values()) == {"held"}


def test_of_a_run_there_is_less_to_check():
    outcome = check_entry(METRICS.find("seconds"))
    assert outcome["check_metric_curve_follows_the_metric"] == "left out: it has no curve"
    assert outcome["check_metric_is_a_number"] == "held"


def test_the_wrong_count():
    f1 = METRICS.find("f1")
    assert check_entry(f1, skip=["check_metric_is_a_number"])["check_metric_is_a_number"] == (
        "left out: in skip"
    )
    with pytest.raises(AssertionError, match="has no attribute 'f2'"):
        check_entry(replace(f1, home=lambda counts: counts.f2))
