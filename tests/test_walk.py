"""Through how many files a call walks, and that the docs tell what is so today."""

from __future__ import annotations

import pytest
from tools import walk


@pytest.fixture(scope="module")
def walks():
    return walk.measured()


def test_calls_stay_within_their_limits(walks):
    found = {name: len(walks[name].files) for name in walk.LIMITS}
    assert all(found[name] <= most for name, most in walk.LIMITS.items()), found


def test_a_command_does_everything_once(walks):
    for name in ("braided train rows.csv", "braided evaluate rows.csv"):
        blocks = walk.blocks(walks[name])
        assert blocks > 0
        for what, functions in walk.COUNTED.items():
            calls = sum(walks[name].called(function) for function in functions)
            assert calls == (blocks if "per block" in what else 1), (name, what)


def test_the_docs_have_the_table_of_today(walks):
    assert walk.table(walks) in walk.PAGE.read_text(), "python -m tools.walk --write"
