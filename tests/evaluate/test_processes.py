"""Several processes give what one gives, in the same order."""

from __future__ import annotations

from braided.evaluate.processes import spread


def test_as_from_one_process():
    parts = list(range(-20, 20))
    assert list(spread(abs, parts, jobs=3)) == list(map(abs, parts))
