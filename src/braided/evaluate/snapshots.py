"""Snapshots: the size of a model, and the time spent, after some rounds of an evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from braided.learner.learner import Learner

__all__ = ["Observer", "Snapshot", "take_snapshot"]


@dataclass(frozen=True)
class Snapshot:
    """The size of a model, and the time spent, after some rounds.

    Attributes
    ----------
    round : int
        After how many rounds.
    features_seen : int
        How many features were ever observed.
    features_kept : int
        How many features have a weight other than zero.
    memory_bytes : int
        Bytes held by the model.
    seconds : float
        Time spent in the learner so far, without compiling kernels.

    Examples
    --------
    >>> from braided import OCO, evaluate, streams
    >>> stream = streams.given([{"a": 1.0}, {"b": 1.0}, {"a": 2.0}], ["yes", "no", "yes"])
    >>> result = evaluate.prequential(OCO(), stream, every=1)
    >>> [(snapshot.round, snapshot.features_seen) for snapshot in result.snapshots]
    [(1, 1), (2, 2), (3, 2)]
    """

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
"""A function that is called with the model and the snapshot, whenever one is taken."""


def take_snapshot(
    model: Learner, rounds: int, seconds: float, observe: Observer | None = None
) -> Snapshot:
    """Take a snapshot of a model, and call the observer with it."""
    now = Snapshot(rounds, model.features_seen, model.features_kept, model.memory_bytes, seconds)
    if observe is not None:
        observe(model, now)
    return now
