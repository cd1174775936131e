"""Every learner of the registry, as generic tests meet it."""

from __future__ import annotations

import pytest
from hypothesis import settings

from braided import registry
from tests.support.eager_braid import EagerBraid

# Of names for the same thing, one is tested.
NAMES = list(
    {repr((e.home, registry.parameters(e.name))): e.name for e in registry.LEARNERS}.values()
)
BUDGETED = pytest.mark.parametrize(
    "name", [name for name in NAMES if "budget" in registry.parameters(name)]
)
# Learners that are something else within a budget, which they do not have by default.
EAGER = "eager braid 3"  # a double that is not registered, so that files can not hold it
LIMITED = {"braid 40 %": {"budget": 0.4}, "braid 3": {"budget": 3}, EAGER: {"budget": 3}}
# Learners whose state has more in it than by default.
ADAPTIVE = {"oco adaptive": {"schedule": "adaptive"}, "glsc adaptive": {"schedule": "adaptive"}}
NAMES += [*(name for name in LIMITED if name != EAGER), *ADAPTIVE]
EVERY_IN_FILES = pytest.mark.parametrize("name", NAMES)
EVERY = pytest.mark.parametrize("name", [*NAMES, EAGER])
few = settings(max_examples=25)


def new(name: str, **parameters):
    """The learner as people first meet it; under a budget where it has one."""
    parameters = {**LIMITED.get(name, {}), **ADAPTIVE.get(name, {}), **parameters}
    if name == EAGER:
        return EagerBraid(**parameters)
    name = name.partition(" ")[0]
    if registry.parameters(name).get("budget") is not None:
        parameters.setdefault("budget", 0.4)
    return registry.create(name, **parameters)


def halves(stream):
    """The rows of a stream, and their labels."""
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    return rows, labels
