"""Engine: what was learned, and how rows reach the kernels.

A learner holds one engine, made when something is first learned. The engine owns the state, the
names of features, the labels, and the buffers for single rows. Rows are *accepted* (everything is
checked before anything changes), *placed* (names become columns), then learned, scored, or both in
turns, by the compiled loops of ``braided.compiled.loops``.

Scores have one sign convention: positive speaks for the larger label. A kernel must be given a sign
before the second label is known, so inside the placed methods the sign is the one that the first
label settled; ``learn``, ``score``, ``interleave``, ``score_one`` and ``predict_one`` are the only
places that translate, and nothing outside the engine sees the other sign.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled import loops
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.kernels.soft_threshold import count_beyond
from braided.learner import name_limit
from braided.learner.algorithm import (
    AdaptsState,
    AsksForRoom,
    ChecksState,
    CountsKept,
    LimitsNames,
)
from braided.learner.single_row import SingleRow, observed
from braided.learner.state import arrays, capacity_for, grown, paths, writeable
from braided.rows.dicts import from_dicts
from braided.rows.rows import Rows
from braided.rows.validation import with_labels
from braided.targets import Labels, plain_values

__all__ = ["SCORING", "Engine", "refuse_changed"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]
Placed = Callable[[Rows], object]
"""Is shown rows in their columns, before they are learned."""

LARGEST_SAMPLE_WEIGHT = 1e9
"""So that no kernel's arithmetic comes near overflow."""

SCORING = threading.RLock()
"""Held while a kernel scores that leaves numbers in the state, and by whoever reads them."""


