"""Budgeted: what OLSF, OFS and OFS_P share, which keep scaled weights within a budget."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from braided.compiled.jit import Floats
from braided.kernels.budget import allowed, budget_as_number, room_for
from braided.kernels.scaled_weights import by_feature, capacity_of, is_sound, largest, largest_of
from braided.kernels.soft_threshold import count_beyond
from braided.learner.learner import Learner

if TYPE_CHECKING:
    from braided.learner.merging import Merge

__all__ = ["Budgeted"]


class Budgeted(Learner):
    """A learner with a parameter ``budget``, and a state with ``weights``."""

    budget: float

    _power: int
    """What the size of the weights adds up: MAGNITUDES or SQUARES."""

    def room(self, capacity: int) -> int:
        """Count the features that may be kept at most.

        Parameters
        ----------
        capacity : int
            How many features there is room for.

        Returns
        -------
        int
            How many of them the budget may allow; 0 is no budget.
        """
        return room_for(self.budget, capacity)

    def adapted(self, state: Any, before: Any) -> Any:
        """The largest weights, as many as the budget now allows."""
        capacity = capacity_of(state.weights)
        k, room = self._allowed(state), self.room(capacity)
        weights = largest(state.weights, k, capacity, room, self._power)
        return state._replace(weights=weights)

    def merged_state(self, state: Any, merge: Merge) -> Any:
        """The largest weights, as many as the budget allows, within the ball."""
        k, room = self._allowed(state), self.room(capacity_of(state.weights))
        weights = largest_of(merge.mean(lambda part: part.weights), k, room, self._power)
        radius = getattr(self.kernel_parameters(), "radius", math.inf)
        length = float(weights.size[0]) ** (1.0 / self._power)
        if length > radius:
            weights.scale[0] = radius / length
        return state._replace(weights=weights)

    def _allowed(self, state: Any) -> int:
        return allowed(budget_as_number(self.budget), state.seen[0])

    def is_sound(self, state: Any, capacity: int) -> bool:
        """Whether kernels can work on the weights without leaving their arrays."""
        return is_sound(state.weights, int(state.seen[0]))

    def linear_weights(self, state: Any) -> Floats:
        """The weight of each feature, by column."""
        return by_feature(state.weights, capacity_of(state.weights))

    def count_kept(self, state: Any, seen: int) -> int:
        """How many weights are not zero."""
        weights = state.weights
        kept = weights.kept.weight[1 : 1 + weights.kept.taken[0]]
        return count_beyond(weights.every[: state.seen[0]], 0.0) + count_beyond(kept, 0.0)
