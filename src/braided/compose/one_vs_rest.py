"""OneVsRest: many classes, by a learner for each that tells it from all others."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from braided.compose._composite import Floats
from braided.compose._many import ManyClasses, unknown
from braided.one_row import OneRow
from braided.rows import Rows

__all__ = ["OneVsRest"]


class OneVsRest(ManyClasses):
    """A learner for each class that tells it from all others; the largest score wins.

    A class may appear at any time: its learner begins with the row where it first appears, or when
    it is declared. Scores have a column for each class, in the order of ``classes_``; that of a
    class which was not known yet is minus infinity. Where scores are equal the first of
    ``classes_`` wins.

    Features are numbered once, for all classes: for the learner of a class, all features up to the
    newest that it was shown count as seen (for a budget that is a share, say).

    Parameters
    ----------
    learner
        what the learners are clones of; where it has a seed, each gets its own: the seed, the next
        number, and so on.

    Examples
    --------
    >>> from braided import OLSF
    >>> model = OneVsRest(OLSF())
    >>> pets = [({"barks": 1, "legs": 4}, "dog"), ({"meows": 1, "legs": 4}, "cat")]
    >>> for x, y in [*pets, ({"swims": 1, "legs": 0}, "fish")]:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"swims": 1}), model.predict_one({"barks": 1})
    ('fish', 'dog')
    >>> model.score_one({"swims": 1})
    {'cat': -0.1, 'dog': -0.1, 'fish': 0.1}
    """

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        self._refuse_pseudo_labels(confidence)
        arrivals = self._arrivals(signs)
        for number in arrivals:
            self._models[number] = self._new_model()
        scores = unknown(len(rows), len(self._labels))
        for number, model in self._models.items():
            begin = max(0, arrivals.get(number, 0))
            sides = np.where(signs[begin:] == number, 1.0, -1.0)
            before = model._learn_placed(rows[begin:], sides, weights[begin:])
            hidden = begin + 1 if arrivals.get(number, -1) >= 0 else 0
            scores[hidden:, number] = before[hidden - begin :]
        self._state.rounds[0] += len(rows)
        return scores

    def _score_placed(self, rows: Rows) -> Floats:
        scores = unknown(len(rows), len(self._labels))
        for number, model in self._models.items():
            scores[:, number] = model._score_placed(rows)
        return scores

    def _learn_row(self, row: OneRow, sign: float, confidence: float | None = None) -> bool:
        self._refuse_pseudo_labels(confidence)
        if int(sign) not in self._known:
            return False
        for number, model in self._models.items():
            if not model._learn_row(row, 1.0 if number == sign else -1.0):
                return False  # the first has seen it: nothing is learned
        self._state.rounds[0] += 1
        return True

    def _score_row(self, row: OneRow) -> Any:
        scores = [-np.inf] * len(self._labels)
        for number, model in self._models.items():
            score = model._score_row(row)
            if score is None:
                return None
            scores[number] = score
        return scores

    def _keys(self, known: list[int]) -> Iterator[Any]:
        return iter(known)

    def _name(self, key: Any, values: dict[int, Any]) -> Hashable:
        name: Hashable = values[key]
        return name
