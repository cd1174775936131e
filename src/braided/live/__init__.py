"""Live: models that learn while they are served, and labels that come later."""

from braided.live.pending import Pending

__all__ = ["Pending"]