class Engine:
    """What was learned by one model.

    Parameters
    ----------
    algorithm : Algorithm
        The parameters in force; nobody else may change it.
    space : FeatureSpace, optional
        Names and their columns; engines inside a composite share those of the outer one.
    labels : Labels, optional
        Label values and their codes.
    capacity : int, optional
        How many features there is room for.
    """

    def __init__(
        self,
        algorithm: Any,
        *,
        space: FeatureSpace | None = None,
        labels: Labels | None = None,
        capacity: int = capacity_for(0),
    ) -> None:
        self.space = algorithm.new_space() if space is None else space
        self.labels = algorithm.new_labels() if labels is None else labels
        self.capacity = capacity
        self.width: int | None = None  # of arrays without names
        self.state: Any = None
        self.begin(algorithm)

    def begin(self, algorithm: Any) -> None:
        """Start with a fresh state."""
        algorithm.check_parameters()
        self._settle(algorithm)
        self._rows: list[SingleRow] = []  # buffers that no thread is using
        self.state = algorithm.new_state(self.capacity)

    def _settle(self, algorithm: Any) -> None:
        """Bring parameters into force.

        A kernel trusts that the arrays of the state have the room that its parameters ask for, so
        both change together and at no other time.
        """
        self.algorithm = algorithm
        self.kernel_parameters = algorithm.kernel_parameters()
        limits = isinstance(algorithm, LimitsNames)
        self.most_names = algorithm.most_names() if limits else math.inf

    def change_parameters(self, algorithm: Any) -> None:
        """Go on with other parameters; what was learned stays."""
        if self.learned_nothing:  # so that another seed counts
            self.begin(algorithm)
            return
        before = self.algorithm
        algorithm.check_change(before)
        self._settle(algorithm)
        state = grown(self.state, algorithm.new_state(self.capacity))
        adapts = isinstance(algorithm, AdaptsState)
        self.state = algorithm.adapted(state, before) if adapts else state

    # -------------------------------------------------------------------- what was learned

    @property
    def learned_nothing(self) -> bool:
        """Whether no feature was seen yet; labels may have been declared."""
        return len(self.space) == len(self.algorithm.new_space())

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return int(self.state.rounds[0])

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        seen = len(self.space)
        if isinstance(self.algorithm, CountsKept):
            return self.algorithm.count_kept(self.state, seen)
        return count_beyond(self.linear_weights()[:seen], 0.0)

    def linear_weights(self) -> Floats:
        """The weight of each feature, by column, with the sign that kernels see."""
        weights: Floats = self.algorithm.linear_weights(self.state)
        return weights

    def weights(self) -> dict[Hashable, Any]:
        """The weights that are not zero, by name, the largest magnitude first."""
        weights = self.linear_weights()[: len(self.space)] * self.labels.orientation
        order = np.argsort(-np.abs(weights), kind="stable")
        names = self.space.names
        return {names[c]: float(weights[c]) for c in order if weights[c] != 0.0}

    @property
    def state_bytes(self) -> int:
        """Bytes held by the arrays of the state."""
        return sum(array.nbytes for array in arrays(self.state))

    @property
    def memory_bytes(self) -> int:
        """Bytes held by the state and by the names of features."""
        return self.state_bytes + self.space.memory_bytes

    def inside(self) -> Iterator[Engine]:
        """The engines inside, if the learner is made of learners."""
        return iter(())

    # ------------------------------------------------------------------------ many rows

    def learn(
        self,
        rows: Rows,
        sample_weight: Any = None,
        classes: Sequence[Any] | None = None,
        *,
        on_placed: Placed | None = None,
    ) -> Floats:
        """Learn rows; the score of each before it was learned."""
        if rows.labels is None:
            raise InputError(
                f"{type(self.algorithm).__name__} requires y to be passed, but the target y is "
                "None: rows to learn from need labels"
            )
        y, rows = rows.labels, self.prepared(rows)
        weights = _as_weights(sample_weight, len(rows))
        classes = None if classes is None else list(classes)
        learned = None
        if not weights.all():
            learned = np.flatnonzero(weights)
            rows, y, weights = rows[learned], y[learned], weights[learned]
        signs = self._accept(rows, y, classes, learned)
        return self.labels.oriented(self.learn_accepted(rows, signs, weights, on_placed))

    def score(self, rows: Rows) -> Floats:
        """The score of each row; features that were never seen are left out."""
        rows = self.prepared(rows)
        self._check_width(rows)
        scores = self.score_placed(self.space.place(rows, grow=False))
        return self.labels.oriented(scores)

    def interleave(self, rows: Rows, learned: Rows, due: NDArray[np.int64]) -> Floats:
        """Score rows and learn others in between; the scores of the former."""
        if learned.labels is None:
            raise InputError("rows to learn from need labels")
        _check_due(due, len(rows), len(learned))
        rows, learned = self.prepared(rows), self.prepared(learned)
        self._check_width(rows)
        assert learned.labels is not None
        signs = self._accept(learned, learned.labels)
        if len(self.space) + learned.width > self.most_names:
            scores = name_limit.interleave_in_pieces(self, rows, learned, signs, due)
        else:
            learned = self._place(learned)
            # A feature that is first learned further down has a column already, but no kernel has
            # touched it yet: it counts for as little as one that is left out.
            rows = self.space.place(rows, grow=False)
            scores = self.interleave_placed(rows, learned, signs, np.ones(len(learned)), due)
        return self.labels.oriented(scores)

    def learn_accepted(
        self, rows: Rows, signs: Floats, weights: Floats, on_placed: Placed | None = None
    ) -> Floats:
        """Learn rows that were checked; what comes out has the sign that kernels see."""
        if len(self.space) + rows.width > self.most_names:
            return name_limit.learn_in_pieces(self, rows, signs, weights)
        placed = self._place(rows)
        if on_placed is not None:
            on_placed(placed)
        return self.learn_placed(placed, signs, weights)

    def prepared(self, rows: Rows) -> Rows:
        """What must be done to rows while features that are unknown are still there."""
        return rows

    def _accept(
        self,
        rows: Rows,
        y: NDArray[Any],
        classes: Sequence[Any] | None = None,
        numbers: NDArray[np.int64] | None = None,
    ) -> Floats:
        """The signs of the labels of rows that are about to be learned.

        Everything is checked before anything changes; ``numbers`` are what errors call the rows.
        """
        self._check_width(rows)
        self.labels.check(y, classes, numbers)
        self._check_size(rows)
        if rows.names is None:
            self.width = rows.width
        if classes is not None:
            self.labels.declare(classes)
        return self.labels.signs(y)

    def _place(self, rows: Rows) -> Rows:
        """Rows that are about to be learned, in their columns."""
        try:
            return self.space.place(rows)
        finally:  # also when interrupted: what has a column has room
            self.make_room()

    def _check_width(self, rows: Rows) -> None:
        if rows.names is None and self.width not in (None, rows.width):
            raise InputError(
                f"X has {rows.width} features, but {type(self.algorithm).__name__} is expecting "
                f"{self.width} features as input: columns without names must not change "
                "(give feature_names, dicts or a frame when features come and go)"
            )

    def _check_size(self, rows: Rows) -> None:
        most = self.algorithm.most_features
        if most is None:
            return
        size = self.space.size_with(rows)
        if size > most:
            raise InputError(
                f"{self.algorithm} learns from at most {most} features; "
                f"with these rows there would be {size}"
            )

    # ----------------------------------------------------- rows that are in their columns

    def learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows in their columns; the score of each before it was learned.

        With a ``confidence``, rows of sign 0 are learned by the model's own prediction if its score
        is as large as that, and skipped if not.
        """
        scores, done = self._new_scores(len(rows)), 0
        while True:
            rest = (rows.indptr[done:], rows.indices, rows.values, signs[done:], weights[done:])
            learning = (self.state, self.kernel_parameters, *rest, scores[done:])
            if confidence is None:
                done += loops.learn_rows(*learning)
            else:
                done += loops.label_rows(*learning, float(confidence))
            if done == len(rows):
                return scores
            self._make_room_to_learn(rows, done)

    def score_placed(self, rows: Rows) -> Floats:
        """The scores of rows in their columns."""
        if self.algorithm.scores_in_state:
            with SCORING:
                return self._score_placed(rows)
        return self._score_placed(rows)

    def _score_placed(self, rows: Rows) -> Floats:
        scores = self._new_scores(len(rows))
        arrays_of_rows = (rows.indptr, rows.indices, rows.values)
        done = loops.score_rows(self.state, self.kernel_parameters, *arrays_of_rows, scores)
        refuse_changed(rows, done)
        return scores

    def interleave_placed(
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
            before = self.rounds
            done += loops.interleave_rows(
                self.state,
                self.kernel_parameters,
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
            known += self.rounds - before
            if done == len(rows):
                return scores
            self._make_room_to_learn(learned, known)
            if known > (due[done - 1] if done else 0):  # the row was scored, some are learned since
                rest = slice(known, int(due[done]))
                self.learn_placed(learned[rest], signs[rest], weights[rest])
                done, known = done + 1, int(due[done])

    def _new_scores(self, rows: int) -> Floats:
        """Room for the scores of so many rows."""
        return np.empty(rows)

    # ------------------------------------------------------------------------- single rows

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row, a dict from name to value, and its label."""
        if self.learn_one_quickly(x, y):
            return
        without_missing = observed(x)
        if without_missing is None or not self.learn_one_quickly(without_missing, y):
            self.learn(with_labels(from_dicts([_as_dict(x)]), [y]))

    def score_one(self, x: Row) -> Any:
        """The score of one row."""
        return self.labels.oriented_one(self._score_one(x))

    def predict_one(self, x: Row) -> Any:
        """The predicted label of one row."""
        return self.labels.name(self._score_one(x))

    def predict_proba_one(self, x: Row) -> dict[Any, float]:
        """The probability of each label known so far."""
        scores = self.labels.oriented(np.array([self._score_one(x)]))
        chances = self.labels.chances(scores)[0].tolist()
        return dict(zip(plain_values(self.labels.classes), chances, strict=True))

    def learn_one_quickly(self, x: Row, y: Any) -> bool:
        """Learn through prepared buffers; False, and nothing changed, if x or y needs care."""
        if not isinstance(x, dict):
            return False
        sign = self.code_of(y)
        if sign is None and not self.labels.accepts(y):
            return False
        # Buffers are taken and given back, so that no two threads write to the same.
        row = self._rows.pop() if self._rows else self.new_row()
        try:
            filled = row.fill(x, self.space.columns)
        except KeyError:
            filled = self._fill_new_names(row, x)
        if filled and sign is None:
            filled, sign = self._add_label(row, x, y)
        learned = filled and self.learn_row(row, sign)
        self._rows.append(row)
        if len(self.space) > self.most_names:
            name_limit.drop_names(self)
        return learned

    def code_of(self, y: Any) -> Any:
        """The code of a label that was seen before; else None."""
        try:
            return self.labels.codes.get(y)
        except TypeError:  # it can not be looked up
            return None

    def _add_label(self, row: SingleRow, x: Row, y: Any) -> tuple[bool, Any]:
        # As a name, a label is added only when nothing in its row can still be refused.
        if not row.can_hold(x):
            return False, None
        self.labels.add(y)
        return True, self.labels.codes[y]

    def _fill_new_names(self, row: SingleRow, x: Row) -> bool:
        # A new name is added only when nothing in its row can still be refused, and when there is
        # room for it.
        if self.algorithm.most_features is not None or not row.can_hold(x):
            return False
        self.add_names(x)
        return row.fill(x, self.space.columns)

    def add_names(self, names: Sequence[Hashable] | Row) -> None:
        """Give names that are new their columns, and room in the state."""
        columns = self.space.columns
        self.make_room(sum(name not in columns for name in names))
        self.space.add(names)

    def _score_one(self, x: Row) -> Any:
        """The score with the sign that kernels see."""
        score = self.score_one_quickly(x)
        if score is None:
            without_missing = observed(x)
            if without_missing is not None:
                score = self.score_one_quickly(without_missing)
        if score is None:
            rows = self.prepared(from_dicts([_as_dict(x)]))
            score = self.score_placed(self.space.place(rows, grow=False)).tolist()[0]
        return score

    def score_one_quickly(self, x: Row) -> Any:
        """The score through prepared buffers; None if x needs care."""
        if not isinstance(x, dict):
            return None
        try:
            row = self._rows.pop()
        except IndexError:
            row = self.new_row()
        columns = self.space.columns
        try:
            filled = row.fill(x, columns)
        except KeyError:
            # What is unknown is left out, but bad values are refused wherever they are.
            known = {name: value for name, value in x.items() if name in columns}
            filled = row.can_hold(x) and row.fill(known, columns)
        score = self.score_row(row) if filled else None
        self._rows.append(row)
        return score

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers; False, and nothing changed, if a value is not usable."""
        while True:
            if confidence is None:
                learned = row.learn(self.state, self.kernel_parameters, sign)
            else:
                learned = row.label_and_learn(self.state, self.kernel_parameters, sign, confidence)
            if learned or not self._make_room_for(row.indices[: row.indptr[1]]):
                return learned

    def score_row(self, row: SingleRow) -> Any:
        """The score of what is in the buffers; None if a value is not usable."""
        if self.algorithm.scores_in_state:
            with SCORING:
                return row.score(self.state, self.kernel_parameters)
        return row.score(self.state, self.kernel_parameters)

    def new_row(self) -> SingleRow:
        """Buffers for a single row."""
        return SingleRow(self.state, self.kernel_parameters, self._new_scores(1))

    def forget_columns(self) -> None:
        """Look names up again, since columns were numbered anew."""
        for row in self._rows:
            row.forget_names()

    # ---------------------------------------------------------------------------- growth

    def make_room(self, more: int = 0) -> None:
        """Make room for the features seen so far, and for some more."""
        if len(self.space) + more > self.capacity:
            self.capacity = capacity_for(len(self.space) + more)
            self.state = grown(self.state, self.algorithm.new_state(self.capacity))

    def _make_room_for(self, columns: NDArray[np.int32]) -> bool:
        """Make the room that kernels ask for to learn a row; False if there was enough."""
        if not isinstance(self.algorithm, AsksForRoom):
            return False
        before, self.state = self.state, self.algorithm.with_room(self.state, columns)
        return self.state is not before

    def _make_room_to_learn(self, rows: Rows, row: int) -> None:
        """Make the room for want of which a kernel stopped at this row."""
        if not self._make_room_for(rows[row : row + 1].indices):
            refuse_changed(rows, row)

    # ----------------------------------------------------------------------------- files

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of the state by name, as files have them."""
        later = self.algorithm.arrays_added_later
        return {path: a for path, a in paths(self.state) if a.size or path not in later}

    def description(self) -> dict[str, Any]:
        """What a file must tell of the engines inside, as JSON has it."""
        return {}

    def restored(self, description: Mapping[str, Any]) -> Iterator[Engine]:
        """The engines inside once more, each begun when it is asked for, as a file tells them."""
        return self.inside()

    def make_room_as_in(self, length: Callable[[str], int]) -> None:
        """Make the room that kernels asked for before, told how long each array of a file is."""
        if isinstance(self.algorithm, AsksForRoom):
            classes = max(1, len(self.labels))
            self.state = self.algorithm.state_as_in(length, self.capacity, classes)

    @property
    def is_sound(self) -> bool:
        """Whether the state leads no kernel out of its arrays: it may come from a forged file."""
        if not isinstance(self.algorithm, ChecksState):
            return True
        return self.algorithm.is_sound(self.state, self.capacity)

    def __getstate__(self) -> dict[str, Any]:
        # Buffers and compiled functions are made anew when they are needed.
        return {**self.__dict__, "_rows": []}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self.state = writeable(self.state)


def refuse_changed(rows: Rows, done: int) -> None:
    """Rows share their arrays with whoever gave them, who may have written to them since."""
    if done < len(rows):
        raise InputError(f"row {done}: a value is no longer allowed since the rows were checked")


def _as_dict(x: object) -> Row:
    if not isinstance(x, Mapping):
        raise InputError(f"one row is a dict from name to value, not {x!r}")
    return x


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
    bad = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_SAMPLE_WEIGHT)))
    if bad.size:
        raise InputError(
            f"row {bad[0]}: sample_weight {weights[bad[0]]} is not from 0 to "
            f"{LARGEST_SAMPLE_WEIGHT:g}"
        )
    return weights
