"""Several processes give what one gives, in the same order."""

from __future__ import annotations

import pytest

from braided.evaluate.processes import map_in_processes


@pytest.mark.parametrize("together", [1, 7, 100])
def test_several_processes_give_what_one_gives(together):
    parts = list(range(-20, 20))
    assert list(map_in_processes(abs, parts, 3, together)) == list(map(abs, parts))
