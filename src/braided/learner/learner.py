"""Learner: the public class of all learners.

This is the file to read first. A learner has parameters (the arguments of its ``__init__``) and,
once something was learned, an engine (``engine.py``), which holds everything else. What a family of
learners adds is listed in ``algorithm.py``.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.algorithm import Algorithm
from braided.learner.engine import Engine
from braided.learner.estimator import Estimator, clone
from braided.learner.state import capacity_for
from braided.learner.widening import WideningEngine
from braided.parameters import check_choice
from braided.records.schema import Schema
from braided.rows import Rows
from braided.targets import GrowingLabels, Labels

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Learner"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]


class _IfProbabilities:
    """A method that only learners with ``has_probabilities`` have.

    Others do not have it at all, so that scikit-learn does not call it.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self.__wrapped__ = method
        self.__doc__ = method.__doc__

    def __get__(self, model: Any, owner: type | None = None) -> Callable[..., Any]:
        method = self.__wrapped__
        if model is None:
            return method
        if not model.has_probabilities:
            raise AttributeError(
                f"{type(model).__name__} has no {method.__name__}: its scores are no log odds; "
                "braided.Calibrated around it has"
            )
        return MethodType(method, model)


class Learner(Estimator, Algorithm):
    """A classifier for rows whose features come and go.

    It learns one row at a time as in river (``learn_one``, ``predict_one``), many rows as in
    scikit-learn (``partial_fit``, ``fit``, ``predict``, ``decision_function``), or predicts and
    learns in one pass (``prequential``).

    Several threads may predict with one model at the same time. While one learns, no other may use
    the model.

    Examples
    --------
    >>> from braided import OLSF, load
    >>> model = OLSF()
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1}), model.features_seen, model.rounds
    ('spam', 3, 2)
    >>> model.weights()
    {'cheap': 0.1, 'lunch': -0.1}
    """

    _engine: Engine | None = None  # None until something was learned
    _schema: Schema | None = None  # as it was declared
    _counts_features: bool = False
    engine_class: type[Engine] = Engine

    any_labels: bool = False
    """Whether it learns more than two labels: a third one widens the model to a learner for each
    label against the rest, as ``OneVsRest`` has. If not, a third label is refused."""

    # --------------------------------------------------------------------- one row at a time

    def learn_one(self, x: Row, y: Any) -> None:
        """Learn one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name: numbers, and whatever else a field can hold
            (``braided.Schema``). A missing key, None and NaN are unobserved.
        y : Any
            The label.
        """
        if self._engine is None:
            with self._learning() as engine:
                engine.learn_one(x, y)
        else:
            self._engine.learn_one(x, y)

    def predict_one(self, x: Row) -> Any:
        """Predict the label of one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        Any
            The predicted label; None before anything was learned.
        """
        return None if self._engine is None else self._engine.predict_one(x)

    def score_one(self, x: Row) -> Any:
        """Score one row.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        float
            Positive for ``classes_[1]``, negative for ``classes_[0]``; 0 before anything was
            learned. With more than two labels, a dict from label to score instead.
        """
        if self._engine is None:
            return self.new_labels().oriented_one(0.0)
        return self._engine.score_one(x)

    @_IfProbabilities
    def predict_proba_one(self, x: Row) -> dict[Any, float]:
        """Predict the probability of each label for one row.

        Only learners with ``has_probabilities`` have this method; ``braided.Calibrated`` adds it
        to any other.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The probability of each label known so far; empty before anything was learned.

        Examples
        --------
        >>> from braided import OCO
        >>> model = OCO()
        >>> for _ in range(20):
        ...     model.learn_one({"cheap": 1}, "spam")
        ...     model.learn_one({"lunch": 1}, "mail")
        >>> chances = model.predict_proba_one({"lunch": 1})
        >>> chances["mail"] > 0.7
        True
        """
        return {} if self._engine is None else self._engine.predict_proba_one(x)

    # ------------------------------------------------------------------------ many rows

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        classes: Sequence[Any] | None = None,
        sample_weight: Any = None,
        *,
        feature_names: Sequence[Hashable] | None = None,
    ) -> Self:
        """Learn rows in their order, each once; what was learned before stays.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like, optional
            A label for each row; may be left out when X is Rows with labels.
        classes : sequence, optional
            The label values, if they are known before all of them were seen.
        sample_weight : array-like of float from 0 to 1e9, optional
            A factor for the step of each row; a row of weight 0 is left out.
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.

        Returns
        -------
        Self
            The model itself.
        """
        with self._learning() as engine:
            engine.learn(engine.rows_of(X, y, feature_names), sample_weight, classes)
        return self

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        feature_names: Sequence[Hashable] | None = None,
        shuffle: bool = False,
    ) -> Self:
        """Forget what was learned, then learn rows in their order, each once.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like, optional
            A label for each row; may be left out when X is Rows with labels.
        sample_weight : array-like of float from 0 to 1e9, optional
            A factor for the step of each row; a row of weight 0 is left out.
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.
        shuffle : bool, default False
            Whether to learn the rows in a random order, by the learner's ``seed`` (0 if it has
            none). It helps if rows are sorted by class. Only ``fit`` can shuffle: whatever else
            learns takes rows as they come.

        Returns
        -------
        Self
            The model itself. If the rows are refused it is as it was before.
        """
        check_choice("shuffle", shuffle, (True, False))
        engine = self.new_engine()
        rows = engine.rows_of(X, y, feature_names)
        if len(rows) == 0:
            raise InputError("fit needs at least one row (partial_fit does not)")
        if rows.names is None and rows.width == 0:
            shape = (len(rows), 0)
            raise InputError(f"0 feature(s) (shape={shape}) while a minimum of 1 is required.")
        order = None
        if shuffle:
            order = np.random.default_rng(getattr(self, "seed", 0)).permutation(len(rows))
        engine.learn(rows, sample_weight, order=order)
        if engine.rounds == 0:
            raise InputError(
                "every sample weight is zero, or no row has a label: there is nothing to learn"
            )
        self._engine = engine
        return self

    def prequential(
        self,
        X: Any,
        y: Any = None,
        *,
        feature_names: Sequence[Hashable] | None = None,
        by_class: bool = False,
    ) -> Floats:
        """Score each row, then learn it.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        y : array-like, optional
            A label for each row; may be left out when X is Rows with labels.
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.
        by_class : bool, default False
            Whether there is a column for each of ``classes_`` even if there are two.

        Returns
        -------
        ndarray of float
            The score that each row had just before it was learned. With more than two labels, a
            column for each of ``classes_``, and minus infinity where a label was not known yet.
        """
        with self._learning() as engine:
            return engine.learn(engine.rows_of(X, y, feature_names), by_class=by_class)

    def interleaved(
        self, X: Any, learned: Rows, due: NDArray[np.int64], *, by_class: bool = False
    ) -> Floats:
        """Score rows, and learn other rows in between: for delayed or missing labels.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows to score. Features that were not learned until then are left out.
        learned : Rows
            The rows to learn, with labels.
        due : ndarray of int
            After row t of X was scored, the first ``due[t]`` rows of ``learned`` have been learned.
        by_class : bool, default False
            Whether there is a column for each of ``classes_`` even if there are two.

        Returns
        -------
        ndarray of float
            The score of each row of X, as ``prequential`` returns it.

        Examples
        --------
        >>> from braided import OCO, as_rows
        >>> rows = as_rows([{"a": 1.0}, {"a": 1.0}, {"a": 1.0}], ["yes", "no", "yes"])
        >>> OCO().interleaved(rows, rows[:2], np.array([0, 1, 2])).tolist()  # one row late
        [0.0, 0.0, 0.5]
        """
        due = np.ascontiguousarray(due, np.int64)
        with self._learning() as engine:
            scored, taught = engine.rows_of(X), engine.rows_of(learned)
            return engine.interleave(scored, taught, due, by_class=by_class)

    def decision_function(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> Floats:
        """Score rows.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.

        Returns
        -------
        ndarray of float
            The score of each row: positive for ``classes_[1]``, negative for ``classes_[0]``. With
            more than two labels, a column for each of ``classes_``.
        """
        engine = self._fitted()
        return engine.score(engine.rows_of(X, feature_names=feature_names))

    def predict(self, X: Any, *, feature_names: Sequence[Hashable] | None = None) -> NDArray[Any]:
        """Predict the label of each row.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.

        Returns
        -------
        ndarray
            The predicted labels.
        """
        scores = self.decision_function(X, feature_names=feature_names)
        return self._fitted().labels.names(scores)

    @_IfProbabilities
    def predict_proba(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> NDArray[np.float64]:
        """Predict the probability of each label.

        Only learners with ``has_probabilities`` have this method; ``braided.Calibrated`` adds it
        to any other.

        Parameters
        ----------
        X : list of dict, sparse matrix, array, frame or Rows
            The rows (see ``braided.as_rows``).
        feature_names : sequence, optional
            Names for the columns of a sparse matrix or an array.

        Returns
        -------
        ndarray of float
            A row for each row of X, a column for each of ``classes_``.
        """
        engine = self._fitted()
        return engine.predict_proba(engine.rows_of(X, feature_names=feature_names))

    # -------------------------------------------------------------------- what was learned

    def explain(self, x: Row) -> dict[Hashable, Any]:
        """Explain the score of a row: the effect of each feature on it.

        The effect of a feature is the score of the row minus its score without the feature: for a
        linear learner its weight times its value, scaled where values are scaled.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The effect of each feature, the largest magnitude first. A positive effect is for
            ``classes_[1]``. Features that were never learned are left out. With more than two
            labels, such a dict for each label. Empty before anything was learned.

        Examples
        --------
        >>> from braided import OLSF
        >>> model = OLSF()
        >>> for x, y in [({"cheap": 1}, "spam"), ({"lunch": 2}, "mail")]:
        ...     model.learn_one(x, y)
        >>> effects = model.explain({"cheap": 1, "lunch": 3, "new": 1})
        >>> {name: round(effect, 9) for name, effect in effects.items()}
        {'lunch': -0.6, 'cheap': 0.1}
        """
        return {} if self._engine is None else self._engine.explain(x)

    @property
    def many_classes(self) -> bool:
        """Whether it can learn more than two labels."""
        return self.any_labels

    @property
    def weights_by_class(self) -> bool:
        """Whether ``weights`` returns those of each label or pair of labels."""
        return self._engine is not None and self._engine.labels.many

    @property
    def classes_(self) -> NDArray[Any]:
        """The label values known so far; a positive score is for the second."""
        return self._fitted().labels.classes

    @property
    def n_features_in_(self) -> int:
        """The width of the arrays learned from, or the number of names seen."""
        width = self._fitted().width
        return self.features_seen if width is None else width

    @property
    def schema(self) -> Schema:
        """Which kind each field of a record has: declared, or decided when it was first seen.

        It can be set as long as nothing was learned.
        """
        if self._engine is not None:
            return self._engine.schema
        if self._schema is None:
            self._schema = Schema()
        return self._schema

    @schema.setter
    def schema(self, schema: Schema) -> None:
        if not isinstance(schema, Schema):
            raise InputError(f"a schema is made by braided.Schema(...), not {schema!r}")
        if self._engine is not None and not self._engine.learned_nothing:
            raise InputError(
                "this model has learned already: a schema is declared before the first row"
            )
        self._schema, self._engine = schema, None

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return 0 if self._engine is None else self._engine.rounds

    @property
    def features_seen(self) -> int:
        """How many features were ever observed."""
        return 0 if self._engine is None else len(self._engine.space)

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        return 0 if self._engine is None else self._engine.features_kept

    @property
    def memory_bytes(self) -> int:
        """Bytes held by the model: its arrays, and the names of its features."""
        return 0 if self._engine is None else self._engine.memory_bytes

    def weights(self) -> dict[Hashable, Any]:
        """Return the weights that are not zero.

        Returns
        -------
        dict
            The weight of each feature by name, the largest magnitude first. A positive weight is
            for ``classes_[1]``. With more than two labels, such a dict for each label or pair of
            labels.
        """
        return {} if self._engine is None else self._engine.weights()

    # ------------------------------------------------------------------ parameters, files

    def allow_any_labels(self) -> Self:
        """Learn a third label by one learner for each label, where it would be refused else.

        With two labels nothing changes. At the third label the model goes on as that of one label
        against the rest and, turned, as that of the other; the third begins as in ``OneVsRest``.
        ``Braid`` does so without being asked. Copies of the learner do so as well; a model file
        with two labels does not say that it was allowed.

        Returns
        -------
        Self
            The model itself.

        Examples
        --------
        >>> from braided import OLSF
        >>> model = OLSF().allow_any_labels()
        >>> for x, y in [({"barks": 1}, "dog"), ({"meows": 1}, "cat"), ({"swims": 1}, "fish")]:
        ...     model.learn_one(x, y)
        >>> model.predict_one({"swims": 1}), model.score_one({"swims": 1})
        ('fish', {'cat': -0.1, 'dog': -0.1, 'fish': 0.1})
        """
        if self.many_classes or self.engine_class is not Engine:
            return self
        self.any_labels = True
        before = self._engine
        if before is not None:
            labels = GrowingLabels.of(before.labels.values)
            engine = self.new_engine(space=before.space, labels=labels, capacity=before.capacity)
            engine.state, engine.width = before.state, before.width
            engine.counts = before.counts
            self._engine = engine
        return self

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was learned stays.

        A parameter that is assigned as an attribute is used from the next ``set_params`` or ``fit``
        on. As in scikit-learn, values are checked when they are first used: by the first row, or
        here if something was learned already.

        Parameters
        ----------
        **params : Any
            New values by name; those of a learner inside as ``learner__name``.

        Returns
        -------
        Self
            The model itself. If a value is refused it is as it was before.
        """
        before = self.get_params()  # those of a learner inside as well
        try:
            super().set_params(**params)
            if self._engine is not None:
                self.check_parameters()
                self._engine.change_parameters(clone(self))
        except ValueError:  # InputError, or scikit-learn's for a name that is no parameter
            super().set_params(**before)
            raise
        return self

    def count_features(self) -> Self:
        """Count from now on in how many rows each feature is observed, for ``merge``.

        Then a merged weight counts a model by the rows in which it saw the feature. It costs a
        little time for each value and eight bytes for each feature. ``Braid`` knows its counts
        without being asked.

        Returns
        -------
        Self
            The model itself.

        Examples
        --------
        >>> from braided import OLSF
        >>> model = OLSF().count_features().partial_fit([{"a": 1}, {"a": 1, "b": 2}], [0, 1])
        >>> model.engine.feature_counts()
        array([2, 1])
        """
        self._counts_features = True
        if self._engine is not None and self._engine.counts is None:
            self._engine.counts = np.zeros(0, np.int64)
        return self

    def merge(self, *others: Learner, since: Learner | None = None) -> Self:
        """Make one model of several that learned different rows.

        Feature names, their order and the order of labels may differ. All models stay as they are.
        ``docs/model_files.md`` says what is added up and what becomes a mean, by family; families
        that keep what has no mean can not be merged.

        Parameters
        ----------
        *others : Learner
            Models of the same class.
        since : Learner, optional
            The model that all of them went on from. What it has learned then counts once; without
            it they must have begun with nothing.

        Returns
        -------
        Self
            A new model with what all of them learned. Its parameters are those of this model, and
            its budget is applied at the end.

        Raises
        ------
        InputError
            If the models can not be merged.

        Examples
        --------
        >>> from braided import OLSF
        >>> here = OLSF().partial_fit([{"cheap": 1}, {"lunch": 2}], ["spam", "mail"])
        >>> there = OLSF().partial_fit([{"lunch": 3}, {"now": 1}], ["mail", "spam"])
        >>> here.merge(there).weights()
        {'lunch': -0.25, 'cheap': 0.1, 'now': 0.1}
        """
        from braided.learner.merging import merged

        both: Self = merged(self, others, since)
        return both

    def to_bytes(self) -> bytes:
        """Return what ``save`` writes; ``braided.from_bytes`` makes a model of it.

        Returns
        -------
        bytes
            The contents of a model file.

        Examples
        --------
        >>> import braided
        >>> model = braided.OLSF().partial_fit([{"cheap": 1}, {"lunch": 1}], ["spam", "mail"])
        >>> braided.from_bytes(model.to_bytes()).weights() == model.weights()
        True
        """
        from braided.model_files.save_load import to_bytes

        return to_bytes(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, completely or not at all; ``braided.load`` reads it.

        The same model gives the same bytes. Feature names and labels may be text, numbers, bytes
        and tuples of these.

        Parameters
        ----------
        path : str or path
            The file, as in ``"m.braided"``.
        """
        from braided.model_files.save_load import save

        save(self, path)

    # ------------------------------------------------------ for code that builds on learners

    @property
    def engine(self) -> Engine | None:
        """The engine, which holds what was learned; None before anything was learned."""
        return self._engine

    @engine.setter
    def engine(self, engine: Engine | None) -> None:
        self._engine = engine

    def new_labels(self) -> Labels:
        """Return the coding of labels before the first row.

        Returns
        -------
        Labels
            Without labels: for two of them, or for any number.
        """
        return GrowingLabels() if self.any_labels else super().new_labels()

    def new_engine(
        self,
        *,
        space: FeatureSpace | None = None,
        labels: Labels | None = None,
        capacity: int = capacity_for(0),
    ) -> Engine:
        """Make an engine with the present parameters that has learned nothing.

        Parameters
        ----------
        space : FeatureSpace, optional
            The feature names at the beginning.
        labels : Labels, optional
            The labels at the beginning.
        capacity : int, optional
            How many features there is room for.

        Returns
        -------
        Engine
            A new engine.
        """
        engine = WideningEngine if self.any_labels else self.engine_class
        schema = None if self._schema is None else self._schema.copy()
        new = engine(clone(self), space=space, labels=labels, capacity=capacity, schema=schema)
        new.counts = np.zeros(0, np.int64) if self._counts_features else None
        return new

    @contextmanager
    def _learning(self) -> Iterator[Engine]:
        """The engine; if there is none a new one, which is kept if it has learned anything."""
        engine = self._engine or self.new_engine()
        try:
            yield engine
        finally:  # also when a later row is refused, or the user interrupts
            if len(engine.labels) or not engine.learned_nothing:
                self._engine = engine

    def _fitted(self) -> Engine:
        if self._engine is not None and len(self._engine.labels):
            return self._engine
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(
            f"This {type(self).__name__} has learned nothing yet: call learn_one, "
            "partial_fit or fit first"
        )

    def __sklearn_is_fitted__(self) -> bool:
        return self._engine is not None and len(self._engine.labels) > 0

    def __sklearn_clone__(self) -> Self:
        copied = super().__sklearn_clone__()
        copied._schema = self._schema  # noqa: SLF001 - of this class
        copied._counts_features = self._counts_features  # noqa: SLF001
        return copied

    def __copy__(self) -> Self:
        # A copy that shared names and arrays would not notice when the other makes room.
        return copy.deepcopy(self)
