from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples on every machine: a failure in CI is a failure at home.
settings.register_profile("fixed", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(autouse=True, scope="session")
def names_are_forgotten_soon():
    """As soon as there is one that is of no use, so that short streams show what comes of it."""
    from braided import Braid
    from braided.learners.braid.held_features import waiting_room

    usual = Braid._most_names_wanted

    def soon(model):
        most = usual(model)
        return most if most == float("inf") else model.budget + waiting_room(model.budget)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Braid, "_most_names_wanted", soon)
        yield usual
