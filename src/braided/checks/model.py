"""Promises about the model as an object: its parameters, its copies, its memory."""

from __future__ import annotations

import gc
import inspect
import tracemalloc

import numpy as np

from braided.checks.comparison import learned
from braided.checks.learning import New, demand_same
from braided.checks.promises import broken, refused
from braided.checks.random_streams import Row, columns_of, long_stream

__all__ = ["check_memory_is_reported_honestly", "check_parameters_are_as_scikit_learn_expects"]

ENOUGH_FEATURES = 1000
"""A model of fewer is smaller than what Numba remembers of a call."""


def check_parameters_are_as_scikit_learn_expects(new: New) -> None:
    """Parameters are those of ``__init__``, kept as given; clones have them and learned nothing."""
    from sklearn.base import clone

    rows, labels = columns_of(long_stream(seed=4, rounds=50))
    model = new().partial_fit(rows, labels)
    given = model.get_params(deep=False)
    signature = inspect.signature(type(model)).parameters
    if set(given) != set(signature):
        raise broken("names in get_params()", expected=sorted(signature), found=sorted(given))
    made = type(model)(**given).get_params(deep=False)
    for name, value in given.items():
        if made[name] is not value:
            raise broken(f"{name} after __init__", expected=f"{value!r} itself", found=made[name])
    copied = clone(model)
    if type(copied) is not type(model) or repr(copied) != repr(model):
        raise broken("the clone", expected=repr(model), found=repr(copied))
    if copied.rounds or copied.features_seen:
        raise broken("rounds of the clone", expected=0, found=copied.rounds)
    weights, scores = model.weights(), model.decision_function(rows)
    if model.set_params(**model.get_params()) is not model:
        raise broken("what set_params returns", expected="the model itself", found="another thing")
    # Arrays may be put in another order, but they must mean the same.
    if model.weights() != weights or not np.allclose(model.decision_function(rows), scores):
        what = "weights after set_params of the model's own parameters"
        raise broken(what, expected=weights, found=model.weights())
    before = learned(model)
    with refused("set_params of a name that is no parameter", "no_such_parameter", ValueError):
        model.set_params(no_such_parameter=1)
    for name in given:
        with refused(f"set_params({name}=object())", "", ValueError):
            model.set_params(**{name: object()})
        after = model.get_params(deep=False)
        if any(after[each] is not value for each, value in given.items()):
            raise broken(f"parameters after {name} was refused", expected=given, found=after)
        demand_same(f"the model after {name} was refused", before, learned(model))


def check_memory_is_reported_honestly(new: New) -> None:
    """``memory_bytes`` is within 20 % of what Python says that the model holds."""
    changes = {}
    budget = new().get_params().get("budget")
    if isinstance(budget, int) and budget < ENOUGH_FEATURES:
        changes = {"budget": ENOUGH_FEATURES}
    model = new(**changes)
    # Where pairs of features are kept, 20,000 features are a matter of gigabytes.
    rounds = 100 if model.keeps_pairs else 2000
    if model.most_features is not None:
        rounds = min(rounds, model.most_features // 10)
    rows: list[Row] = [
        {f"a name of some length {t} {i}": 1.0 for i in range(10)} for t in range(rounds)
    ]
    labels = [t % 2 for t in range(rounds)]
    new(**changes).partial_fit(rows, labels)  # all is compiled before anything is traced
    gc.collect()
    tracemalloc.start()
    try:
        model.partial_fit(rows, labels)
        rows.clear()
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert model.engine is not None
    # The names belonged to the rows before, so they are not in what was traced.
    names = [str(name) for name in model.engine.space.names]
    held += sum(map(len, names)) + 49 * len(names)
    if not 0.8 * held <= model.memory_bytes <= 1.2 * held:
        what = f"memory_bytes after {rounds} rows with {len(names)} features"
        raise broken(what, expected=f"about {held}", found=model.memory_bytes)
