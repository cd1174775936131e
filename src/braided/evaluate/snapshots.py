"""Snapshots: how a model was on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from braided.learner.learner import Learner

__all__ = ["Observer", "Snapshot", "take_snapshot"]


@dataclass(frozen=True)
class Snapshot:
    """How a model was after so many rounds."""

    round: int
    features_seen: int
    features_kept: int
    memory_bytes: int
    seconds: float

    @property
    def sparsity(self) -> float:
        """The share of the features seen that have no weight."""
        return 1 - self.features_kept / self.features_seen if self.features_seen else np.nan


Observer = Callable[[Learner, Snapshot], object]
"""Is shown the model whenever a snapshot is taken, to note whatever else it wants to know."""


def take_snapshot(
    model: Learner, rounds: int, seconds: float, observe: Observer | None = None
) -> Snapshot:
    """How the model is now; the observer, if there is one, sees it too."""
    now = Snapshot(rounds, model.features_seen, model.features_kept, model.memory_bytes, seconds)
    if observe is not None:
        observe(model, now)
    return now
