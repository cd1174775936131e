"""BraidOfClasses: the algorithm inside ``OneVsRest(Braid())``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from braided.errors import InputError
from braided.learner.classes_engine import AlgorithmOfClasses
from braided.learners.braid import many_classes
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import Ints
from braided.learners.braid.many_classes import ClassesState

__all__ = ["BraidOfClasses"]


class BraidOfClasses(AlgorithmOfClasses):
    """A Braid for each class, all of which share statistics and views of a row."""

    scores_are_log_odds = True
    scores_in_state = True

    def __init__(self, *, label_memory: bool = True) -> None:
        self.label_memory = label_memory

    def check_parameters(self) -> None:
        """Braid has checked them."""

    def kernel_parameters(self) -> BraidParameters:
        return BraidParameters(label_memory=bool(self.label_memory))

    def new_state(self, capacity: int) -> ClassesState:
        return many_classes.new_state(capacity, many_classes.room_for_classes(1))

    def with_classes(self, state: ClassesState, arrivals: dict[int, int]) -> ClassesState:
        room = many_classes.room_for_classes(max(arrivals) + 1)
        if room > state.since.size:
            state = many_classes.with_room(state, classes=room)
        for number, row in arrivals.items():
            state.since[number] = state.rounds[0] + row
        return state

    def with_capacity(self, state: ClassesState, capacity: int) -> ClassesState:
        return many_classes.with_room(state, capacity=capacity)

    def classes_known(self, state: ClassesState) -> set[int]:
        return set(np.flatnonzero(state.since != many_classes.NEVER).tolist())

    def state_of_class(self, state: ClassesState, number: int) -> BraidState:
        return many_classes.of_class(state, number)

    def with_room(self, state: ClassesState, columns: Ints) -> ClassesState:
        return many_classes.with_row(state, columns.size)

    def state_as_in(
        self, length: Callable[[str], int], capacity: int, classes: int
    ) -> ClassesState:
        room = length("since"), length("bins.edges"), length("first.values")
        if not 0 < room[0] <= many_classes.room_for_classes(classes):
            raise InputError(f"it has room for {room[0]} classes")
        return many_classes.new_state(capacity, *room)

    def is_sound(self, state: ClassesState, capacity: int) -> bool:
        return many_classes.are_sound(state)

    def linear_weights(self, state: Any) -> Any:
        raise NotImplementedError("each class has weights of its own")
