"""Memory that does not grow, in short; in full: python -m tests.live.soak 600."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fastapi")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_does_not_grow(tmp_path):
    from tests.live.soak import soak

    assert "kept; most memory" in soak(tmp_path, 5.0, growth=1.2)
