"""How well a learner does on a stream."""

from braided.evaluate.metrics import METRICS, mistakes
from braided.evaluate.prequential import Checkpoint, Result, prequential
from braided.evaluate.repeats import Summary, repeated

__all__ = ["METRICS", "Checkpoint", "Result", "Summary", "mistakes", "prequential", "repeated"]
