"""Learner: the one interface of all learners."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.learner.merging import merged
from braided.learner.probabilities import Probabilities
from braided.learner.state import arrays
from braided.model_files.model import save
from braided.rows.convert import as_rows
from braided.rows.rows import Rows

if TYPE_CHECKING:
    from typing_extensions import Self

    from braided.learner.of_classes import LearnerOfClasses

__all__ = ["Learner"]

Floats = NDArray[np.float64]


class Learner(Probabilities):
    """Learns to tell two labels apart, from rows whose features come and go.

    One row at a time as in river (``learn_one``, ``predict_one``), many as in scikit-learn
    (``partial_fit``, ``fit``, ``predict``, ``decision_function``), or both in one pass
    (``prequential``). What a subclass must provide is said in ``Core``.

    Threads may predict with one model side by side; while one learns, no other may use it.
    """

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
                raise InputError(
                    "every sample weight is zero, or no row has a label: there is nothing to learn"
                )
        except BaseException:  # refused or interrupted: nothing is forgotten
            self.__dict__ = before
            raise
        return self

    def prequential(
        self, X: Any, y: Any = None, *, feature_names: Sequence[Hashable] | None = None
    ) -> Floats:
        """Learn the rows, and return the score that each had just before it was learned."""
        inward = self._learn(as_rows(X, y, feature_names=feature_names))
        return self._labels.turned(inward)

    def interleaved(self, X: Any, learned: Rows, due: NDArray[np.int64]) -> Floats:
        """Score the rows of X, and learn others in between: for labels that come late or never.

        After row t of X was scored, the first ``due[t]`` of the rows ``learned`` have been learned.
        Features of X that were not learned until then are left out, as in ``decision_function``.

        Examples
        --------
        >>> from braided import OCO, as_rows
        >>> rows = as_rows([{"a": 1.0}, {"a": 1.0}, {"a": 1.0}], ["yes", "no", "yes"])
        >>> OCO().interleaved(rows, rows[:2], np.array([0, 1, 2])).tolist()  # one row late
        [0.0, 0.0, 0.5]
        """
        due = np.ascontiguousarray(due, np.int64)
        inward = self._interleave(as_rows(X), as_rows(learned), due)
        return self._labels.turned(inward)

    def decision_function(
        self, X: Any, *, feature_names: Sequence[Hashable] | None = None
    ) -> Floats:
        """The score of each row: positive on the side of ``classes_[1]``."""
        self._check_fitted()
        rows = as_rows(X, feature_names=feature_names)
        return self._labels.turned(self._scores_inward(rows))

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
        return self.features_seen if self._width is None else self._width

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
        return 0 if self._state is None else self._count_kept()

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
        return self._state_bytes + self._space.memory_bytes

    @property
    def _state_bytes(self) -> int:
        return sum(array.nbytes for array in arrays(self._state))

    def merge(self, other: Learner) -> Self:
        """A new model with the mean of both models' weights, by the rounds that each has seen.

        Names, their order and the order of labels may differ; the parameters are those of this
        model, whose budget is applied to the mean. Both models stay as they are. What is exact in
        which family is told in ``docs/files.md``; those that keep more than weights refuse.

        Examples
        --------
        >>> from braided import OLSF
        >>> here = OLSF().partial_fit([{"cheap": 1}, {"lunch": 2}], ["spam", "mail"])
        >>> there = OLSF().partial_fit([{"lunch": 3}, {"now": 1}], ["mail", "spam"])
        >>> here.merge(there).weights()
        {'lunch': -0.25, 'cheap': 0.05, 'now': 0.05}
        """
        both: Self = merged(self, other)
        return both

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, at once or not at all; ``braided.load`` reads it.

        The same model makes the same bytes. Names and labels may be text, numbers, bytes and tuples
        of these.
        """
        save(self, path)

    def _of_classes(self) -> LearnerOfClasses | None:
        """A learner that does the work of one of these for each class, but shares what it can."""
        return None

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(
                f"This {type(self).__name__} has learned nothing yet: call learn_one, "
                "partial_fit or fit first"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self._state is not None and len(self._labels) > 0
