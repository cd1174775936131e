"""Algorithm: the methods that a family of learners must have, and protocols that are optional.

An algorithm has parameters and no data: methods that need what was learned get the state as an
argument. ``Learner`` is an ``Algorithm``, so one class is both what users see of a family and how
it works; the ``Engine`` runs a copy of it, so that its parameters do not change unnoticed.

``Algorithm`` lists what every family has. The other protocols are optional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from braided.features import FeatureSpace
from braided.targets import NO_CLASS, Labels

if TYPE_CHECKING:
    from braided.learner.merging import Merge

__all__ = [
    "AdaptsState",
    "Algorithm",
    "AsksForRoom",
    "ChecksState",
    "CountsKept",
    "HasMatrixForm",
    "LimitsNames",
    "Mergeable",
    "SharesClasses",
]

Floats = NDArray[np.float64]


class Algorithm(Protocol):
    """What a family of learners provides: parameters that are checked, a state, and its weights.

    The kernels ``score`` and ``update`` belong to the class of the state, by
    ``braided.compiled.kernel_table.register``.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> OCO(step=0.5).kernel_parameters().step
    0.5
    >>> OLSF().scores_are_log_odds, OCO().scores_are_log_odds
    (False, True)
    """

    scores_in_state: bool = False
    """Whether ``score`` writes to the state what ``update`` needs: then threads take turns."""

    score_buffers: Mapping[str, Any] = {}
    """Parts of the state that are written anew for each row: nothing in them was learned.

    By path, as in ``"experts.own"``, the index of what it is, ``...`` for all of it. Files have
    zeros there, so that the bytes of a model do not depend on what it predicted.
    """

    arrays_added_later: tuple[str, ...] = ()
    """Arrays that older model files do not have; they are saved only if they are not empty."""

    parameters_added_later: tuple[str, ...] = ()
    """Parameters that older model files do not have; they are saved only if they are not the
    default."""

    not_mergeable_because: str = "what it keeps beyond weights has no mean"
    """Why two models can not be merged, if the family is not ``Mergeable``."""

    def check_parameters(self) -> None:
        """Check the parameters.

        Raises
        ------
        InputError
            If one is not allowed.
        """
        ...

    def kernel_parameters(self) -> Any:
        """Return the parameters as kernels see them.

        Returns
        -------
        named tuple
            Numbers only.
        """
        ...

    def new_state(self, capacity: int) -> Any:
        """Make the state of a model that has learned nothing.

        Parameters
        ----------
        capacity : int
            How many features there is room for.

        Returns
        -------
        named tuple
            Arrays, or named tuples of arrays.
        """
        ...

    def linear_weights(self, state: Any) -> Floats:
        """Return the weight of each feature.

        Parameters
        ----------
        state : named tuple
            What was learned.

        Returns
        -------
        ndarray of float
            The weights by column; a positive weight is for the label of sign +1.
        """
        ...

    def check_change(self, before: Any) -> None:
        """Check whether a model can go on with these parameters.

        Parameters
        ----------
        before : Algorithm
            The parameters that it has learned with so far.

        Raises
        ------
        InputError
            If it can not.
        """
        return

    def new_space(self) -> FeatureSpace:
        """Return the feature names before the first row.

        Returns
        -------
        FeatureSpace
            Usually without names.
        """
        return FeatureSpace()

    def new_labels(self) -> Labels:
        """Return the coding of labels before the first row.

        Returns
        -------
        Labels
            Without labels.
        """
        return Labels()

    @property
    def scores_are_log_odds(self) -> bool:
        """Whether scores are log odds of the positive label: then there are probabilities."""
        return False

    @property
    def has_probabilities(self) -> bool:
        """Whether there are probabilities: scores are log odds, or log odds follow from them."""
        return self.scores_are_log_odds

    @property
    def keeps_pairs(self) -> bool:
        """Whether memory grows with the square of the number of features."""
        return False

    @property
    def is_mergeable(self) -> bool:
        """Whether two models can be merged."""
        return isinstance(self, Mergeable)

    @property
    def most_features(self) -> int | None:
        """The most features that it can learn from; None for no limit."""
        return None


@runtime_checkable
class AdaptsState(Protocol):
    """A family whose state must change when its parameters change.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> isinstance(OLSF(), AdaptsState), isinstance(OCO(), AdaptsState)
    (True, True)
    """

    def adapted(self, state: Any, before: Any) -> Any:
        """Return the state changed so that it fits these parameters.

        Parameters
        ----------
        state : named tuple
            What was learned.
        before : Algorithm
            The parameters that it was learned with.

        Returns
        -------
        named tuple
            The changed state.
        """
        ...


@runtime_checkable
class ChecksState(Protocol):
    """A family whose kernels use numbers of the state as indices.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> isinstance(OLSF(), ChecksState), isinstance(OCO(), ChecksState)
    (True, True)
    """

    def is_sound(self, state: Any, capacity: int) -> bool:
        """Check that no kernel reads or writes outside of the arrays of a state from a file.

        Types and shapes were checked before, and that rounds and seen are in range and all numbers
        finite. The file may have been forged.

        Parameters
        ----------
        state : named tuple
            The state.
        capacity : int
            How many features it must have room for.

        Returns
        -------
        bool
            Whether the state can be used.
        """
        ...


@runtime_checkable
class CountsKept(Protocol):
    """A family that can count its weights without going through all of them.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> isinstance(OLSF(), CountsKept), isinstance(OCO(), CountsKept)
    (True, False)
    """

    def count_kept(self, state: Any, seen: int) -> int:
        """Count the features with a weight other than zero.

        Parameters
        ----------
        state : named tuple
            What was learned.
        seen : int
            How many features were seen.

        Returns
        -------
        int
            The number of weights.
        """
        ...


@runtime_checkable
class Mergeable(Protocol):
    """A family whose models can be merged (see ``merging.py``).

    Examples
    --------
    >>> from braided import GLSC, Braid
    >>> isinstance(Braid(), Mergeable), isinstance(GLSC(), Mergeable)
    (True, False)
    """

    def merged_state(self, state: Any, merge: Merge) -> Any:
        """Return the state of a merged model.

        Parameters
        ----------
        state : named tuple
            A new state, with the rounds and the features of the merged model.
        merge : Merge
            The models that are merged, their base, and the rules.

        Returns
        -------
        named tuple
            What all of them learned.
        """
        ...


@runtime_checkable
class AsksForRoom(Protocol):
    """A family whose arrays grow with more than the number of features.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> isinstance(Braid(), AsksForRoom), isinstance(OCO(), AsksForRoom)
    (True, False)
    """

    def with_room(self, state: Any, columns: NDArray[np.int32]) -> Any:
        """Return the state with enough room to learn a row.

        Parameters
        ----------
        state : named tuple
            What was learned.
        columns : ndarray of int
            The columns of the row.

        Returns
        -------
        named tuple
            The state with larger arrays; the same object if there was enough room.
        """
        ...

    def state_as_in(self, length: Callable[..., int], capacity: int, classes: int) -> Any:
        """Make a state that has learned nothing, as large as one in a file.

        Parameters
        ----------
        length : callable
            The length of an array in the file, by its name and, if it is not the first, its axis.
        capacity : int
            How many features there is room for.
        classes : int
            The number of classes.

        Returns
        -------
        named tuple
            The state.
        """
        ...


@runtime_checkable
class LimitsNames(Protocol):
    """A family that limits how many feature names are remembered (see ``name_limit.py``).

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> Braid(budget=10).most_names(), Braid().most_names()
    (1024, inf)
    """

    def most_names(self) -> float:
        """Return the number of names above which some are dropped.

        Returns
        -------
        float
            The number; infinity for no limit.
        """
        ...

    def names_in_use(self, state: Any) -> NDArray[np.intp]:
        """Return the columns whose names must not be dropped.

        Parameters
        ----------
        state : named tuple
            What was learned.

        Returns
        -------
        ndarray of int
            The columns, at most half as many as ``most_names``.
        """
        ...

    def renumber(self, state: Any, columns: NDArray[np.intp], dropped: int) -> None:
        """Give the columns that stay the numbers 0, 1, ...

        Parameters
        ----------
        state : named tuple
            What was learned; it is changed.
        columns : ndarray of int
            The columns that stay.
        dropped : int
            How many names are dropped.
        """
        ...


@runtime_checkable
class SharesClasses(Protocol):
    """A family that can learn many classes at once, and share what does not depend on labels.

    Examples
    --------
    >>> from braided import OCO, OLSF, Braid
    >>> isinstance(Braid(), SharesClasses), isinstance(OCO(), SharesClasses)
    (True, False)
    """

    def of_classes(self, turned: int = NO_CLASS) -> Any:
        """Return the algorithm that learns many classes at once.

        Parameters
        ----------
        turned : int, default -1
            The number of the class whose model has the sign -1 for its own rows: it was that of two
            labels, and goes on for both. -1 for none.

        Returns
        -------
        AlgorithmOfClasses or None
            The algorithm; None if these parameters do not allow it.
        """
        ...


@runtime_checkable
class HasMatrixForm(Protocol):
    """A family that can learn many classes as one matrix.

    Examples
    --------
    >>> from braided import OCO, OLSF
    >>> isinstance(OLSF(), HasMatrixForm), isinstance(OCO(), HasMatrixForm)
    (True, False)
    """

    def in_matrix_form(self) -> Any:
        """Return the algorithm that does so.

        Returns
        -------
        AlgorithmOfClasses
            The algorithm.

        Raises
        ------
        InputError
            If these parameters do not allow it.
        """
        ...
