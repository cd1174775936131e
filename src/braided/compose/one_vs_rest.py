"""OneVsRest: many classes, by a learner for each that tells it from all others."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from braided.compose.composite import Floats
from braided.compose.many_classes import ManyClasses, unknown
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.learner import Learner
from braided.learner.of_classes import LearnerOfClasses
from braided.learner.single_row import OneRow
from braided.learner.state import capacity_for
from braided.rows.rows import Rows
from braided.targets import Labels

__all__ = ["OneVsRest"]


class OneVsRest(ManyClasses):
    """A learner for each class that tells it from all others; the largest score wins.

    A class may appear at any time: its learner begins with the row where it first appears, or when
    it is declared. Scores have a column for each class, in the order of ``classes_``; that of a
    class which was not known yet is minus infinity. Where scores are equal the first of
    ``classes_`` wins.

    Features are numbered once, for all classes: for the learner of a class, all features up to the
    newest that it was shown count as seen (for a budget that is a share, say). Where the learner
    can do so, as Braid can, all classes share what does not depend on labels.

    If scores of the learner mean probabilities, there are those of classes as well: the learners'
    own, brought to a sum of 1.

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

    _together: LearnerOfClasses | None  # in place of models, if the learner has such a form

    @property
    def scores_are_log_odds(self) -> bool:  # type: ignore[override]
        """Whether the learner's are, so that there are probabilities."""
        return self.learner.scores_are_log_odds

    def _begin(self, space: FeatureSpace, labels: Labels, capacity: int = capacity_for(0)) -> None:
        super()._begin(space, labels, capacity)
        self._together = None
        pattern = self._settled._pattern()
        if isinstance(pattern, LearnerOfClasses):
            together = self._begun(pattern, labels)
            assert isinstance(together, LearnerOfClasses)
            self._together = together

    def _pattern(self) -> Learner:
        return self.learner._of_classes() or self.learner

    def _inside(self) -> Iterator[Learner]:
        if self._together is not None:
            yield self._together
        yield from self._models.values()

    def _told(self) -> dict[str, Any]:
        told = super()._told()
        if self._together is not None:
            del told["models"]
        return told

    def _restored(self, told: Mapping[str, Any]) -> Iterator[Learner]:
        if self._together is None:
            yield from super()._restored(told)
            return
        self._restore_classes(told)
        yield self._together
        if self._together._classes_known() != self._known:
            raise InputError("it contradicts itself about which classes are known")

    def _by_key(self) -> dict[Any, Learner]:
        if self._together is None:
            return self._models
        models = {}
        for number in sorted(self._known):
            models[number] = self._new_model()
            models[number]._state = self._together._state_of(number)
        return models

    def _learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        self._refuse_pseudo_labels(confidence)
        arrivals = self._arrivals(signs)
        if self._together is not None:
            self._together._expect(arrivals)
            scores = self._together._learn_placed(rows, signs, weights)
        else:
            scores = self._learn_each(rows, signs, weights, arrivals)
        self._state.rounds[0] += len(rows)
        return scores

    def _learn_each(
        self, rows: Rows, signs: Floats, weights: Floats, arrivals: dict[int, int]
    ) -> Floats:
        """By a learner of its own for each class."""
        for number in arrivals:
            self._models[number] = self._new_model()
        scores = unknown(len(rows), len(self._labels))
        for number, model in self._models.items():
            begin = max(0, arrivals.get(number, 0))
            sides = np.where(signs[begin:] == number, 1.0, -1.0)
            before = model._learn_placed(rows[begin:], sides, weights[begin:])
            hidden = begin + 1 if arrivals.get(number, -1) >= 0 else 0
            scores[hidden:, number] = before[hidden - begin :]
        return scores

    def _score_placed(self, rows: Rows) -> Floats:
        if self._together is not None:
            return self._together._score_placed(rows)
        scores = unknown(len(rows), len(self._labels))
        for number, model in self._models.items():
            scores[:, number] = model._score_placed(rows)
        return scores

    def _learn_row(self, row: OneRow, sign: float, confidence: float | None = None) -> bool:
        self._refuse_pseudo_labels(confidence)
        if int(sign) not in self._known:
            return False
        if self._together is not None:
            learned = self._together._learn_row(row, sign)
        else:  # if a value is not usable the first sees that, and nothing is learned
            learned = all(
                model._learn_row(row, 1.0 if number == sign else -1.0)
                for number, model in self._models.items()
            )
        self._state.rounds[0] += learned
        return learned

    def _score_row(self, row: OneRow) -> Any:
        if self._together is not None:
            return self._together._score_row(row)
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
