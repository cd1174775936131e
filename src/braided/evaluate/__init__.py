"""How well a learner does on a stream."""

from braided.evaluate.metrics import mistakes
from braided.evaluate.prequential import Result, prequential
from braided.evaluate.repeats import Summary, repeated

__all__ = ["Result", "Summary", "mistakes", "prequential", "repeated"]
