"""Engine: what was learned, and how rows reach the kernels.

A learner has one engine, made when something is first learned. The engine holds the state, the
names of features, the labels, and the buffers for single rows. Rows are *accepted* (everything is
checked before anything changes), *placed* (names become columns), then learned, scored, or both
interleaved, by the compiled loops of ``braided.compiled.loops``.

Scores have one sign convention: positive for the larger label. A kernel needs a sign before the
second label is known, so in the methods for placed rows the first label decides which sign is
which; ``learn``, ``score``, ``interleave``, ``score_one`` and ``predict_one`` are the only places
that translate, and code outside the engine sees the one convention only.
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
from braided.features.translation import UNKNOWN
from braided.kernels.soft_threshold import count_beyond
from braided.learner import name_limit
from braided.learner.algorithm import (
    AdaptsState,
    Algorithm,
    AsksForRoom,
    ChecksState,
    CountsKept,
    LimitsNames,
)
from braided.learner.single_row import QuickFields, SingleRow, in_order
from braided.learner.state import arrays, capacity_for, grown, paths, without_buffers, writeable
from braided.records.convert import Converter
from braided.records.inputs import as_rows
from braided.records.roles import LARGEST_WEIGHT
from braided.records.schema import Decisions, Schema
from braided.records.values import NotAllowed
from braided.rows.rows import Rows, offsets
from braided.rows.validation import with_labels
from braided.targets import Labels, plain_values

__all__ = ["SCORING", "Engine", "refuse_changed"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]
Placed = Callable[[Rows], object]
"""A function that is called with placed rows, before they are learned."""

_NO_LIMIT = math.inf

SCORING = threading.RLock()
"""Held while a kernel scores that writes to the state, and while these numbers are read."""


class Engine:
    """What was learned by one model.

    Parameters
    ----------
    algorithm : Algorithm
        The parameters; a copy that no other code changes.
    space : FeatureSpace, optional
        The feature names and their columns; engines inside a composite share one.
    labels : Labels, optional
        The label values and their codes.
    capacity : int, default 8
        How many features there is room for.
    schema : Schema, optional
        The kinds of the fields of records; a copy that no other code changes.

    Attributes
    ----------
    state : named tuple
        The arrays of what was learned.
    kernel_parameters : named tuple
        The parameters as kernels see them.
    width : int or None
        The number of columns, if rows without feature names were learned.
    counts : ndarray of int or None
        In how many rows each feature was observed, by column, if that is counted; it may be shorter
        than there are features (``feature_counts``).
    """

    widens: bool = False
    """Whether it learns more than two labels when there are some, see ``widening.py``."""

    def __init__(
        self,
        algorithm: Algorithm,
        *,
        space: FeatureSpace | None = None,
        labels: Labels | None = None,
        capacity: int = capacity_for(0),
        schema: Schema | None = None,
    ) -> None:
        algorithm.check_parameters()
        self.space = algorithm.new_space() if space is None else space
        self.schema = Schema() if schema is None else schema
        self.schema.features_known = self.space
        self._fields = QuickFields(self.schema)
        self.labels = algorithm.new_labels() if labels is None else labels
        self.capacity = capacity
        self.width: int | None = None  # of arrays without names
        self.counts: NDArray[np.int64] | None = None
        self.state: Any = None
        self.begin(algorithm)

    def begin(self, algorithm: Algorithm) -> None:
        """Begin anew: forget the state, but not names and labels.

        Parameters
        ----------
        algorithm : Algorithm
            The parameters.
        """
        self._settle(algorithm)
        self.state = algorithm.new_state(self.capacity)

    def _settle(self, algorithm: Algorithm) -> None:
        """Use these parameters from now on.

        A kernel relies on the arrays of the state to have the room that its parameters need, so
        both change together, and at no other time.
        """
        self.algorithm = algorithm
        self.kernel_parameters = algorithm.kernel_parameters()
        # Buffers that no thread is using; others were made for parameters of other types.
        self._rows: list[SingleRow] = []
        self.most_names = _NO_LIMIT
        if isinstance(algorithm, LimitsNames):
            self.most_names = algorithm.most_names()

    def change_parameters(self, algorithm: Algorithm) -> None:
        """Go on with other parameters; what was learned stays.

        Parameters
        ----------
        algorithm : Algorithm
            The parameters.

        Raises
        ------
        InputError
            If the model can not go on with them; then nothing has changed.
        """
        if self.learned_nothing:  # begin anew, so that a new seed is used
            self.begin(algorithm)
            return
        before = self.algorithm
        algorithm.check_change(before)
        self._settle(algorithm)
        self.state = grown(self.state, algorithm.new_state(self.capacity))
        if isinstance(algorithm, AdaptsState):
            self.state = algorithm.adapted(self.state, before)

    # -------------------------------------------------------------------- what was learned

    @property
    def learned_nothing(self) -> bool:
        """Whether no feature was seen yet; labels may be known."""
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
        """Return the weights as kernels see them.

        Returns
        -------
        ndarray of float
            The weight of each column; a positive one is for the label of sign +1.
        """
        weights: Floats = self.algorithm.linear_weights(self.state)
        return weights

    def weights(self) -> dict[Hashable, Any]:
        """Return the weights that are not zero.

        Returns
        -------
        dict
            The weight of each feature by name, the largest magnitude first.
        """
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
        """Return the engines inside, if the learner is made of learners.

        Returns
        -------
        iterator of Engine
            The engines.
        """
        return iter(())

    # ------------------------------------------------------------------------ many rows

    def rows_of(
        self, X: Any, y: Any = None, feature_names: Sequence[Hashable] | None = None
    ) -> Rows:
        """Make rows of any input, by the schema of this model; nothing is decided yet.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like, optional
            A label for each row.
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.

        Returns
        -------
        Rows
            The rows, checked.
        """
        return as_rows(X, y, feature_names=feature_names, schema=self.schema)

    def learn(
        self,
        rows: Rows,
        sample_weight: Any = None,
        classes: Sequence[Any] | None = None,
        *,
        on_placed: Placed | None = None,
        by_class: bool = False,
        order: NDArray[np.intp] | None = None,
    ) -> Floats:
        """Learn rows.

        Parameters
        ----------
        rows : Rows
            The rows, with labels.
        sample_weight : array-like of float from 0 to 1e9, optional
            A factor for the step of each row; a row of weight 0 is left out.
        classes : sequence, optional
            The label values, if they are known before all of them were seen.
        on_placed : callable, optional
            Called with the placed rows, before they are learned.
        by_class : bool, default False
            Whether scores have a column for each class, even if there are two.
        order : ndarray of int, optional
            The numbers of the rows in the order in which they are learned, if it is not their own.

        Returns
        -------
        ndarray of float
            The score of each row before it was learned, in the order of learning.

        Raises
        ------
        InputError
            If a row, label or weight is not allowed; then nothing was learned.
        """
        if rows.labels is None:
            raise InputError(
                f"{type(self.algorithm).__name__} requires y to be passed, but the target y is "
                "None: rows to learn from need labels"
            )
        y, rows = rows.labels, self.prepared(rows)
        weights = _as_weights(rows.weights if sample_weight is None else sample_weight, len(rows))
        classes = None if classes is None else list(classes)
        learned = order
        if not weights.all():
            order = np.arange(len(rows)) if order is None else order
            learned = order[weights[order] != 0.0]
        if learned is not None:
            rows, y, weights = rows[learned], y[learned], weights[learned]
        signs = self._accept(rows, y, classes, learned)
        try:
            scores = self.learn_accepted(rows, signs, weights, on_placed)
        finally:
            self._adopt(rows.schema)
        return self._shown(scores, by_class)

    def check(self, rows: Rows) -> None:
        """Refuse rows that can not be learned; nothing changes.

        Parameters
        ----------
        rows : Rows
            The rows, with labels.

        Raises
        ------
        InputError
            If ``learn`` would refuse them.
        """
        if rows.labels is None:
            raise InputError("rows to learn from need labels")
        self._check(self.prepared(rows), rows.labels)

    def score(self, rows: Rows) -> Floats:
        """Score rows; features that were never seen are left out.

        Parameters
        ----------
        rows : Rows
            The rows.

        Returns
        -------
        ndarray of float
            The score of each row.
        """
        return self.labels.oriented(self._kernel_scores(rows))

    def predict_proba(self, rows: Rows) -> Floats:
        """Predict the probability of each label.

        Parameters
        ----------
        rows : Rows
            The rows.

        Returns
        -------
        ndarray of float
            A line for each row, a column for each label.
        """
        return self.labels.chances(self.log_odds(self._kernel_scores(rows)))

    def _kernel_scores(self, rows: Rows) -> Floats:
        """The score of each row with the sign that kernels see."""
        rows = self.prepared(rows)
        self._check_width(rows)
        return self.score_placed(self.space.place(rows, grow=False))

    def log_odds(self, scores: Floats) -> Floats:
        """Return the log odds that scores stand for.

        Parameters
        ----------
        scores : ndarray of float
            Scores with the sign that kernels see.

        Returns
        -------
        ndarray of float
            The log odds, with the same sign. Usually they are the scores.
        """
        return scores

    def explain(self, x: Row) -> dict[Hashable, Any]:
        """Explain the score of a row: its score minus its score without each feature.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The effect of each feature, the largest magnitude first; with more than two labels, such
            a dict for each label.
        """
        rows = self.prepared(self.rows_of([_as_dict(x)]))
        row = self.space.place(rows, grow=False)
        scores = self.labels.oriented(self.score_placed(_with_each_left_out(row)))
        effects = scores[:1] - scores[1:]
        names = [self.space.name(column) for column in row.indices.tolist()]
        if effects.ndim == 1:
            return _largest_first(names, effects)
        labels = plain_values(self.labels.classes)
        known = np.isfinite(scores[0]).tolist()
        of_labels = zip(labels, effects.T, known, strict=True)
        return {label: _largest_first(names, each) for label, each, known in of_labels if known}

    def _shown(self, kernel_scores: Floats, by_class: bool) -> Floats:
        show = self.labels.by_class if by_class else self.labels.oriented
        return show(kernel_scores)

    def interleave(
        self, rows: Rows, learned: Rows, due: NDArray[np.int64], *, by_class: bool = False
    ) -> Floats:
        """Score rows, and learn other rows in between.

        Parameters
        ----------
        rows : Rows
            The rows to score.
        learned : Rows
            The rows to learn, with labels.
        due : ndarray of int
            After row t was scored, the first ``due[t]`` rows of ``learned`` have been learned.
        by_class : bool, default False
            Whether scores have a column for each class, even if there are two.

        Returns
        -------
        ndarray of float
            The score of each row.
        """
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
            # A feature that is first learned later in this block has a column already, but its
            # weights are still zero, so it changes no score.
            rows = self.space.place(rows, grow=False)
            self.count_observed(learned.indices)
            scores = self.interleave_placed(rows, learned, signs, np.ones(len(learned)), due)
        self._adopt(learned.schema)
        return self._shown(scores, by_class)

    def _adopt(self, decisions: Decisions | None) -> None:
        """Keep the kinds of fields that were decided while rows were read that are now learned.

        With a limit of names a number is known as long as its name is. Which names were dropped
        by now depends on how rows came in blocks; what is kept must not.
        """
        if decisions is not None:
            self.schema.adopt(decisions, numbers=self.most_names == _NO_LIMIT)

    def learn_accepted(
        self, rows: Rows, signs: Floats, weights: Floats, on_placed: Placed | None = None
    ) -> Floats:
        """Learn rows that were checked; scores have the sign that kernels see.

        Parameters
        ----------
        rows : Rows
            The rows.
        signs : ndarray of float
            The code of each label.
        weights : ndarray of float
            The weight of each row.
        on_placed : callable, optional
            Called with the placed rows, before they are learned.

        Returns
        -------
        ndarray of float
            The score of each row before it was learned.
        """
        if len(self.space) + rows.width > self.most_names:
            return name_limit.learn_in_pieces(self, rows, signs, weights)
        placed = self._place(rows)
        if on_placed is not None:
            on_placed(placed)
        return self.learn_placed(placed, signs, weights)

    def prepared(self, rows: Rows) -> Rows:
        """Prepare rows before names become columns and unknown features are left out.

        Parameters
        ----------
        rows : Rows
            The rows.

        Returns
        -------
        Rows
            The prepared rows.
        """
        return rows

    def _accept(
        self,
        rows: Rows,
        y: NDArray[Any],
        classes: Sequence[Any] | None = None,
        numbers: NDArray[np.int64] | None = None,
    ) -> Floats:
        """Check rows that are to be learned, and return the signs of their labels.

        Everything is checked before anything changes; ``numbers`` are the row numbers for errors.
        """
        self._check(rows, y, classes, numbers)
        if rows.names is None:
            self.width = rows.width
        if classes is not None:
            self.labels.declare(classes)
        return self.labels.signs(y)

    def _check(
        self,
        rows: Rows,
        y: NDArray[Any],
        classes: Sequence[Any] | None = None,
        numbers: NDArray[np.int64] | None = None,
    ) -> None:
        self._check_width(rows)
        if rows.schema is not None:
            self.schema.check_adoption(rows.schema)
        self.labels.check(y, classes, numbers)
        self._check_size(rows)

    def _place(self, rows: Rows) -> Rows:
        """Place rows that are to be learned: names become columns."""
        try:
            return self.space.place(rows)
        finally:  # also when interrupted: every column has room
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
        """Learn placed rows.

        Parameters
        ----------
        rows : Rows
            The rows.
        signs : ndarray of float
            The code of each label; with a ``confidence``, NaN for no label.
        weights : ndarray of float
            The weight of each row.
        confidence : float, optional
            Rows without a label are learned with the predicted label if its score is at least so
            large, and skipped if not.

        Returns
        -------
        ndarray of float
            The score of each row before it was learned.
        """
        if self.widens and self.labels.many:
            return self.learn_placed_of_classes(rows, signs, weights, confidence)
        self.count_observed(rows.indices)
        return self._learn_placed(rows, signs, weights, confidence)

    def count_observed(self, columns: NDArray[np.int32]) -> None:
        """Count the features of rows that are learned, if features are counted.

        Parameters
        ----------
        columns : ndarray of int
            The column of each observed value.
        """
        if self.counts is None or not columns.size:
            return
        if columns.max() >= self.counts.size:
            self.counts = np.pad(self.counts, (0, self.capacity - self.counts.size))
        np.add.at(self.counts, columns, 1)

    def feature_counts(self) -> NDArray[np.int64] | None:
        """Return in how many rows each feature was observed since it is counted.

        Returns
        -------
        ndarray of int or None
            The number of each feature; None if features are not counted.
        """
        if self.counts is None:
            return None
        counts = np.zeros(len(self.space), np.int64)
        size = min(counts.size, self.counts.size)
        counts[:size] = self.counts[:size]
        return counts

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None
    ) -> Floats:
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
        """Score placed rows.

        Parameters
        ----------
        rows : Rows
            The rows.

        Returns
        -------
        ndarray of float
            The score of each row.
        """
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
        """Score placed rows, and learn other placed rows in between.

        Parameters
        ----------
        rows : Rows
            The rows to score.
        learned : Rows
            The rows to learn.
        signs : ndarray of float
            The codes of their labels.
        weights : ndarray of float
            Their weights.
        due : ndarray of int
            After row t was scored, the first ``due[t]`` rows of ``learned`` have been learned.

        Returns
        -------
        ndarray of float
            The score of each row.
        """
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
                self._learn_placed(learned[rest], signs[rest], weights[rest], None)
                done, known = done + 1, int(due[done])

    def interleave_in_turns(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        """Do as ``interleave_placed``, in as many calls as it takes.

        Parameters
        ----------
        rows : Rows
            The rows to score.
        learned : Rows
            The rows to learn.
        signs : ndarray of float
            The codes of their labels.
        weights : ndarray of float
            Their weights.
        due : ndarray of int
            After row t was scored, the first ``due[t]`` rows of ``learned`` have been learned.

        Returns
        -------
        ndarray of float
            The score of each row.
        """
        scores, scored, done = [], 0, 0
        for row in np.flatnonzero(np.diff(due, prepend=0)).tolist():
            scores.append(self.score_placed(rows[scored : row + 1]))
            turn = slice(done, int(due[row]))
            self.learn_placed(learned[turn], signs[turn], weights[turn])
            scored, done = row + 1, int(due[row])
        return np.concatenate([*scores, self.score_placed(rows[scored:])])

    def count_as_seen(self, columns: NDArray[np.int32]) -> None:
        """Count the features of a row that is not learned as seen.

        Parameters
        ----------
        columns : ndarray of int
            The columns of the row.
        """
        if hasattr(self.state, "seen"):
            self.state.seen[0] = max(self.state.seen[0], columns.max(initial=-1) + 1)
        for engine in self.inside():
            engine.count_as_seen(columns)

    def _new_scores(self, rows: int) -> Floats:
        """Room for the scores of so many rows."""
        return np.empty(rows)

    # -------------------------------------- more than two labels, of an engine that widens

    def learn_placed_of_classes(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None
    ) -> Floats:
        """Learn placed rows of more than two labels."""
        raise NotImplementedError

    def learn_row_of_classes(self, row: SingleRow, sign: float, confidence: float | None) -> bool:
        """Learn the row in the buffers, of one of more than two labels."""
        raise NotImplementedError

    def score_row_of_classes(self, row: SingleRow) -> Any:
        """Return the score of each of more than two labels."""
        raise NotImplementedError

    def new_row_of_classes(self) -> SingleRow:
        """Make buffers for a row of one of more than two labels."""
        raise NotImplementedError

    # ------------------------------------------------------------------------- single rows

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.
        y : Any
            The label.
        """
        if self.learn_one_quickly(x, y):
            return
        features, converter = self._converted(x)
        if self.schema.weight is None and self.learn_one_quickly(features, y, converted=True):
            self._adopt(converter.decisions)
        else:
            rows = self.rows_of([_as_dict(x)])
            self.learn(with_labels(rows, [y]))
        self._fields.remember(x, self.space.columns)

    def features_of(self, x: Row) -> dict[Hashable, float]:
        """Return the features that a record means to this model.

        Parameters
        ----------
        x : dict
            The value of each field, by name.

        Returns
        -------
        dict
            The number of each feature, by name.

        Raises
        ------
        InputError
            If a value is not allowed.
        """
        return self._converted(x)[0]

    def _converted(self, x: Row) -> tuple[dict[Hashable, float], Converter]:
        converter = Converter(self.schema)
        try:
            return converter.features(_as_dict(x)), converter
        except NotAllowed as error:
            raise InputError(f"row 0, {error}") from None

    def score_one(self, x: Row) -> Any:
        """Score one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        float
            The score; with more than two labels, a dict from label to score.
        """
        return self.labels.oriented_one(self._score_one(x))

    def predict_one(self, x: Row) -> Any:
        """Predict the label of one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        Any
            The predicted label.
        """
        return self.labels.name(self._score_one(x))

    def predict_proba_one(self, x: Row) -> dict[Any, float]:
        """Predict the probability of each label for one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The probability of each label known so far.
        """
        odds = self.log_odds(np.array([self._score_one(x)]))
        chances = self.labels.chances(odds)[0].tolist()
        return dict(zip(plain_values(self.labels.classes), chances, strict=True))

    def judge_one(self, x: Row) -> tuple[Any, float, Any]:
        """Score one row once, and say all that the score means.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        tuple
            The predicted label, its probability (if scores stand for log odds), and the score as
            ``score_one`` returns it.
        """
        score = self._score_one(x)
        label = self.labels.name(score)
        odds = self.log_odds(np.array([score]))
        chances = self.labels.chances(odds)[0].tolist()
        chance = chances[plain_values(self.labels.classes).index(label)]
        return label, chance, self.labels.oriented_one(score)

    def learn_one_quickly(self, x: Row, y: Any, *, converted: bool = False) -> bool:
        """Learn one row through prepared buffers, if it is an ordinary one.

        Parameters
        ----------
        x : dict
            The value of each field, by name.
        y : Any
            The label.
        converted : bool, default False
            Whether these are the numbers of features, in order, and no longer a record.

        Returns
        -------
        bool
            Whether it was learned. If not, nothing has changed.
        """
        if type(x) is not dict:
            x = _as_dict(x)
        sign = self.code_of(y)
        if sign is None and not self.labels.accepts(y):
            return False
        # Buffers are taken and given back, so that no two threads write to the same.
        row = self._rows.pop() if self._rows else self.new_row()
        try:
            if converted:
                filled = self._fill_new_names(row, x)
            else:
                filled = row.fill(x, self.space.columns, self._fields)
        except KeyError:
            filled = self._fields.hold_numbers(x) and self._fill_new_names(row, in_order(x))
        if filled and sign is None:
            filled, sign = self._add_label(row, x, y, converted)
        learned = filled and self.learn_row(row, sign)
        self._rows.append(row)
        if self.most_names != _NO_LIMIT:
            name_limit.drop_names(self)  # if there are too many
        return learned

    def code_of(self, y: Any) -> Any:
        """Return the code of a label.

        Parameters
        ----------
        y : Any
            The label.

        Returns
        -------
        float or None
            Its code; None if it was not seen before.
        """
        try:
            return self.labels.codes.get(y)
        except TypeError:  # it can not be looked up
            return None

    def _add_label(self, row: SingleRow, x: Row, y: Any, converted: bool) -> tuple[bool, Any]:
        # Like a name, a label is added only when nothing in its row can be refused any more.
        if not converted and not row.is_usable():
            return False, None
        self.labels.add(y)
        return True, self.labels.codes[y]

    def _fill_new_names(self, row: SingleRow, features: Row) -> bool:
        # A new name is added only when nothing in its row can be refused any more, and when there
        # is room for it.
        if self.algorithm.most_features is not None or not row.can_hold(features):
            return False
        self.add_names(features)
        row.fill_features(features, self.space.columns)
        return True

    def add_names(self, names: Sequence[Hashable] | Row) -> None:
        """Give new names columns, and room in the state.

        Parameters
        ----------
        names : sequence
            Feature names; those that are known stay as they are.
        """
        self.make_room(self.space.columns.known([*names]).count(UNKNOWN))
        self.space.add(names)

    def _score_one(self, x: Row) -> Any:
        """The score with the sign that kernels see."""
        score = self.score_one_quickly(x)
        if score is None:
            features = self.features_of(x)
            score = self.score_one_quickly(features, converted=True)
            self._fields.remember(x, self.space.columns)
            if score is None:
                rows = self.prepared(self.rows_of([_as_dict(x)]))
                score = self.score_placed(self.space.place(rows, grow=False)).tolist()[0]
        return score

    def score_one_quickly(self, x: Row, *, converted: bool = False) -> Any:
        """Score one row through prepared buffers, if it is an ordinary one.

        Parameters
        ----------
        x : dict
            The value of each field, by name.
        converted : bool, default False
            Whether these are the numbers of features, in order, and no longer a record.

        Returns
        -------
        float or None
            The score with the sign that kernels see; None if the row is not ordinary.
        """
        if type(x) is not dict:
            x = _as_dict(x)
        try:
            row = self._rows.pop()
        except IndexError:
            row = self.new_row()
        columns = self.space.columns
        try:
            if converted:
                filled = self._fill_known_names(row, x)
            else:
                filled = row.fill(x, columns, self._fields)
        except KeyError:
            filled = self._fields.hold_numbers(x) and self._fill_known_names(row, in_order(x))
        score = self.score_row(row) if filled else None
        self._rows.append(row)
        return score

    def _fill_known_names(self, row: SingleRow, features: Row) -> bool:
        # Unknown features are left out, but bad values are refused in them, too.
        columns = self.space.columns
        found = columns.known([*features])
        if not row.can_hold(features):
            return False
        if UNKNOWN in found:
            pairs = zip(features.items(), found, strict=True)
            features = dict(item for item, column in pairs if column != UNKNOWN)
        row.fill_features(features, columns)
        return True

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn the row in the buffers.

        Parameters
        ----------
        row : SingleRow
            The buffers.
        sign : float
            The code of the label; with a ``confidence``, NaN for no label.
        confidence : float, optional
            As in ``learn_placed``.

        Returns
        -------
        bool
            Whether it was learned. If not, a value is not usable and nothing has changed.
        """
        if self.widens and self.labels.many:
            return self.learn_row_of_classes(row, sign, confidence)
        while True:
            if confidence is None:
                learned = row.learn(self.state, self.kernel_parameters, sign)
            else:
                learned = row.label_and_learn(self.state, self.kernel_parameters, sign, confidence)
            if learned or not self._make_room_for(row.indices[: row.indptr[1]]):
                if learned and self.counts is not None:
                    self.count_observed(row.indices[: row.indptr[1]])
                return learned

    def score_row(self, row: SingleRow) -> Any:
        """Score the row in the buffers.

        Parameters
        ----------
        row : SingleRow
            The buffers.

        Returns
        -------
        float or None
            The score; None if a value is not usable.
        """
        if self.widens and self.labels.many:
            return self.score_row_of_classes(row)
        return self._score_row(row)

    def _score_row(self, row: SingleRow) -> Any:
        if self.algorithm.scores_in_state:
            with SCORING:
                return row.score(self.state, self.kernel_parameters)
        return row.score(self.state, self.kernel_parameters)

    def new_row(self) -> SingleRow:
        """Make buffers for a single row.

        Returns
        -------
        SingleRow
            The buffers.
        """
        if self.widens and self.labels.many:
            return self.new_row_of_classes()
        return SingleRow(self.state, self.kernel_parameters, self._new_scores(1))

    def forget_columns(self) -> None:
        """Look up all names again, since columns have other numbers."""
        self._fields.forget()
        for row in self._rows:
            row.forget_names()

    # ---------------------------------------------------------------------------- growth

    def make_room(self, more: int = 0) -> None:
        """Make room for the features seen so far.

        Parameters
        ----------
        more : int, default 0
            How many more features to make room for.
        """
        if len(self.space) + more > self.capacity:
            self.set_capacity(capacity_for(len(self.space) + more))

    def set_capacity(self, capacity: int) -> None:
        """Make room for so many features.

        Parameters
        ----------
        capacity : int
            More than there was room for.
        """
        self.capacity = capacity
        self.state = grown(self.state, self.algorithm.new_state(capacity))

    def _make_room_for(self, columns: NDArray[np.int32]) -> bool:
        """Make the room that kernels need to learn a row; return False if there was enough."""
        if not isinstance(self.algorithm, AsksForRoom):
            return False
        before, self.state = self.state, self.algorithm.with_room(self.state, columns)
        return self.state is not before

    def _make_room_to_learn(self, rows: Rows, row: int) -> None:
        """Make the room that a kernel needs to go on at this row."""
        if not self._make_room_for(rows[row : row + 1].indices):
            refuse_changed(rows, row)

    # ----------------------------------------------------------------------------- files

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the state.

        Returns
        -------
        dict
            The arrays by name.
        """
        later = self.algorithm.arrays_added_later
        return {path: a for path, a in paths(self.state) if a.size or path not in later}

    def learned_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the state, with zeros where nothing was learned, for a model file.

        Returns
        -------
        dict
            The arrays by name; those with buffers are copies.
        """
        buffers = self.algorithm.score_buffers
        return {path: without_buffers(path, a, buffers) for path, a in self.arrays().items()}

    def description(self) -> dict[str, Any]:
        """Return what a model file must say about the engines inside.

        Returns
        -------
        dict
            Values that JSON can represent.
        """
        return {}

    def restored(self, description: Mapping[str, Any]) -> Iterator[Engine]:
        """Make the engines inside again, one by one, from what a model file says.

        Parameters
        ----------
        description : mapping
            What ``description`` returned.

        Returns
        -------
        iterator of Engine
            The engines, which have learned nothing yet.
        """
        return self.inside()

    def take_form(self, description: Mapping[str, Any]) -> None:
        """Take the form that a model file describes, before the arrays are read.

        Parameters
        ----------
        description : mapping
            What ``description`` returned.
        """

    def make_room_as_in(self, length: Callable[..., int]) -> None:
        """Make the room that the state in a model file has.

        Parameters
        ----------
        length : callable
            The length of an array in the file, by its name.
        """
        if isinstance(self.algorithm, AsksForRoom):
            classes = max(1, len(self.labels))
            self.state = self.algorithm.state_as_in(length, self.capacity, classes)

    @property
    def is_sound(self) -> bool:
        """Whether no kernel would leave the arrays of the state: it may come from a forged file."""
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
    """Refuse rows whose values were changed by the caller after they were checked."""
    if done < len(rows):
        raise InputError(
            f"row {done}: a value is no longer allowed: it was changed after the rows were checked"
        )


def _with_each_left_out(row: Rows) -> Rows:
    """A row, then the row without its first entry, without its second, and so on."""
    size = row.indices.size
    kept = np.concatenate((np.arange(size), np.nonzero(~np.eye(size, dtype=np.bool_))[1]))
    lengths = np.full(size + 1, size - 1)
    lengths[0] = size
    return row.with_arrays(
        indptr=offsets(lengths), indices=row.indices[kept], values=row.values[kept]
    )


def _largest_first(names: list[Hashable], effects: Floats) -> dict[Hashable, float]:
    order = np.argsort(-np.abs(effects), kind="stable")
    return {names[i]: float(effects[i]) for i in order.tolist()}


def _as_dict(x: object) -> dict[Hashable, Any]:
    if type(x) is dict:
        return x
    if not isinstance(x, Mapping):
        raise InputError(f"one row is a dict from name to value, not {x!r}")
    return dict(x.items())


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
    bad = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))
    if bad.size:
        raise InputError(
            f"row {bad[0]}: sample_weight {weights[bad[0]]} is not from 0 to {LARGEST_WEIGHT:g}"
        )
    return weights
