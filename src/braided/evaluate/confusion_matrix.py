"""ConfusionMatrix: how often each label was predicted as which, and the metrics of each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.evaluate.metrics.confusion import ratio

__all__ = ["ConfusionMatrix"]

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """How often each label was predicted as which.

    Parameters
    ----------
    classes : tuple
        The labels.
    counts : ndarray of int
        ``counts[i, j]`` is the number of rounds with label i that were predicted as label j. The
        last column counts the rounds for which no label was predicted.

    Examples
    --------
    >>> matrix = ConfusionMatrix(("mail", "spam"), np.array([[8, 2, 0], [1, 3, 1]]))
    >>> matrix.recall.tolist(), matrix.precision.round(3).tolist()
    ([0.8, 0.6], [0.889, 0.6])
    """

    classes: tuple[Any, ...]
    counts: Counts

    @classmethod
    def of(cls, classes: tuple[Any, ...], labels: Counts, predicted: Counts) -> ConfusionMatrix:
        """Count rounds by the numbers of their labels.

        Parameters
        ----------
        classes : tuple
            The labels by number.
        labels : ndarray of int
            The number of the label of each round.
        predicted : ndarray of int
            The number of the predicted label; the number of labels where none was predicted.

        Returns
        -------
        ConfusionMatrix
            The counts, with labels in sorted order, if they can be compared.
        """
        size = len(classes)
        counts = np.bincount(labels * (size + 1) + predicted, minlength=size * (size + 1))
        counts = counts.reshape(size, size + 1)
        try:
            order = sorted(range(size), key=classes.__getitem__)
        except TypeError:
            order = list(range(size))
        return cls(tuple(classes[i] for i in order), counts[np.ix_(order, [*order, size])])

    @property
    def rounds(self) -> Counts:
        """The number of rounds with each label."""
        rounds: Counts = self.counts.sum(axis=1)
        return rounds

    @property
    def predicted(self) -> Counts:
        """How often each label was predicted."""
        predicted: Counts = self.counts[:, :-1].sum(axis=0)
        return predicted

    @property
    def recall(self) -> Floats:
        """The share of the rounds with each label that were predicted right; NaN without any."""
        recall: Floats = ratio(self.counts.diagonal(), self.rounds)
        return recall

    @property
    def precision(self) -> Floats:
        """The share of the predictions of each label that were right; NaN without any."""
        precision: Floats = ratio(self.counts.diagonal(), self.predicted)
        return precision

    @property
    def f1(self) -> Floats:
        """The harmonic mean of precision and recall of each label; NaN if it never occurred."""
        f1: Floats = ratio(2 * self.counts.diagonal(), self.rounds + self.predicted)
        return f1
