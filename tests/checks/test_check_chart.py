"""check_entry finds each mistake that a chart can make."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from braided.checks import CHART_CHECKS, check_entry
from braided.registry import ChartEntry
from braided.report.chart import Chart, axis, layout, numbers, safe


def bars(names, heights, title="Mine"):
    trace = {"type": "bar", "x": names, "y": heights}
    return Chart(title, "About mine.", [trace], layout(axis("name"), axis("height")))


def rounds_chart(recordings):
    """A chart that is right: how many rounds each learner had."""
    rounds = [len(next(iter(r.summary.results.values())).scores) for r in recordings]
    return bars([safe(r.label) for r in recordings], numbers(rounds))


def without_title(recordings):
    return bars(["a"], [1.0], title=" ")


def with_arrays(recordings):
    return bars(["a"], np.array([1.0]))


def with_nan(recordings):
    return bars(["a"], [float("nan")])


def draws_dict(recordings):
    return {"data": []}


_numbers = itertools.count()


def counts_its_calls(recordings):
    return bars(["a"], [next(_numbers)])


def raw_names(stream):
    return bars([str(stream.rows.name(0))], [1.0])


def needs_ten_rounds(stream):
    return bars([safe(name) for name in "ab"], [1.0 / (len(stream) > 10), 2.0])


def nothing(recordings):
    return None


BROKEN = [
    (without_title, "recordings", "check_chart_is_plain_data"),
    (with_arrays, "recordings", "check_chart_is_plain_data"),
    (with_nan, "recordings", "check_chart_is_plain_data"),
    (draws_dict, "recordings", "check_chart_is_plain_data"),
    (rounds_chart, "everything", "check_chart_is_plain_data"),
    (counts_its_calls, "recordings", "check_chart_is_the_same_twice"),
    (raw_names, "stream", "check_chart_shows_names_as_they_are"),
    (needs_ten_rounds, "stream", "check_chart_of_few_rounds"),
]


@pytest.mark.parametrize(("draw", "of", "check"), BROKEN)
def test_a_mistake_is_found_by_the_check_for_it(draw, of, check):
    with pytest.raises(AssertionError, match=f"chart mine breaks a promise: .*\n  check: {check}"):
        check_entry(ChartEntry("mine", draw, "a chart of mine", of))


def test_every_check_can_fail():
    assert {check for _, _, check in BROKEN} == {check.__name__ for check in CHART_CHECKS}


def test_a_chart_that_is_right():
    assert set(check_entry(ChartEntry("mine", rounds_chart, "of mine")).values()) == {"held"}


def test_a_chart_of_nothing():
    outcome = check_entry(ChartEntry("mine", nothing, "of mine"))
    assert outcome["check_chart_is_plain_data"].startswith("left out: there is nothing to draw")
