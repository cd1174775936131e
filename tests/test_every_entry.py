"""What holds for every metric, stream shape, file format, expert and chart of the registry.

An entry in its table is all that a new one needs; the promises are those of ``braided.checks``.
Learners have more to promise: ``test_every_learner.py``.
"""

from __future__ import annotations

import pytest

from braided.checks import entry_checks
from braided.registry import CHARTS, EXPERTS, FORMATS, METRICS, SHAPES

CHECKS = [
    pytest.param(check, id=f"{entry.name}-{check.name}")
    for table in (METRICS, SHAPES, FORMATS, CHARTS, EXPERTS)
    for entry in table
    for check in entry_checks(entry)
]


@pytest.mark.parametrize("check", CHECKS)
def test_every_promise_is_kept(check):
    check()
