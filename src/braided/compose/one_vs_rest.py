"""OneVsRest: many classes, by a learner for each class against all others."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from braided.compose.composite import Floats
from braided.compose.many_classes import ManyClasses, ManyClassesEngine, unknown
from braided.errors import InputError
from braided.learner.algorithm import SharesClasses
from braided.learner.classes_engine import ClassesEngine
from braided.learner.engine import Engine
from braided.learner.single_row import SingleRow
from braided.rows.rows import Rows
from braided.targets import NO_CLASS, Labels

__all__ = ["OneVsRest"]


class OneVsRestEngine(ManyClassesEngine):
    """An engine for each class, or one for all of them if the algorithm has such a form."""

    _together: ClassesEngine | None  # in place of models
    _turned: int = NO_CLASS  # the class whose model has the other sign

    def begin(self, algorithm: Any) -> None:
        super().begin(algorithm)
        shared = self._of_classes()
        self._together = None
        if shared is not None:
            self._together = ClassesEngine(shared, space=self.space, labels=self.labels)
            self._together.make_room(max(0, self.capacity - len(self.space)))

    def inside(self) -> Iterator[Engine]:
        """The engines inside, as far as they have begun."""
        if self._together is not None:
            yield self._together
        yield from self._models.values()

    def _algorithm_inside(self, number: int) -> Any:
        if self._together is not None:
            return self._of_classes()
        return super()._algorithm_inside(number)

    def _of_classes(self) -> Any:
        """The algorithm that learns all classes at once, if the learner inside has one."""
        inside = self.algorithm.learner
        return inside.of_classes(self._turned) if isinstance(inside, SharesClasses) else None

    def turn(self, number: int) -> None:
        """Expect a model of this class that was learned with the other sign."""
        self._turned = number
        self.begin(self.algorithm)

    def go_on_from(self, engine: Engine) -> None:
        """Go on from a model of two labels: it is that of the one class and, turned, of the other.

        Parameters
        ----------
        engine : Engine
            An engine of two labels, which has the same names; its state is copied.
        """
        self._known = {0, 1}
        self.state.rounds[0] = engine.rounds
        if self._together is not None:
            self._together.go_on_from(engine)
            return
        for number in sorted(self._known):
            model = self._models[number] = self._new_model(number)
            model.state, model.capacity = copy.deepcopy(engine.state), engine.capacity

    def _new_model(self, key: Any = None) -> Engine:
        model = super()._new_model(key)
        if key == self._turned:
            model.labels = Labels.of(["rest", "the class"])  # of which the larger has the sign -1
        return model

    def _sign(self, number: int) -> float:
        """The sign of its class for a model."""
        return -1.0 if number == self._turned else 1.0

    def description(self) -> dict[str, Any]:
        """Which classes are known, and the keys of the models if there are any."""
        description = super().description()
        if self._together is not None:
            del description["models"]
        return description

    def restored(self, description: Mapping[str, Any]) -> Iterator[Engine]:
        """The engines inside, each begun when it is asked for."""
        if self._together is None:
            yield from super().restored(description)
            return
        self._restore_classes(description)
        yield self._together
        if self._together.classes_known() != self._known:
            raise InputError("it contradicts itself about which classes are known")

    def _by_key(self) -> dict[Any, Engine]:
        if self._together is None:
            return self._models
        models = {}
        for number in sorted(self._known):
            models[number] = self._new_model(number)
            models[number].state = self._together.state_of_class(number)
        return models

    def _learn_labelled(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        arrivals = self._arrivals(signs)
        if self._together is not None:
            self._together.expect(arrivals)
            scores = self._together.learn_placed(rows, signs, weights)
        else:
            scores = self._learn_each(rows, signs, weights, arrivals)
        self.state.rounds[0] += len(rows)
        return scores

    def _learn_each(
        self, rows: Rows, signs: Floats, weights: Floats, arrivals: dict[int, int]
    ) -> Floats:
        """By an engine of its own for each class."""
        for number in arrivals:
            self._models[number] = self._new_model(number)
        scores = unknown(len(rows), len(self.labels))
        for number, model in self._models.items():
            begin = max(0, arrivals.get(number, 0))
            sign = self._sign(number)
            sides = np.where(signs[begin:] == number, sign, -sign)
            before = model.learn_placed(rows[begin:], sides, weights[begin:])
            hidden = begin + 1 if arrivals.get(number, -1) >= 0 else 0
            scores[hidden:, number] = sign * before[hidden - begin :]
        return scores

    def score_placed(self, rows: Rows) -> Floats:
        """Scores with a column for each class, in the order of their numbers."""
        if self._together is not None:
            return self._together.score_placed(rows)
        scores = unknown(len(rows), len(self.labels))
        for number, model in self._models.items():
            scores[:, number] = self._sign(number) * model.score_placed(rows)
        return scores

    def _learn_labelled_row(self, row: SingleRow, sign: float) -> bool:
        if self._together is not None:
            learned = self._together.learn_row(row, sign)
        else:  # if a value is not usable the first sees that, and nothing is learned
            learned = all(
                model.learn_row(row, self._sign(number) * (1.0 if number == sign else -1.0))
                for number, model in self._models.items()
            )
        self.state.rounds[0] += learned
        return learned

    def score_row(self, row: SingleRow) -> Any:
        """The scores of what is in the buffers."""
        if self._together is not None:
            return self._together.score_row(row)
        scores = [-np.inf] * len(self.labels)
        for number, model in self._models.items():
            score = model.score_row(row)
            if score is None:
                return None
            scores[number] = self._sign(number) * score
        return scores

    def _keys(self, known: list[int]) -> Iterator[Any]:
        return iter(known)

    def _name(self, key: Any, values: dict[int, Any]) -> Hashable:
        name: Hashable = values[key]
        return name


class OneVsRest(ManyClasses):
    """Many classes: a learner for each class against all others; the largest score wins.

    A class may appear at any time: its learner begins with the row where it first appears, or when
    it is declared. With more than two labels, scores have a column for each class, in the order of
    ``classes_``; that of a class which was not known yet is minus infinity. Where scores are equal
    the first of ``classes_`` wins. With two labels there is one score as in scikit-learn, half of
    the difference between those of both learners, positive for ``classes_[1]``.

    Parameters
    ----------
    learner : Learner
        What the learners inside are clones of. Where it has a seed, each clone gets its own: the
        seed, the next number, and so on.

    Notes
    -----
    Features are numbered once, for all classes: for the learner of a class, all features up to the
    newest that it was shown count as seen (for a budget that is a share, say). Where the learner
    can do so, as Braid can, all classes share what does not depend on labels.

    If the scores of the learner are log odds, there are probabilities of classes as well: those of
    the learners, scaled to a sum of 1.

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

    engine_class = OneVsRestEngine

    @property
    def scores_are_log_odds(self) -> bool:
        """Whether the learner's are, so that there are probabilities."""
        return self.learner.scores_are_log_odds
