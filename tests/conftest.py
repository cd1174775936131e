from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples on every machine: a failure in CI is a failure at home.
settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


# It registers toys for good when it is imported, which only processes of their own should do.
collect_ignore = ["support/toy_plugin.py"]


@pytest.fixture(scope="module")
def names_dropped_soon():
    """Names are dropped as soon as one is of no use, so that short streams show what comes of it.

    Yields the limit as it is shipped.
    """
    from braided import Braid
    from braided.learners.braid.held_features import waiting_room

    usual = Braid.most_names

    def soon(model):
        most = usual(model)
        return most if most == float("inf") else model.budget + waiting_room(model.budget)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Braid, "most_names", soon)
        yield usual
