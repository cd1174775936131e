"""OneVsOne: many classes, by a learner for each pair of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.compose.composite import Floats
from braided.compose.many_classes import ManyClasses, ManyClassesEngine, unknown
from braided.learner.single_row import SingleRow
from braided.rows.rows import Rows

__all__ = ["OneVsOne"]


class OneVsOneEngine(ManyClassesEngine):
    """An engine for each pair of classes."""

    def _learn_labelled(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        since = dict.fromkeys(self._known, -1) | self._arrivals(signs)
        known = sorted(since)
        for second in known:
            for first in known[: known.index(second)]:
                if (first, second) not in self._models:
                    self._models[first, second] = self._new_model()
        margins = {}
        for (first, second), model in self._models.items():
            begin = max(0, since[first], since[second])
            own = np.flatnonzero((signs[begin:] == first) | (signs[begin:] == second)) + begin
            due = np.searchsorted(own, np.arange(begin, len(rows)), side="right")
            margin = np.full(len(rows), np.nan)
            margin[begin:] = model.interleave_placed(
                rows[begin:],
                rows[own],
                np.where(signs[own] == second, 1.0, -1.0),
                weights[own],
                due,
            )
            if max(since[first], since[second]) >= 0:
                margin[begin] = np.nan  # the pair was not known before this row
            margins[first, second] = margin
        self.state.rounds[0] += len(rows)
        scores = unknown(len(rows), len(self.labels))
        for number, begin in since.items():
            scores[begin + 1 :, number] = 0.0
        return _decided(scores, margins)

    def score_placed(self, rows: Rows) -> Floats:
        """Scores with a column for each class, in the order of their numbers."""
        return self._decided(
            len(rows), {pair: model.score_placed(rows) for pair, model in self._models.items()}
        )

    def _learn_labelled_row(self, row: SingleRow, sign: float) -> bool:
        for (first, second), model in self._models.items():
            if sign in (first, second) and not model.learn_row(
                row, 1.0 if second == sign else -1.0
            ):
                return False  # the first has seen it: nothing is learned
        self.state.rounds[0] += 1
        return True

    def score_row(self, row: SingleRow) -> Any:
        """The scores of what is in the buffers."""
        margins = {}
        for pair, model in self._models.items():
            margin = model.score_row(row)
            if margin is None:
                return None
            margins[pair] = np.array([margin])
        return self._decided(1, margins).tolist()[0]

    def _decided(self, rows: int, margins: dict[tuple[int, int], Floats]) -> Floats:
        scores = unknown(rows, len(self.labels))
        scores[:, sorted(self._known)] = 0.0
        return _decided(scores, margins)

    def _keys(self, known: list[int]) -> Iterator[Any]:
        return combinations(known, 2)

    def _name(self, key: Any, values: dict[int, Any]) -> Hashable:
        """The pair; a positive weight is evidence for the second."""
        return values[key[0]], values[key[1]]


class OneVsOne(ManyClasses):
    """Many classes: a learner for each pair, which learns the rows of both; the most votes win.

    A class may appear at any time: the learner of a pair begins with the row where the second of
    them first appears, or when it is declared. The score of a class is the number of pairs that
    vote for it, plus a part of less than a third that grows with the sum of their margins, which
    breaks ties as in scikit-learn. With more than two labels, scores have a column for each class,
    in the order of ``classes_``; that of a class which was not known yet is minus infinity. Where
    scores are equal the first of ``classes_`` wins. With two labels there is one score as in
    scikit-learn, half of the difference, positive for ``classes_[1]``.

    Parameters
    ----------
    learner : Learner
        What the learners inside are clones of. Where it has a seed, each clone gets its own: the
        seed, the next number, and so on.

    Notes
    -----
    Features are numbered once, for all pairs: for the learner of a pair, all features up to the
    newest that it was shown count as seen (for a budget that is a share, say).

    Examples
    --------
    >>> from braided import OLSF
    >>> model = OneVsOne(OLSF())
    >>> pets = [({"barks": 1, "legs": 4}, "dog"), ({"meows": 1, "legs": 4}, "cat")]
    >>> for x, y in [*pets, ({"swims": 1, "legs": 0}, "fish")] * 2:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"swims": 1}), model.predict_one({"barks": 1})
    ('fish', 'dog')
    >>> list(model.weights())
    [('dog', 'cat'), ('dog', 'fish'), ('cat', 'fish')]
    """

    engine_class = OneVsOneEngine


def _decided(scores: Floats, margins: dict[tuple[int, int], NDArray[np.float64]]) -> Floats:
    """Votes and bounded sums of margins added to the scores; NaN is a pair not known yet."""
    sums = np.zeros_like(scores)
    for (first, second), margin in margins.items():
        scores[:, second] += margin > 0.0
        scores[:, first] += margin <= 0.0
        known = np.where(np.isnan(margin), 0.0, margin)
        sums[:, second] += known
        sums[:, first] -= known
    return scores + sums / (3.0 * (np.abs(sums) + 1.0))
