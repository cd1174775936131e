"""What holds for every metric, stream shape, file format, expert and chart of the registry.

An entry in its table is all that a new one needs; the promises are those of ``braided.checks``.
Learners have more to promise: ``test_every_learner.py``.
"""

from __future__ import annotations

import pytest

from braided.checks import (
    chart_checks,
    expert_checks,
    format_checks,
    metric_checks,
    shape_checks,
)
from braided.registry import CHARTS, EXPERTS, FORMATS, METRICS, SHAPES

CHECKS = [
    pytest.param(check, id=f"{entry.name}-{check.name}")
    for table, checks_of in (
        (METRICS, metric_checks),
        (SHAPES, shape_checks),
        (FORMATS, format_checks),
        (CHARTS, chart_checks),
        (EXPERTS, expert_checks),
    )
    for entry in table
    for check in checks_of(entry)
]


@pytest.mark.parametrize("check", CHECKS)
def test_every_promise_is_kept(check):
    check()
