"""A Braid that drops names at once, so that short streams show what comes of it."""

from __future__ import annotations

from braided import Braid
from braided.learners.braid.held_features import waiting_list_length

__all__ = ["EagerBraid"]


class EagerBraid(Braid):
    """Names are dropped as soon as one is of no use; a Braid waits until there are 1024."""

    def most_names(self) -> float:
        most = super().most_names()
        return most if most == float("inf") else self.budget + waiting_list_length(self.budget)
