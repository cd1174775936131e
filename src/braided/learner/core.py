"""Core: what a learner has learned, and what it must provide."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.features import FeatureSpace
from braided.kernels.soft_threshold import count_beyond
from braided.learner.estimator import Estimator, clone
from braided.learner.single_row import OneRow
from braided.learner.state import capacity_for, grown, writeable
from braided.targets import Labels

if TYPE_CHECKING:
    from typing_extensions import Self

    from braided.learner.merging import Part

__all__ = ["Core", "Floats"]

Floats = NDArray[np.float64]


class Core(Estimator):
    """State, names, labels and parameters; how rows reach its kernels is said in ``passes.py``.

    A subclass has an ``__init__`` that stores its parameters untouched and calls ``_check``, and

    - ``_check()``: raise InputError for a parameter that is not allowed;
    - ``_parameters()``: the parameters as kernels see them, a named tuple of numbers;
    - ``_fresh_state(capacity)``: an empty state with room for this many features;
    - ``_linear_weights()``: the weight of each feature, by column;
    - ``_count_kept()``, if there is a quicker way than by these weights;
    - ``_with_room_for(columns)`` and ``_make_room_as_in(length)``, if its kernels ask for room
      beyond that for features;
    - ``_adapted(state)``, if need be: the state made to fit parameters that were changed;
    - ``_is_sound(state)``, if its kernels find their way by numbers of the state;
    - ``_averaged(...)``, if two of them can be merged (see ``merging.py``);
    - ``_most_features``, if there is a limit to the features that it can learn from;
    - ``scores_are_log_odds = True``, if its scores mean probabilities;
    - ``_of_classes()``, if it can share what classes have in common (see ``of_classes.py``);
    - ``_keeps_pairs = True``, if its memory grows with the square of the features it keeps;
    - ``_later_arrays``, if its states have arrays that they did not always have;

    and registers its two kernels for the class of its state with ``kernel_table.register``.
    """

    _keeps_pairs = False
    """Whether something is kept for each pair of features: then it is not meant for many."""

    scores_are_log_odds = False
    """Whether a score is the log of the positive label's odds, so that it means a probability."""

    _later_arrays: tuple[str, ...] = ()
    """Those that states did not always have: where they are empty, files are as before."""

    # Set by the first learning, not by __init__: there scikit-learn wants parameters alone.
    _space: FeatureSpace
    _labels: Labels
    _state: Any = None
    _kernel_parameters: Any = None
    _in_force: Core
    _width: int | None = None
    _one_rows: list[OneRow]  # those that no thread is using

    def _check(self) -> None:
        raise NotImplementedError

    def _parameters(self) -> Any:
        raise NotImplementedError

    def _fresh_state(self, capacity: int) -> Any:
        raise NotImplementedError

    def _linear_weights(self) -> Floats:
        raise NotImplementedError

    def _count_kept(self) -> int:
        """How many weights are not zero."""
        return count_beyond(self._linear_weights()[: len(self._space)], 0.0)

    def _adapted(self, state: Any) -> Any:
        return state

    def _averaged(self, state: Any, weights: Floats, parts: list[Part]) -> Any:
        """The state that has these weights; it is fresh but for rounds and seen."""
        raise NotImplementedError

    @property
    def _can_merge(self) -> bool:
        return type(self)._averaged is not Core._averaged

    _no_mean = "what it keeps beyond weights has no mean"
    """Why two of them can not be merged, if they can not."""

    def _inside(self) -> Iterator[Core]:
        """The learners inside, if it is made of learners."""
        return iter(())

    def _told(self) -> dict[str, Any]:
        """What a file must tell of the learners inside, as JSON has it."""
        return {}

    def _restored(self, told: Mapping[str, Any]) -> Iterator[Core]:
        """The learners inside once more, each begun when it is asked for, as a file tells them."""
        return self._inside()

    def _with_room_for(self, columns: NDArray[np.int32]) -> bool:
        """Make the room that kernels ask for to learn a row; False if there is enough."""
        return False

    def _make_room_as_in(self, length: Callable[[str], int]) -> None:
        """Make the room that kernels asked for before, told how long each array of a file is."""

    def _is_sound(self, state: Any) -> bool:
        """Whether the state leads no kernel out of its arrays: it may come from anybody's file.

        Types and shapes are right, rounds and seen within range, and all numbers finite.
        """
        return True

    @property
    def _most_features(self) -> int | None:
        return None

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was learned stays.

        A parameter that is assigned as an attribute comes into force here or in ``fit``.
        """
        before = self.get_params()  # those of a learner inside as well
        try:
            super().set_params(**params)
            self._check()
        except ValueError:  # InputError, or scikit-learn's for a name that is no parameter
            super().set_params(**before)
            raise
        if self._state is not None:
            if self._learned_nothing:  # so that another seed counts
                self._begin(self._space, self._labels, self._capacity)
                return self
            self._settle_parameters()
            self._state = self._adapted(grown(self._state, self._fresh_state(self._capacity)))
        return self

    @property
    def _learned_nothing(self) -> bool:
        """Whether no row, nor a feature, was seen yet: labels may have been declared."""
        return len(self._space) == len(self._new_space())

    def _new_space(self) -> FeatureSpace:
        return FeatureSpace()

    def _new_labels(self) -> Labels:
        return Labels()

    def _begin(self, space: FeatureSpace, labels: Labels, capacity: int = capacity_for(0)) -> None:
        self._check()
        self._settle_parameters()
        self._space, self._labels = space, labels
        self._capacity = capacity
        self._one_rows = []
        self._state = self._fresh_state(self._capacity)

    def _settle_parameters(self) -> None:
        """Bring the present parameters into force.

        The state must keep to one set of them: a kernel trusts that the arrays have the room that
        its parameters ask for, also when somebody assigns to an attribute in between.
        """
        self._in_force = clone(self)
        self._kernel_parameters = self._in_force._parameters()

    def _forget(self) -> None:
        self._state = self._width = None

    def _make_room(self, more: int = 0) -> None:
        """Make room for the features seen so far, and for some more."""
        if len(self._space) + more > self._capacity:
            capacity = capacity_for(len(self._space) + more)
            self._state = grown(self._state, self._in_force._fresh_state(capacity))
            self._capacity = capacity

    def __copy__(self) -> Self:
        # A copy that shared names and arrays would not notice when the other makes room.
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        # Buffers and compiled functions are made anew when they are needed.
        return {**super().__getstate__(), "_one_rows": []}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        super().__setstate__(attributes)
        if self._state is not None:
            self._state = writeable(self._state)
