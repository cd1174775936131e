"""A service that is killed keeps what it acknowledged; in full: python -m tests.live.kill 100."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")


def test_killed_under_load(tmp_path):
    from tests.live.kill import kill_and_start

    found = kill_and_start(tmp_path, 3)
    assert found["records"] > 10
