"""Everything that a model has learned, to be compared bit for bit."""

from braided.checks.comparison import learned as state_of

__all__ = ["state_of"]
