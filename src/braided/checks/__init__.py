"""What every learner, metric, format, shape, expert and chart must hold, for those who write one.

Each promise is a plain function that makes its own data from a seed and raises an AssertionError
that says what was broken, on which rows. Nothing but what Braided itself needs is imported: neither
pytest nor hypothesis.
"""

from braided.checks.learner import LEARNER_CHECKS, check_learner, learner_checks
from braided.checks.promises import BrokenPromiseError, Check

__all__ = ["LEARNER_CHECKS", "BrokenPromiseError", "Check", "check_learner", "learner_checks"]
