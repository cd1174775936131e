"""Every experiment is well formed, and its paper's figures are where they should be."""

from __future__ import annotations

import pytest

from braided import registry
from braided.errors import InputError
from braided.papers import experiments, find, printed, sets
from braided.papers.experiment import Figure, Table
from braided.papers.trial import QUANTITIES, Trial

EVERYTHING = {experiment.name: experiment for experiment in experiments()}


def test_names_are_unique_and_found():
    assert len(EVERYTHING) == len(experiments())
    for name in EVERYTHING:
        assert find(name).name == name


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'olsf-table-3'"):
        find("olsf-tabel-3")


def test_every_stored_table_belongs_to_an_experiment():
    tables = {name for name, each in EVERYTHING.items() if isinstance(each, Table)}
    assert set(printed.names()) == tables


@pytest.mark.parametrize("name", printed.names())
def test_a_stored_table_has_the_cells_of_its_experiment(name):
    table = EVERYTHING[name]
    found = printed.read(name)
    assert list(found) != []
    assert set(found) == set(table.cells)
    for cell in found.values():
        assert cell.mean > 0
        assert cell.std is None or cell.std >= 0


@pytest.mark.parametrize("name", EVERYTHING)
def test_sets_learners_and_quantities_of_every_measure_exist(name):
    experiment = EVERYTHING[name]
    assert experiment.title
    assert experiment.protocol.endswith(".")
    assert experiment.remark == "" or experiment.remark.endswith(".")
    assert 1 <= experiment.quick <= experiment.repeats
    for measure in experiment.measures:
        assert measure.data in sets.SETS
        if isinstance(measure, Trial):
            assert measure.what in QUANTITIES
            registry.LEARNERS.find(measure.learner)
    if isinstance(experiment, Figure):
        assert experiment.claims
        for panel in experiment.panels.values():
            for curve in panel.values():
                assert len(curve.measures) in (1, len(curve.across))
