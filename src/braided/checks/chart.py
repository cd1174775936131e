"""check_chart: what Braided promises of a chart of the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from unittest import SkipTest

import numpy as np

from braided.checks.promises import broken
from braided.evaluate import Contender, Plan
from braided.records import as_rows
from braided.registry import ChartEntry, resolve
from braided.report.appearances import Appearances
from braided.report.chart import Chart
from braided.report.error_by_budget import budget_sweep
from braided.report.outcomes import outcomes_of
from braided.report.page import Section
from braided.report.recording import record
from braided.report.schema import FieldCoverage
from braided.report.table import TableChart

__all__ = ["CHART_CHECKS"]

OF = ("recordings", "recording", "stream", "appearances", "sweep", "schema")
TAG = "<b>bold</b>"
"""In the names of features and labels, which a chart must show as they are."""

LEARNERS = ("oco", "olsf", "glsc", "braid")


@lru_cache
def _sections(rounds: int) -> tuple[Section, ...]:
    """What a page is made of: learners of all kinds on two labels, and some on three."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(rounds, 4))
    values[: rounds // 2, 3] = np.nan  # a feature that appears late
    rows = as_rows(values, feature_names=[f"{TAG} {i}" for i in range(4)])
    labels = np.array([TAG, f"not {TAG}", "a third"], object)
    two = labels[(values[:, 0] > 0).astype(int)]
    three = labels[np.arange(rounds) % 3]
    contenders = [Contender(name) for name in LEARNERS]
    plans = [
        Plan({TAG: (rows, two)}, contenders, "capricious"),
        Plan({TAG: (rows, three)}, [*contenders[1:2], *contenders[3:]], many_classes="rest"),
    ]
    sections = []
    for plan in plans:
        recordings = record(plan, TAG, repeats=2)
        sweep = budget_sweep(plan, TAG, [1, 3], repeats=2)
        outcomes = outcomes_of({recording.label: recording.summary for recording in recordings})
        schema = [FieldCoverage(f"{TAG} {i}", "number", rounds - i, rounds) for i in range(3)]
        sections.append(
            Section(
                TAG,
                plan.make_stream(TAG, 0),
                recordings,
                outcomes,
                sweep,
                schema=schema,
                features=Appearances.of([rows]),
            )
        )
    return tuple(sections)


def _drawn(entry: ChartEntry, rounds: int) -> Iterator[Chart | TableChart]:
    """The charts of what the entry is about, where there is something to draw."""
    if entry.of not in OF:
        raise broken("what it draws", expected=f"one of {OF}", found=entry.of)
    draw = resolve(entry.home)
    for section in _sections(rounds):
        for item in section.drawn_from(entry.of):
            chart = draw(item)
            if chart is not None and not isinstance(chart, Chart | TableChart):
                expected = "a Chart, a TableChart or None"
                raise broken("what it returns", expected=expected, found=chart)
            if chart is not None:
                yield chart


def _as_json(chart: Chart | TableChart) -> str:
    shown = chart.figure if isinstance(chart, Chart) else asdict(chart.table)
    try:
        return json.dumps(shown, allow_nan=False)
    except (TypeError, ValueError) as error:
        expected = "what JSON can hold: lists, texts, finite numbers, None"
        raise broken(f"the figure of {chart.title!r}", expected=expected, found=error) from error


def check_chart_is_plain_data(entry: ChartEntry) -> None:
    """A chart has a title, a sentence about it, and a figure that JSON can hold."""
    charts = list(_drawn(entry, 60))
    if not charts:
        raise SkipTest("there is nothing to draw for Braided's own learners")
    for chart in charts:
        for what, text in (("title", chart.title), ("about", chart.about)):
            if not isinstance(text, str) or not text.strip():
                raise broken(f"the {what} of a chart", expected="a text", found=text)
        _as_json(chart)


def check_chart_is_the_same_twice(entry: ChartEntry) -> None:
    """The same recordings give the same chart, and are left as they were."""
    first, second = ([_as_json(chart) for chart in _drawn(entry, 60)] for _ in range(2))
    if first != second:
        raise broken("the figures of a second drawing", expected=first, found=second)


def check_chart_shows_names_as_they_are(entry: ChartEntry) -> None:
    """A name from the data is shown as it is: tags in it are no tags of the page."""
    for chart in _drawn(entry, 60):
        text = _as_json(chart)
        if isinstance(chart, Chart) and "<b>bold" in text:  # tables are escaped by the page
            place = text.index("<b>bold")
            shown = text[max(0, place - 40) : place + 40]
            raise broken(f"a name in {chart.title!r}", expected="&lt;b&gt;bold", found=shown)


def check_chart_of_few_rounds(entry: ChartEntry) -> None:
    """A stream of three rows can be drawn, or there is nothing to draw."""
    for chart in _drawn(entry, 3):
        _as_json(chart)


CHART_CHECKS: tuple[Callable[[ChartEntry], None], ...] = (
    check_chart_is_plain_data,
    check_chart_is_the_same_twice,
    check_chart_shows_names_as_they_are,
    check_chart_of_few_rounds,
)
"""All promises of a chart; each is called with its entry.

Examples
--------
>>> from braided.checks import CHART_CHECKS
>>> CHART_CHECKS[0].__name__
'check_chart_is_plain_data'
"""
