"""Live: models whose labels come later than their records."""

from braided.live.pending import Pending

__all__ = ["Pending"]
