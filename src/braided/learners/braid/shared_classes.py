"""BraidOfClasses: the learner inside ``OneVsRest(Braid())``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from braided.errors import InputError
from braided.learner.of_classes import LearnerOfClasses
from braided.learner.state import capacity_for
from braided.learner.turns import ScoresInTurns
from braided.learners.braid import many_classes as classes
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import Ints
from braided.learners.braid.many_classes import ClassesState

__all__ = ["BraidOfClasses"]


class BraidOfClasses(ScoresInTurns, LearnerOfClasses):
    """A Braid for each class, that look at a row with the same eyes."""

    scores_are_log_odds = True

    def __init__(self, *, label_memory: bool = True) -> None:
        self.label_memory = label_memory

    def _check(self) -> None:
        """Braid has checked the parameters."""

    def _expect(self, arrivals: dict[int, int]) -> None:
        if not arrivals:
            return
        room = classes.room_for_classes(max(arrivals) + 1)
        if room > self._state.since.size:
            self._state = classes.with_room(self._state, classes=room)
        for number, row in arrivals.items():
            self._state.since[number] = self._state.rounds[0] + row

    def _classes_known(self) -> set[int]:
        return set(np.flatnonzero(self._state.since != classes.NEVER).tolist())

    def _state_of(self, number: int) -> BraidState:
        return classes.of_class(self._state, number)

    def _parameters(self) -> BraidParameters:
        return BraidParameters(label_memory=bool(self.label_memory))

    def _fresh_state(self, capacity: int) -> ClassesState:
        return classes.new_state(capacity, classes.room_for_classes(1))

    def _make_room(self, more: int = 0) -> None:
        if len(self._space) + more > self._capacity:
            self._capacity = capacity_for(len(self._space) + more)
            self._state = classes.with_room(self._state, capacity=self._capacity)

    def _make_room_as_in(self, length: Callable[[str], int]) -> None:
        room = length("since"), length("bins.edges"), length("first.values")
        if not 0 < room[0] <= classes.room_for_classes(max(1, len(self._labels))):
            raise InputError(f"it has room for {room[0]} classes")
        self._state = classes.new_state(self._capacity, *room)

    def _is_sound(self, state: ClassesState) -> bool:
        return classes.are_sound(state)

    def _with_room_for(self, columns: Ints) -> bool:
        before, self._state = self._state, classes.with_row(self._state, columns.size)
        return self._state is not before
