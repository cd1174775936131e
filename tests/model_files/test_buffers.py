"""Buffers of a state are zeros in files: nothing that was learned is in them."""

import numpy as np
import pytest

import braided
from braided.checks.comparison import difference, learned
from braided.learner.state import paths
from tests.support.every_composite import many_classes
from tests.support.streams_of_rows import long_stream

MODELS = [
    braided.Braid(),
    braided.Braid(budget=5),
    *(braided.GLSC(budget=6, graph=graph) for graph in ("regression", "gradient")),
    braided.GLSC(budget=6, graph="multiplicative"),
    braided.GLSC(budget=6, schedule="adaptive"),
]


def engines(engine):
    yield engine
    for inside in engine.inside():
        yield from engines(inside)


def overwrite_buffers(model):
    """Write what nobody expects to all buffers; return whether there was one."""
    found = False
    for engine in engines(model.engine):
        for path, array in paths(engine.state):
            for part, index in engine.algorithm.score_buffers.items():
                if f"{path}.".startswith(f"{part}."):
                    array[index] = 0 if array.dtype.kind == "i" else np.nan
                    found = True
    return found


def streams(model):
    yield long_stream(seed=1, rounds=150, features=14)
    if model.any_labels:
        yield many_classes(seed=1, rounds=150, features=14)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_buffers_are_written_before_they_are_read(model):
    for stream in streams(model):
        expected, found = braided.learner.estimator.clone(model), type(model)(**model.get_params())
        for x, y in stream:
            assert found.score_one(x) == expected.score_one(x)
            expected.learn_one(x, y)
            found.learn_one(x, y)
            assert overwrite_buffers(found)
        assert difference(learned(expected), learned(found)) is None


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_predicting_changes_no_byte_of_a_file(model, tmp_path):
    for stream in streams(model):
        asked = braided.learner.estimator.clone(model)
        asked.partial_fit([x for x, _ in stream], [y for _, y in stream])
        asked.save(tmp_path / "before")
        asked.predict([x for x, _ in stream])
        asked.score_one({**stream[0][0], "never seen": 2.0})
        asked.explain(stream[0][0])
        asked.save(tmp_path / "after")
        assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()
