"""A page with every kind of chart, and names that would break a careless one."""

from dataclasses import replace

import numpy as np
import pytest

from braided import registry
from braided.evaluate import Contender, Plan
from braided.learners.olsf import OLSF
from braided.records import as_rows
from braided.report import (
    Appearances,
    FieldCoverage,
    Page,
    Section,
    model_section,
    outcomes_of,
    record,
    write_page,
)
from braided.report.error_by_budget import budget_sweep
from braided.report.outcomes import streams_table
from tests.support.nasty_names import NASTY
from tests.support.registered import registered


class Diverging(OLSF):
    """A test double: it learns, but says nothing but NaN."""

    def prequential(self, *args, **keywords):
        return np.full(super().prequential(*args, **keywords).shape, np.nan)


def double_in_registry():
    """As short as can be: other tests go through the registry too."""
    return registered(registry.LearnerEntry("diverging", Diverging, "says NaN"))


@pytest.fixture(scope="session")
def nasty():
    """A plan on data whose names, labels and file's name are to be escaped."""
    random = np.random.default_rng(0)
    factor = random.normal(size=(300, 1))
    values = factor + 0.4 * random.normal(size=(300, len(NASTY)))
    values[:150, 0] = values[150:, 1] = np.nan  # one feature appears, one stops
    X = as_rows(values, feature_names=list(NASTY))
    y = np.where(factor[:, 0] > 0, "<b>yes", "</script>no")
    contenders = [Contender("olsf-ii", {"budget": 2}), Contender("glsc"), Contender("diverging")]
    return Plan({"<u>data & co": (X, y)}, contenders, "capricious")


@pytest.fixture(scope="session")
def nasty_classes(nasty):
    """The same rows with more labels than there is room for columns, once each pair has one."""
    ((data, (X, y)),) = nasty.data.items()
    labels = np.array([f"{label} {t % 5}" for t, label in enumerate(y)], object)
    contenders = [Contender("olsf-ii", {"budget": 2}), Contender("braid"), Contender("glsc")]
    return replace(nasty, data={data: (X, labels)}, contenders=contenders)


@pytest.fixture(scope="session")
def page(nasty, nasty_classes):
    """The same stream in four sections, of two labels and of many; and a model without results."""
    ((data, (X, _)),) = nasty.data.items()
    features = Appearances.of([X])  # unlike the stream, in order
    sections = []
    for repeats in (2, 1):
        with double_in_registry():
            recordings = record(nasty, data, repeats=repeats)
            sweep = budget_sweep(nasty, data, [1, 3, 6], repeats=repeats)
        outcomes = outcomes_of({recording.label: recording.summary for recording in recordings})
        stream = nasty.make_stream(data, 0)
        section = Section(f"{data}, {repeats}", stream, recordings, outcomes, sweep)
        sections.append(replace(section, features=features))
    for how, repeats in (("rest", 2), ("one", 1)):
        plan = replace(nasty_classes, many_classes=how)
        recordings = record(plan, data, repeats=repeats)
        sweep = budget_sweep(plan, data, [1, 3, 6], repeats=repeats)
        outcomes = outcomes_of({recording.label: recording.summary for recording in recordings})
        stream = plan.make_stream(data, 0)
        section = Section(f"{data}, {how}", stream, recordings, outcomes, sweep)
        sections.append(replace(section, features=features))
    table = streams_table({section.title: section.outcomes for section in sections})
    recording = sections[0].recordings[1]
    schema = [FieldCoverage(str(name), "<b>number", 300 - i, 300) for i, name in enumerate(NASTY)]
    warnings = ["<b>One", "Two & three"]
    sections.append(model_section("<u>model", recording.model, schema=schema, warnings=warnings))
    command = "braided compare '<u>data & co' --html page.html"
    return Page("<i>Title", "About & <b>", sections, command, 0, table)


@pytest.fixture(scope="session")
def written(page, tmp_path_factory):
    """The page's file."""
    pytest.importorskip("plotly")
    path = tmp_path_factory.mktemp("report") / "page.html"
    write_page(path, page)
    return path
