"""Labels as signs: how the evaluation codes labels while it still learns which labels there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.evaluate.metrics.confusion import ErrorSoFar
from braided.evaluate.result import Result
from braided.learner.learner import Learner
from braided.rows.rows import Rows
from braided.targets import GrowingLabels, Labels, ManyLabels, labelled

__all__ = ["CodedRounds", "LabelSigns", "classes_of", "label_signs_of"]

Floats = NDArray[np.float64]


class LabelSigns:
    """The labels of a stream as signs -1 and +1, and scores of a model that match them.

    In a result the larger of the two labels is positive. Which one that is, is known only after
    the second label was seen, and the model may see it later than the evaluation does. So until the
    stream has ended the first label decides which sign is which; then signs and scores are both
    multiplied by ``orientation``.

    Parameters
    ----------
    labels : Labels
        The labels that the model knows already.
    """

    asked: Mapping[str, Any] = MappingProxyType({})
    """What a model is asked for besides."""

    errors_so_far: type[ErrorSoFar] = ErrorSoFar
    """What counts mistakes for the progress bar."""

    result: type[Result] = Result
    """What the evaluation returns."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def third_row(self, y: NDArray[Any]) -> int | None:
        """Return the row from which on labels are coded in another way; None if there is none."""
        return None

    def widened(self) -> LabelSigns:
        """Return what codes these labels and others."""
        raise NotImplementedError

    def recoded(self, signs: Floats, scores: Floats) -> tuple[Floats, Floats]:
        """Return signs and scores as ``widened`` has them."""
        raise NotImplementedError

    def signs(self, y: NDArray[Any], first: int) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the sign of each label, NaN where there is none, and where there is a label.

        Parameters
        ----------
        y : ndarray
            The labels of some rounds.
        first : int
            The number of the first of these rounds: the error of a third label names its round.

        Returns
        -------
        tuple of ndarray
            The signs, and whether each round has a label.
        """
        known = labelled(y)
        if known.all():
            self._labels.check(y, numbers=range(first, first + y.size))
            return self._labels.signs(y), known
        rounds = np.flatnonzero(known)
        self._labels.check(y[rounds], numbers=first + rounds)
        signs = np.full(y.size, np.nan)
        signs[rounds] = self._labels.signs(y[rounds])
        return signs, known

    def matching_scores(self, model: Learner, scores: Floats) -> Floats:
        """Return scores whose signs mean the same labels as ``signs``.

        Parameters
        ----------
        model : Learner
            The model, as it was when it gave the scores.
        scores : ndarray
            The scores, positive for the larger of the labels that the model knows.

        Returns
        -------
        ndarray
            The scores, positive for the label of sign +1.
        """
        classes = classes_of(model)
        sign = self._labels.code_of(classes[1]) if len(classes) == 2 else 1.0
        return scores if sign == 1.0 else -scores

    def log_odds(self, model: Learner) -> bool:
        """Return whether the scores that are kept are log odds."""
        return getattr(model, "scores_are_log_odds", False)

    @property
    def orientation(self) -> float:
        """The factor, 1 or -1, that makes the larger of the two labels the positive one."""
        return self._labels.orientation

    @property
    def classes(self) -> tuple[Any, ...]:
        """The label of sign -1 and that of sign +1 in a result; None for one never seen."""
        known = {sign * self.orientation: value for value, sign in self._labels.codes.items()}
        return known.get(-1.0), known.get(1.0)


class CodedRounds:
    """The labels and scores of an evaluation, coded; at a third label all of them are coded anew.

    Parameters
    ----------
    model : Learner
        The model that is evaluated.
    """

    def __init__(self, model: Learner) -> None:
        self.coding = label_signs_of(model)
        self.signs: list[Floats] = []
        self.scores: list[Floats] = []
        self.errors_so_far = self.coding.errors_so_far()

    def pieces(self, blocks: Iterable[Rows]) -> Iterator[Rows]:
        """Return the blocks, cut where the third label appears: so their size does not matter."""
        for rows in blocks:
            if rows.labels is None:
                raise InputError("rows to be evaluated need labels (None where one is not known)")
            third = self.coding.third_row(rows.labels)
            if third is None:
                yield rows
                continue
            if third:
                yield rows[:third]
            self._widen()
            yield rows[third:]

    def _widen(self) -> None:
        before, self.coding = self.coding, self.coding.widened()
        empty = np.empty(0)
        self.signs = [before.recoded(signs, empty)[0] for signs in self.signs]
        self.scores = [before.recoded(empty, scores)[1] for scores in self.scores]
        counted = self.errors_so_far
        self.errors_so_far = self.coding.errors_so_far()
        self.errors_so_far.go_on_from(counted)


def label_signs_of(model: Learner) -> LabelSigns:
    """Return what codes the labels for this model: as signs, or as numbers of many classes."""
    if not getattr(model, "many_classes", False):
        return LabelSigns(_known_to(model, Labels()))
    from braided.evaluate.many_classes import ClassNumbers, GrowingSigns  # most do without

    now = model.new_labels() if model.engine is None else model.engine.labels
    if now.many:
        return ClassNumbers(_known_to(model, ManyLabels()))
    return GrowingSigns(_known_to(model, GrowingLabels()))


def _known_to(model: Learner, labels: Labels) -> Labels:
    labels.declare(classes_of(model))
    return labels


def classes_of(model: Learner) -> Sequence[Any]:
    """Return the labels that a model knows; none if it has learned nothing.

    To ask such a model for ``classes_`` would load scikit-learn, for the error that it raises.
    """
    return list(model.classes_) if model.__sklearn_is_fitted__() else []
