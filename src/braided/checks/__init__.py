"""What every learner, metric, format, shape, expert and chart must hold, for those who write one.

Each promise is a plain function that makes its own data from a seed and raises an AssertionError
that says what was broken, and on what. Nothing but what Braided itself needs is imported: neither
pytest nor hypothesis.
"""

from braided.checks.chart import CHART_CHECKS, chart_checks, check_chart
from braided.checks.entry import check_entry, entry_checks
from braided.checks.expert import EXPERT_CHECKS, check_expert, expert_checks
from braided.checks.format import FORMAT_CHECKS, check_format, format_checks
from braided.checks.learner import LEARNER_CHECKS, check_learner, learner_checks
from braided.checks.metric import METRIC_CHECKS, check_metric, metric_checks
from braided.checks.promises import BrokenPromiseError, Check
from braided.checks.shape import SHAPE_CHECKS, check_shape, shape_checks

__all__ = [
    "CHART_CHECKS",
    "EXPERT_CHECKS",
    "FORMAT_CHECKS",
    "LEARNER_CHECKS",
    "METRIC_CHECKS",
    "SHAPE_CHECKS",
    "BrokenPromiseError",
    "Check",
    "chart_checks",
    "check_chart",
    "check_entry",
    "check_expert",
    "check_format",
    "check_learner",
    "check_metric",
    "check_shape",
    "entry_checks",
    "expert_checks",
    "format_checks",
    "learner_checks",
    "metric_checks",
    "shape_checks",
]
