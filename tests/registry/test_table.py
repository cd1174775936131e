"""A table of entries: names, errors, and what others add."""

from __future__ import annotations

import pytest

from braided import InputError, registry
from braided.registry import CHARTS, EXPERTS, FORMATS, LEARNERS, METRICS, SHAPES, MetricEntry
from braided.registry.table import Table
from tests.support.registered import registered

TABLES = (LEARNERS, FORMATS, SHAPES, METRICS, EXPERTS, CHARTS)
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.kind)


def entry(name: str = "mine") -> MetricEntry:
    return MetricEntry(name, lambda signs, scores: 0.0, "nothing")


@EVERY_TABLE
def test_every_entry_has_a_name_a_line_about_it_and_a_home_that_exists(table):
    assert len(table) == len(table.names()) == len({*table.names()})
    for each in table:
        assert each.about
        assert "\n" not in each.about
        assert registry.resolve(each.home) is not None
        assert table.find(each.name) is each
        assert each.name in table
        assert registry.table_of(each) is table


@EVERY_TABLE
def test_an_unknown_name_is_answered_with_those_that_there_are(table):
    near = table.names()[0] + "x"
    with pytest.raises(InputError) as error:
        table.find(near)
    assert str(error.value).startswith(f"no {table.kind} {near!r} (did you mean")
    assert str(error.value).endswith(", ".join(table.names()))
    with pytest.raises(InputError, match="choose one of"):
        table.find(None)


def test_an_entry_can_be_added_once_and_taken_out_again():
    with registered(entry()):
        assert METRICS.names()[-1] == "mine"
        with pytest.raises(InputError, match="there is a metric 'mine' already"):
            registry.register(entry())
    assert "mine" not in METRICS
    with pytest.raises(InputError, match="no metric 'mine'"):
        METRICS.remove("mine")


def test_only_entries_can_be_registered():
    with pytest.raises(InputError, match="make one of LearnerEntry"):
        registry.register("auc")


def test_a_closed_table_says_why():
    table = Table("metric", [entry("a")])
    table.close("the doors are shut")
    with pytest.raises(InputError, match="metric 'b' comes too late: the doors are shut"):
        table.register(entry("b"))
