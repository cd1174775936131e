"""Learner: the one interface of all learners, over the compiled driver."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError

from braided import driver
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.inputs import as_rows
from braided.labels import Labels
from braided.one_row import OneRow
from braided.rows import Rows
from braided.state import arrays, capacity_for, grown, writeable

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Learner"]

HEAVIEST = 1e9
"""The largest sample weight, so that no kernel's arithmetic comes near overflow."""

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
    - ``_most_features``, if there is a limit to the features that it can learn from;
    - ``_keeps_pairs = True``, if its memory grows with the square of the features it keeps;

    and registers its two kernels for the class of its state with ``driver.register``.

    Threads may predict with one model side by side; while one learns, no other may use it.
    """

    _keeps_pairs = False
    """Whether something is kept for each pair of features: then it is not meant for many."""

    # Set by the first learning, not by __init__: there scikit-learn wants parameters alone.
    _space: FeatureSpace
    _labels: Labels
    _state: Any = None
    _kernel_parameters: Any = None
    _in_force: Learner
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

    def _adapted(self, state: Any) -> Any:
        return state

    @property
    def _most_features(self) -> int | None:
        return None

    # ---------------------------------------------------------------- one row, as in river

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row, a dict from name to value, and its label."""
        if self._learn_one_quickly(x, y):
            return
        observed = _observed(x)
        if observed is None or not self._learn_one_quickly(observed, y):
            self._learn(as_rows([_as_dict(x)], [y]))

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
        if self._state is None or not isinstance(x, dict):
            return False
        sign = self._labels.known_sign(y)
        if sign is None:
            return False
        # Buffers are taken and given back, so that no two threads write to the same.
        row = self._one_rows.pop() if self._one_rows else self._new_one_row()
        try:
            filled = row.fill(x, self._space.columns)
        except KeyError:
            filled = self._fill_new_names(row, x)
        learned = filled and row.learn(self._state, self._kernel_parameters, sign)
        self._one_rows.append(row)
        return learned

    def _fill_new_names(self, row: OneRow, x: Row) -> bool:
        # A new name is added only when nothing in its row can still be refused, and when there is
        # room for it.
        if self._most_features is not None or not row.can_hold(x):
            return False
        columns = self._space.columns
        self._make_room(sum(name not in columns for name in x))
        self._space.add(x)
        return row.fill(x, columns)

    def _score_one_inward(self, x: Row) -> float:
        score = self._score_one_quickly(x)
        if score is None:
            observed = _observed(x)
            score = None if observed is None else self._score_one_quickly(observed)
        return float(self._scores_inward(as_rows([_as_dict(x)]))[0]) if score is None else score

    def _score_one_quickly(self, x: Row) -> float | None:
        """The score through the prepared buffers; None if x needs care."""
        if not isinstance(x, dict):
            return None
        try:
            row = self._one_rows.pop()
        except IndexError:
            row = self._new_one_row()
        columns = self._space.columns
        try:
            filled = row.fill(x, columns)
        except KeyError:
            # What is unknown is left out, but bad values are refused wherever they are.
            known = {name: value for name, value in x.items() if name in columns}
            filled = row.can_hold(x) and row.fill(known, columns)
        score = row.score(self._state, self._kernel_parameters) if filled else None
        self._one_rows.append(row)
        return score

    def _new_one_row(self) -> OneRow:
        return OneRow(self._state, self._kernel_parameters)

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
        if len(rows) == 0:
            raise InputError("fit needs at least one row; partial_fit takes none as well")
        if rows.names is None and rows.width == 0:
            shape = (len(rows), 0)
            raise InputError(f"0 feature(s) (shape={shape}) while a minimum of 1 is required.")
        before = self.__dict__.copy()
        self._forget()
        try:
            self._learn(rows, sample_weight)
            if self.rounds == 0:
                raise InputError("every sample weight is zero: there is nothing to learn")
        except BaseException:  # refused or interrupted: nothing is forgotten
            self.__dict__ = before
            raise
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
        """Change parameters; what was learned stays.

        A parameter that is assigned as an attribute comes into force here or in ``fit``.
        """
        before = self.get_params(deep=False)
        try:
            super().set_params(**params)
            self._check()
        except ValueError:  # InputError, or scikit-learn's for a name that is no parameter
            super().set_params(**before)
            raise
        if self._state is not None:
            self._settle_parameters()
            self._state = self._adapted(grown(self._state, self._fresh_state(self._capacity)))
        return self

    # ------------------------------------------------------------------------------ inside

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
        self._check_width(rows)
        space = FeatureSpace() if self._state is None else self._space
        labels = Labels() if self._state is None else self._labels
        labels.check(y, classes, learned)
        self._check_size(space, rows)
        if self._state is None:
            self._begin(space, labels)
        if rows.names is None:
            self._width = rows.width
        if classes is not None:
            labels.declare(classes)
        signs = labels.signs(y)
        try:
            rows = space.place(rows)
        finally:  # also when interrupted: what has a column has room
            self._make_room()
        scores = np.empty(len(rows))
        done = driver.learn_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            signs,
            weights,
            scores,
        )
        _refuse_changed(rows, done)
        return scores

    def _scores_inward(self, rows: Rows) -> Floats:
        self._check_width(rows)
        rows = self._space.place(rows, grow=False)
        scores = np.empty(len(rows))
        done = driver.score_rows(
            self._state,
            self._kernel_parameters,
            rows.indptr,
            rows.indices,
            rows.values,
            scores,
        )
        _refuse_changed(rows, done)
        return scores

    def _begin(self, space: FeatureSpace, labels: Labels) -> None:
        self._check()
        self._settle_parameters()
        self._space, self._labels = space, labels
        self._capacity = capacity_for(0)
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

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} has learned nothing yet: call learn_one, "
                "partial_fit or fit first"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self._state is not None and len(self._labels) > 0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.classifier_tags.multi_class = False
        return tags

    def __copy__(self) -> Self:
        # A copy that shared names and arrays would not notice when the other makes room.
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        # Buffers and compiled functions are made anew when they are needed.
        return {**super().__getstate__(), "_one_rows": []}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if self._state is not None:  # whose arrays Joblib may have mapped from a file, read-only
            self._state = writeable(self._state)


def _as_dict(x: object) -> Row:
    if not isinstance(x, Mapping):
        raise InputError(f"one row is a dict from name to value, not {x!r}")
    return x


def _observed(x: Row) -> Row | None:
    """x without None and NaN; None if it has none of them, or is no dict of numbers at all."""
    try:
        observed = {name: v for name, v in x.items() if v is not None and v == v}
        return observed if len(observed) < len(x) else None
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        return None


def _refuse_changed(rows: Rows, done: int) -> None:
    """Rows share their arrays with whoever gave them, who may have written to them since."""
    if done < len(rows):
        raise InputError(f"row {done}: a value is no longer allowed since the rows were checked")


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
