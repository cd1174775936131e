"""What every learner, metric, format, shape, expert and chart must hold, for those who write one.

Each promise is a plain function that makes its own data from a seed and raises an AssertionError
that says what was broken, and on what. Nothing but what Braided itself needs is imported: neither
pytest nor hypothesis.
"""

from braided.checks.chart import CHART_CHECKS
from braided.checks.entry import check_entry, entry_checks
from braided.checks.expert import EXPERT_CHECKS
from braided.checks.format import FORMAT_CHECKS
from braided.checks.learner import LEARNER_CHECKS, check_learner, learner_checks
from braided.checks.metric import METRIC_CHECKS
from braided.checks.promises import BrokenPromiseError, Check
from braided.checks.shape import SHAPE_CHECKS

__all__ = [
    "CHART_CHECKS",
    "EXPERT_CHECKS",
    "FORMAT_CHECKS",
    "LEARNER_CHECKS",
    "METRIC_CHECKS",
    "SHAPE_CHECKS",
    "BrokenPromiseError",
    "Check",
    "check_entry",
    "check_learner",
    "entry_checks",
    "learner_checks",
]
