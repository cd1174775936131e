"""Budgeted: what all learners have in common that keep scaled weights within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from braided.compiled.jit import Floats
from braided.kernels.budget import allowed, budget_as_number, room_for
from braided.kernels.scaled_weights import by_feature, is_sound, largest, largest_of
from braided.kernels.soft_threshold import count_beyond
from braided.learner.learner import Learner

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = ["Budgeted"]


class Budgeted(Learner):
    """A learner with a parameter ``budget``, and a state with ``weights``."""

    budget: float

    _power: int
    """Of the size of the weights: MAGNITUDES or SQUARES."""

    def _room(self, capacity: int) -> int:
        """How many of so many features may be kept at most; 0 is no budget."""
        return room_for(self.budget, capacity)

    def _adapted(self, state: Any) -> Any:
        k, room = self._allowed(state), self._room(self._capacity)
        weights = largest(state.weights, k, self._capacity, room, self._power)
        return state._replace(weights=weights)

    def _averaged(self, state: Any, weights: Floats, parts: list[Part]) -> Any:
        k, room = self._allowed(state), self._room(self._capacity)
        return state._replace(weights=largest_of(weights, k, room, self._power))

    def _allowed(self, state: Any) -> int:
        return allowed(budget_as_number(self.budget), state.seen[0])

    def _is_sound(self, state: Any) -> bool:
        return is_sound(state.weights, int(state.seen[0]))

    def _linear_weights(self) -> Floats:
        return by_feature(self._state.weights, self._capacity)

    def _count_kept(self) -> int:
        weights, seen = self._state.weights, self._state.seen[0]
        kept = weights.kept.weight[1 : 1 + weights.kept.taken[0]]
        return count_beyond(weights.every[:seen], 0.0) + count_beyond(kept, 0.0)
