"""Learner: the one interface of all learners, over the compiled driver."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError

from braided import driver
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.inputs import as_rows
from braided.labels import Labels
from braided.one_row import OneRow
from braided.rows import Rows
from braided.state import arrays, capacity_for, grown

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Learner"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]


class Learner(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns to tell two labels apart, from rows whose features come and go.

    A subclass has an ``__init__`` that stores its parameters untouched and calls ``_check``, and

    - ``_check()``: raise InputError for a parameter that is not allowed;
    - ``_parameters()``: the parameters as kernels see them, a named tuple of numbers;
    - ``_fresh_state(capacity)``: an empty state with room for this many features;
    - ``_linear_weights()``: the weight of each feature, by column;
    - ``_adapted(state)``, if need be: the state made to fit parameters that were changed;
    - ``_keeps_pairs = True``, if its memory grows with the square of the features it keeps;

    and registers its two kernels for the class of its state with ``driver.register``.
    """

    _keeps_pairs = False
    """Whether something is kept for each pair of features: then it is not meant for many."""

    # Set by the first learning, not by __init__: there scikit-learn wants parameters alone.
    _space: FeatureSpace
    _labels: Labels
    _state: Any = None
    _kernel_parameters: Any = None
    _width: int | None = None
    _one_row: OneRow | None = None

    def _check(self) -> None:
        raise NotImplementedError

    def _parameters(self) -> Any:
        raise NotImplementedError

    def _fresh_state(self, capacity: int) -> Any:
        raise NotImplementedError

    def _linear_weights(self) -> Floats:
        raise NotImplementedError

    def _adapted(self, state: Any) -> Any:
        return state

    # ---------------------------------------------------------------- one row, as in river

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row, a dict from name to value, and its label."""
        if not self._learn_one_quickly(x, y):
            self._learn(as_rows([x], [y]))

    def predict_one(self, x: Row) -> Any:
        """The predicted label, or None before anything was learned."""
        if self._state is None:
            return None
        return self._labels.name(self._score_one_inward(x))

    def score_one(self, x: Row) -> float:
        """How far the row lies on the side of ``classes_[1]``; 0 before anything was learned."""
        if self._state is None:
            return 0.0
        return self._labels.outward * self._score_one_inward(x)

    def _learn_one_quickly(self, x: Row, y: Any) -> bool:
        """Learn through the prepared buffers; False, and nothing changed, if x or y needs care."""
        if self._state is None:
            return False
        row = self._one_row or self._open_one_row()
        sign = self._labels.known_sign(y)
        if sign is None:
            return False
        try:
            if not row.fill(x, self._space.columns):
                return False
        except KeyError:
            # A new name is added only when nothing in its row can still be refused.
            if not row.can_hold(x):
                return False
            self._space.add(x)
            self._make_room()
            row.fill(x, self._space.columns)
        return row.learn(self._state, self._kernel_parameters, sign)

    def _score_one_inward(self, x: Row) -> float:
        row = self._one_row or self._open_one_row()
        columns = self._space.columns
        try:
            filled = row.fill(x, columns)
        except KeyError:
            filled = row.fill({name: x[name] for name in x if name in columns}, columns)
        score = row.score(self._state, self._kernel_parameters) if filled else None
        return float(self._scores_inward(as_rows([x]))[0]) if score is None else score

    def _open_one_row(self) -> OneRow:
        self._one_row = OneRow(self._state, self._kernel_parameters)
        return self._one_row

    # ------------------------------------------------------- many rows, as in scikit-learn

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        classes: Sequence[Any] | None = None,
        sample_weight: Any = None,
        *,
        feature_names: Sequence[Hashable] | None = None,
    ) -> Self:
        """Learn rows one after another, each once.

        Parameters
        ----------
        X
            a list of dicts, a sparse matrix, an array, a frame or Rows (see ``braided.as_rows``).
        y
            a label per row; may be left out when X is Rows with labels.
        classes
            the two label values, if they are to be known before both were seen.
        sample_weight
            a factor for the step of each row; a row of weight 0 is left out.
        feature_names
            names for the columns of a sparse matrix or an array.
        """
        self._learn(as_rows(X, y, feature_names=feature_names), sample_weight, classes)
        return self

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        feature_names: Sequence[Hashable] | None = None,
    ) -> Self:
        """Forget everything, then learn each row once, in the order given."""
        rows = as_rows(X, y, feature_names=feature_names)
        self._forget()
        self._learn(rows, sample_weight)
        return self

    def prequential(
        self, X: Any, y: Any = None, *, feature_names: Sequence[Hashable] | None = None
    ) -> Floats:
        """Learn the rows, and return the score that each had just before it was learned."""
        inward = self._learn(as_rows(X, y, feature_names=feature_names))
        return inward * self._labels.outward

    def decision_function(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> Floats:
        """The score of each row: positive on the side of ``classes_[1]``."""
        self._check_fitted()
        rows = as_rows(X, feature_names=feature_names)
        return self._scores_inward(rows) * self._labels.outward

    def predict(self, X: Any, *, feature_names: Sequence[Hashable] | None = None) -> NDArray[Any]:
        """The predicted label of each row."""
        scores = self.decision_function(X, feature_names=feature_names)
        return self._labels.names(scores)

    # -------------------------------------------------------------------- what was learned

    @property
    def classes_(self) -> NDArray[Any]:
        """The label values known so far; a positive score speaks for the second."""
        self._check_fitted()
        return self._labels.classes

    @property
    def n_features_in_(self) -> int:
        """The width of the arrays learned from, or the number of names seen."""
        self._check_fitted()
        return len(self._space) if self._width is None else self._width

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return 0 if self._state is None else int(self._state.rounds[0])

    @property
    def features_seen(self) -> int:
        """How many features were ever observed."""
        return 0 if self._state is None else len(self._space)

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        return 0 if self._state is None else int(np.count_nonzero(self._linear_weights()))

    def weights(self) -> dict[Hashable, float]:
        """The weights that are not zero, by name, the largest magnitude first."""
        if self._state is None:
            return {}
        weights = self._linear_weights()[: len(self._space)] * self._labels.outward
        order = np.argsort(-np.abs(weights), kind="stable")
        names = self._space.names
        return {names[c]: float(weights[c]) for c in order if weights[c] != 0.0}

    @property
    def memory_bytes(self) -> int:
        """Bytes held by the model: its arrays, and the names of its features."""
        if self._state is None:
            return 0
        return sum(array.nbytes for array in arrays(self._state)) + self._space.memory_bytes

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was learned stays."""
        before = self.get_params(deep=False)
        super().set_params(**params)
        try:
            self._check()
        except InputError:
            super().set_params(**before)
            raise
        if self._state is not None:
            self._kernel_parameters = self._parameters()
            self._state = self._adapted(grown(self._state, self._fresh_state(self._capacity)))
        return self

    # ------------------------------------------------------------------------------ inside

    def _learn(
        self, rows: Rows, sample_weight: Any = None, classes: Sequence[Any] | None = None
    ) -> Floats:
        """Learn rows; the (inward) score of each before it was learned."""
        if rows.labels is None:
            raise InputError("rows to learn from need labels: give y")
        y, weights = rows.labels, _as_weights(sample_weight, len(rows))
        if not weights.all():
            rows, y, weights = rows[np.flatnonzero(weights)], y[weights > 0], weights[weights > 0]
        self._check_width(rows)
        space = FeatureSpace() if self._state is None else self._space
        labels = Labels() if self._state is None else self._labels
        labels.check(y, classes)
        if self._state is None:
            self._begin(space, labels)
        if rows.names is None:
            self._width = rows.width
        if classes is not None:
            labels.declare(classes)
        signs = labels.signs(y)
        rows = space.place(rows)
        self._make_room()
        scores = np.empty(len(rows))
        driver.learn_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            signs,
            weights,
            scores,
        )
        return scores

    def _scores_inward(self, rows: Rows) -> Floats:
        self._check_width(rows)
        rows = self._space.place(rows, grow=False)
        scores = np.empty(len(rows))
        driver.score_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            scores,
        )
        return scores

    def _begin(self, space: FeatureSpace, labels: Labels) -> None:
        self._space, self._labels = space, labels
        self._capacity = capacity_for(0)
        self._kernel_parameters = self._parameters()
        self._state = self._fresh_state(self._capacity)

    def _forget(self) -> None:
        self._state = self._one_row = self._width = None

    def _make_room(self) -> None:
        if len(self._space) > self._capacity:
            self._capacity = capacity_for(len(self._space))
            self._state = grown(self._state, self._fresh_state(self._capacity))

    def _check_width(self, rows: Rows) -> None:
        if rows.names is None and self._width not in (None, rows.width):
            raise InputError(
                f"X has {rows.width} features, but {type(self).__name__} is expecting "
                f"{self._width} features as input: columns without names must not change "
                "(give feature_names, dicts or a frame when features come and go)"
            )

    def _check_fitted(self) -> None:
        if self._state is None:
            raise NotFittedError(
                f"This {type(self).__name__} has learned nothing yet: call learn_one, "
                "partial_fit or fit first"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self._state is not None

    def __getstate__(self) -> dict[str, Any]:
        # Buffers and compiled functions are made anew when they are needed.
        return {**super().__getstate__(), "_one_row": None}


def _as_weights(sample_weight: Any, n: int) -> Floats:
    if sample_weight is None:
        return np.ones(n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,):
        raise InputError(f"sample_weight has shape {weights.shape}; expected one for each of {n}")
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if bad.size:
        raise InputError(f"row {bad[0]}: sample_weight {weights[bad[0]]} is not 0 or more")
    return weights
