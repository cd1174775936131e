"""Core: what a learner has learned, and how rows reach its kernels."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided import driver
from braided.errors import InputError
from braided.estimator import Estimator, clone
from braided.features import FeatureSpace
from braided.labels import Labels
from braided.one_row import OneRow
from braided.rows import Rows
from braided.state import capacity_for, grown, writeable

if TYPE_CHECKING:
    from typing_extensions import Self

    from braided.merging import Part

__all__ = ["Core", "refuse_changed"]

HEAVIEST = 1e9
"""The largest sample weight, so that no kernel's arithmetic comes near overflow."""

Floats = NDArray[np.float64]


class Core(Estimator):
    """State, names and labels, and their way through the compiled driver.

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

    and registers its two kernels for the class of its state with ``driver.register``.
    """

    _keeps_pairs = False
    """Whether something is kept for each pair of features: then it is not meant for many."""

    scores_are_log_odds = False
    """Whether a score is the log of the positive label's odds, so that it means a probability."""

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
        return int(np.count_nonzero(self._linear_weights()))

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

    def _learn(
        self, rows: Rows, sample_weight: Any = None, classes: Sequence[Any] | None = None
    ) -> Floats:
        """Learn rows; the (inward) score of each before it was learned."""
        if rows.labels is None:
            raise InputError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                "rows to learn from need labels"
            )
        y, weights = rows.labels, _as_weights(sample_weight, len(rows))
        classes = None if classes is None else list(classes)
        learned = None
        if not weights.all():
            learned = np.flatnonzero(weights)
            rows, y, weights = rows[learned], y[learned], weights[learned]
        signs = self._accepted(rows, y, classes, learned)
        return self._learn_accepted(rows, signs, weights)

    def _accepted(
        self,
        rows: Rows,
        y: NDArray[Any],
        classes: Sequence[Any] | None = None,
        numbers: NDArray[np.int64] | None = None,
    ) -> Floats:
        """The signs of the labels of rows that are about to be learned.

        All is checked before anything changes; ``numbers`` are what errors call the rows.
        """
        self._check_width(rows)
        space = self._new_space() if self._state is None else self._space
        labels = self._new_labels() if self._state is None else self._labels
        labels.check(y, classes, numbers)
        self._check_size(space, rows)
        if self._state is None:
            self._begin(space, labels)
        if rows.names is None:
            self._width = rows.width
        if classes is not None:
            labels.declare(classes)
        return labels.signs(y)

    def _learn_accepted(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        return self._learn_placed(self._placed(rows), signs, weights)

    def _placed(self, rows: Rows) -> Rows:
        """Rows that are about to be learned, in their columns."""
        try:
            return self._space.place(rows)
        finally:  # also when interrupted: what has a column has room
            self._make_room()

    def _interleave(self, rows: Rows, learned: Rows, due: NDArray[np.int64]) -> Floats:
        """Score rows and learn others in between; the (inward) scores of the former."""
        if learned.labels is None:
            raise InputError("rows to learn from need labels")
        _check_due(due, len(rows), len(learned))
        self._check_width(rows)
        signs = self._accepted(learned, learned.labels)
        return self._interleave_accepted(rows, learned, signs, due)

    def _interleave_accepted(
        self, rows: Rows, learned: Rows, signs: Floats, due: NDArray[np.int64]
    ) -> Floats:
        learned = self._placed(learned)
        # A feature that is first learned further down has a column already, but no kernel has
        # touched it yet: it counts for as little as one that is left out.
        rows = self._space.place(rows, grow=False)
        return self._interleave_placed(rows, learned, signs, np.ones(len(learned)), due)

    def _scores_inward(self, rows: Rows) -> Floats:
        self._check_width(rows)
        return self._score_placed(self._space.place(rows, grow=False))

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows in their columns; the score of each before it was learned.

        With a ``confidence``, rows of sign 0 are learned by the model's own prediction if its score
        is as large as that, and skipped if not.
        """
        scores, done = self._new_scores(len(rows)), 0
        while True:
            rest = (rows.indptr[done:], rows.indices, rows.values, signs[done:], weights[done:])
            learning = (self._state, self._kernel_parameters, *rest, scores[done:])
            if confidence is None:
                done += driver.learn_rows(*learning)
            else:
                done += driver.label_rows(*learning, float(confidence))
            if done == len(rows):
                return scores
            self._make_room_to_learn(rows, done)

    def _make_room_to_learn(self, rows: Rows, row: int) -> None:
        """Make the room for want of which a kernel stopped at this row."""
        if not self._with_room_for(rows[row : row + 1].indices):
            refuse_changed(rows, row)

    def _interleave_placed(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        """Score rows, and learn others in between, all of them in their columns."""
        scores, done, known = np.empty(len(rows)), 0, 0  # rows scored, and rows learned
        while True:
            before = int(self._state.rounds[0])
            done += driver.interleave_rows(
                self._state,
                self._kernel_parameters,
                rows.indptr[done:],
                rows.indices,
                rows.values,
                scores[done:],
                due[done:] - known,
                learned.indptr[known:],
                learned.indices,
                learned.values,
                signs[known:],
                weights[known:],
                np.empty(len(learned) - known),
            )
            known += int(self._state.rounds[0]) - before
            if done == len(rows):
                return scores
            self._make_room_to_learn(learned, known)
            if known > (due[done - 1] if done else 0):  # the row was scored, some are learned since
                rest = slice(known, int(due[done]))
                self._learn_placed(learned[rest], signs[rest], weights[rest])
                done, known = done + 1, int(due[done])

    def _score_placed(self, rows: Rows) -> Floats:
        """The (inward) scores of rows in their columns."""
        scores = self._new_scores(len(rows))
        done = driver.score_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            scores,
        )
        refuse_changed(rows, done)
        return scores

    def _new_scores(self, rows: int) -> Floats:
        """Room for the scores of so many rows."""
        return np.empty(rows)

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

    def _check_width(self, rows: Rows) -> None:
        if rows.names is None and self._width not in (None, rows.width):
            raise InputError(
                f"X has {rows.width} features, but {type(self).__name__} is expecting "
                f"{self._width} features as input: columns without names must not change "
                "(give feature_names, dicts or a frame when features come and go)"
            )

    def _check_size(self, space: FeatureSpace, rows: Rows) -> None:
        if self._most_features is None:
            return
        size = space.size_with(rows)
        if size > self._most_features:
            raise InputError(
                f"{self} learns from at most {self._most_features} features; "
                f"with these rows there would be {size}"
            )

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


def refuse_changed(rows: Rows, done: int) -> None:
    """Rows share their arrays with whoever gave them, who may have written to them since."""
    if done < len(rows):
        raise InputError(f"row {done}: a value is no longer allowed since the rows were checked")


def _check_due(due: NDArray[np.int64], scored: int, learned: int) -> None:
    if due.shape != (scored,) or (np.diff(due, prepend=0, append=learned) < 0).any():
        raise InputError(
            f"due must be {scored} numbers from 0 to {learned} that never fall: how many rows are "
            "learned after each one scored"
        )


def _as_weights(sample_weight: Any, n: int) -> Floats:
    if sample_weight is None:
        return np.ones(n)
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"not {given.dtype}")
        weights = np.require(given, np.float64, ["C", "W"])
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"sample_weight must be one number for each row ({error})") from None
    if weights.shape != (n,):
        raise InputError(
            f"sample_weight has shape {weights.shape}; expected one number for each of {n} rows"
        )
    bad = np.flatnonzero(~((weights >= 0) & (weights <= HEAVIEST)))
    if bad.size:
        raise InputError(
            f"row {bad[0]}: sample_weight {weights[bad[0]]} is not from 0 to {HEAVIEST:g}"
        )
    return weights
