"""Algorithm: what a family of learners provides, and what it may provide beyond that.

An algorithm holds parameters and no data: every method that needs what was learned is given the
state. ``Learner`` is an ``Algorithm``, so one class is both the public face of a family and its
recipe; the ``Engine`` runs a copy of it whose parameters nobody can change.

``Algorithm`` lists what every family has. The other protocols are optional: an engine looks once
which of them its algorithm has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from braided.features import FeatureSpace
from braided.targets import Labels

if TYPE_CHECKING:
    from braided.learner.merging import Part

__all__ = [
    "AdaptsState",
    "Algorithm",
    "AsksForRoom",
    "ChecksState",
    "CountsKept",
    "LimitsNames",
    "Mergeable",
    "SharesClasses",
]

Floats = NDArray[np.float64]


class Algorithm(Protocol):
    """What a family provides: parameters that are checked, a state, and its weights.

    The kernels ``score`` and ``update`` belong to the class of the state; they are entered in the
    table of kernels (``braided.compiled.kernel_table.register``).
    """

    scores_in_state: bool = False
    """Whether ``score`` leaves in the state what ``update`` needs: then threads score in turns."""

    arrays_added_later: tuple[str, ...] = ()
    """Arrays that states of older model files do not have; they are saved only when not empty."""

    not_mergeable_because: str = "what it keeps beyond weights has no mean"
    """Why two models can not be merged, for those that are not ``Mergeable``."""

    def check_parameters(self) -> None:
        """Raise InputError for a parameter that is not allowed."""
        ...

    def kernel_parameters(self) -> Any:
        """The parameters as kernels see them: a named tuple of numbers."""
        ...

    def new_state(self, capacity: int) -> Any:
        """An empty state, a named tuple of arrays, with room for ``capacity`` features."""
        ...

    def linear_weights(self, state: Any) -> Floats:
        """The weight of each feature, by column."""
        ...

    def check_change(self, before: Any) -> None:
        """Raise InputError if a model that learned with ``before`` can not go on with this one."""
        return

    def new_space(self) -> FeatureSpace:
        """The names before the first row: usually none."""
        return FeatureSpace()

    def new_labels(self) -> Labels:
        """How labels become codes, before the first row."""
        return Labels()

    @property
    def scores_are_log_odds(self) -> bool:
        """Whether a score is the log of the positive label's odds: then there are probabilities."""
        return False

    @property
    def keeps_pairs(self) -> bool:
        """Whether memory grows with the square of the features: then it is not meant for many."""
        return False

    @property
    def is_mergeable(self) -> bool:
        """Whether two models can be merged."""
        return isinstance(self, Mergeable)

    @property
    def most_features(self) -> int | None:
        """The largest number of features that it can learn from; None if there is no limit."""
        return None


@runtime_checkable
class AdaptsState(Protocol):
    """A family whose state must be changed when its parameters change."""

    def adapted(self, state: Any, before: Any) -> Any:
        """The state that was learned with ``before``, made to fit these parameters."""
        ...


@runtime_checkable
class ChecksState(Protocol):
    """A family whose kernels find their way by numbers of the state."""

    def is_sound(self, state: Any, capacity: int) -> bool:
        """Whether the state leads no kernel out of its arrays: it may come from a forged file.

        Types and shapes are right, rounds and seen within range, and all numbers finite.
        """
        ...


@runtime_checkable
class CountsKept(Protocol):
    """A family that counts its weights faster than by looking at all of them."""

    def count_kept(self, state: Any, seen: int) -> int:
        """How many weights of the first ``seen`` features are not zero."""
        ...


@runtime_checkable
class Mergeable(Protocol):
    """A family whose models can be merged (see ``merging.py``)."""

    def merged_state(self, state: Any, weights: Floats, parts: list[Part]) -> Any:
        """The state that has these weights; ``state`` is fresh but for rounds and seen."""
        ...


@runtime_checkable
class AsksForRoom(Protocol):
    """A family whose kernels need more room than one place for each feature."""

    def with_room(self, state: Any, columns: NDArray[np.int32]) -> Any:
        """The state with room to learn a row of these columns; itself if it has enough."""
        ...

    def state_as_in(self, length: Callable[[str], int], capacity: int, classes: int) -> Any:
        """An empty state as large as one in a file, told how long each array of the file is."""
        ...


@runtime_checkable
class LimitsNames(Protocol):
    """A family that limits how many names are remembered (see ``name_limit.py``)."""

    def most_names(self) -> float:
        """How many names there may be before some are dropped; infinity for no limit."""
        ...

    def names_in_use(self, state: Any) -> NDArray[np.intp]:
        """The columns that must stay, at most half as many."""
        ...

    def renumber(self, state: Any, columns: NDArray[np.intp], dropped: int) -> None:
        """Call these columns 0, 1, ... from now on; so many others are dropped."""
        ...


@runtime_checkable
class SharesClasses(Protocol):
    """A family that can learn all classes at once and share what does not depend on labels."""

    def of_classes(self) -> Any:
        """The algorithm that learns all classes at once; None if these parameters forbid it."""
        ...
