"""Everything that a model has learned, to be compared bit for bit."""

from __future__ import annotations

from braided.learner.engine import Engine
from braided.learner.state import arrays


def state_of(model) -> list[object]:
    """Of a learner or an engine: states, names and labels, those of engines inside as well."""
    engine = model if isinstance(model, Engine) else model.engine
    own: list[object] = [array.tobytes() for array in arrays(engine.state)]
    own += [repr(engine.space.names), repr(engine.labels.codes)]
    return own + [state_of(inside) for inside in engine.inside()]
