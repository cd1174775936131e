"""check_entry knows every kind of entry."""

from __future__ import annotations

import pytest

from braided import InputError
from braided.checks import check_entry, entry_checks
from braided.registry import CHARTS, EXPERTS, FORMATS, LEARNERS, METRICS, SHAPES


@pytest.mark.parametrize(
    ("table", "check"),
    [
        (LEARNERS, "check_any_two_labels"),
        (METRICS, "check_metric_is_a_number"),
        (FORMATS, "check_format_damage_is_refused"),
        (SHAPES, "check_shape_blocks_do_not_matter"),
        (EXPERTS, "check_expert_learns"),
        (CHARTS, "check_chart_is_plain_data"),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_every_kind_of_entry_has_its_checks(table, check):
    for entry in table:
        assert check in [name for name, _ in entry_checks(entry)]


def test_a_learner_is_checked_with_the_parameters_of_its_entry():
    (first, *_) = entry_checks(LEARNERS.find("stsd"))
    assert first.name == "check_parameters_are_as_scikit_learn_expects"
    outcome = check_entry(LEARNERS.find("stsd"))
    assert outcome["check_a_budget_is_never_exceeded"] == "held"


def test_what_is_no_entry_is_refused():
    with pytest.raises(InputError, match="'auc' is no entry of a table: make one of Learner"):
        check_entry("auc")
