"""Evaluation: how well learners do on streams, prequentially or with a holdout."""

from braided.evaluate.compare import Comparison, Contender, Plan, compare
from braided.evaluate.confusion_matrix import ConfusionMatrix
from braided.evaluate.holdout import holdout
from braided.evaluate.metrics.confusion import mistakes
from braided.evaluate.prequential import prequential
from braided.evaluate.repeats import Summary, repeated
from braided.evaluate.result import Result
from braided.evaluate.snapshots import Snapshot
from braided.evaluate.tune import Tuned, tune

__all__ = [
    "Comparison",
    "ConfusionMatrix",
    "Contender",
    "Plan",
    "Result",
    "Snapshot",
    "Summary",
    "Tuned",
    "compare",
    "holdout",
    "mistakes",
    "prequential",
    "repeated",
    "tune",
]
