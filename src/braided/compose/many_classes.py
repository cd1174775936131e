"""What OneVsRest and OneVsOne share: an engine for each class or pair, begun when it appears."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compose.composite import Composite, CompositeEngine, Floats
from braided.errors import InputError
from braided.learner.engine import Engine
from braided.learner.learner import Learner
from braided.learner.single_row import SingleRow
from braided.rows.rows import Rows
from braided.targets import Labels, ManyLabels

__all__ = ["ManyClasses", "ManyClassesEngine", "unknown"]


class ManyClasses(Composite):
    """Tells any number of classes apart, by learners of two labels."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner

    def check_parameters(self) -> None:
        """Refuse a learner that tells many classes apart by itself from the first row on."""
        super().check_parameters()
        if self.learner.new_labels().many:
            raise InputError(f"{self.learner} tells many classes apart by itself")

    def new_state(self, capacity: int) -> Rounds:
        """Only the rounds are counted here."""
        return Rounds(np.zeros(1, np.int64))

    def new_labels(self) -> Labels:
        """Any number of labels."""
        return ManyLabels()

    @property
    def many_classes(self) -> bool:
        """It can tell more than two labels apart."""
        return True


class ManyClassesEngine(CompositeEngine):
    """An engine for each class, or for each pair of classes.

    A class is known from the row on in which it first appears, or from the call on that declares
    it (``classes``). Before that, its score is minus infinity.
    """

    labels: ManyLabels
    _models: dict[Any, Engine]  # in the order in which they began
    _known: set[int]  # the classes that the models know of

    def begin(self, algorithm: Any) -> None:
        super().begin(algorithm)
        self._models, self._known = {}, set()

    def inside(self) -> Iterator[Engine]:
        """The engines inside, as far as they have begun."""
        yield from self._models.values()

    def new_row(self) -> SingleRow:
        """Buffers as the engines inside need them."""
        model = next(self.inside(), None) or self._new_model()
        return model.new_row()

    def _new_model(self, key: Any = None) -> Engine:
        return self._new_inside(Labels.of([False, True]), len(self._models))

    def _arrivals(self, numbers: NDArray[np.float64]) -> dict[int, int]:
        """The classes that become known in these rows: from which row on, -1 for declared ones."""
        present, rows = np.unique(numbers, return_index=True)
        first = dict(zip(present.astype(int).tolist(), rows.tolist(), strict=True))
        arrivals = {}
        for number in range(len(self.labels)):
            if number not in self._known:
                if number in self.labels.declared:
                    arrivals[number] = -1
                elif number in first:
                    arrivals[number] = first[number]
        self._known.update(arrivals)
        return arrivals

    def learn_placed(
        self, rows: Rows, signs: Floats, weights: Floats, confidence: float | None = None
    ) -> Floats:
        """Learn rows; signs are the numbers of classes."""
        if confidence is None:
            return self._learn_labelled(rows, signs, weights)
        scores, done = unknown(len(rows), len(self.labels)), 0
        for row in np.flatnonzero(np.isnan(signs)).tolist():
            rest = slice(done, row)
            scores[rest] = self._learn_labelled(rows[rest], signs[rest], weights[rest])
            own, done = slice(row, row + 1), row + 1
            scores[own] = self.score_placed(rows[own])
            number, score = self.labels.winner(scores[row])
            if score >= confidence:
                self._learn_labelled(rows[own], np.array([float(number)]), weights[own])
            else:
                self.count_as_seen(rows[own].indices)
        rest = slice(done, None)
        scores[rest] = self._learn_labelled(rows[rest], signs[rest], weights[rest])
        return scores

    def learn_row(self, row: SingleRow, sign: float, confidence: float | None = None) -> bool:
        """Learn what is in the buffers."""
        if np.isnan(sign) and confidence is not None:
            scores = self.score_row(row)
            if scores is None:
                return False
            sign, score = self.labels.winner(scores)
            if not score >= confidence:
                self.count_as_seen(row.indices[: row.indptr[1]])
                return True
        return int(sign) in self._known and self._learn_labelled_row(row, sign)

    def _learn_labelled(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        """Learn rows that all have a label."""
        raise NotImplementedError

    def _learn_labelled_row(self, row: SingleRow, sign: float) -> bool:
        """Learn the row in the buffers, of a class that is known."""
        raise NotImplementedError

    # ---------------------------------------------------------------------- what was learned

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero for some class."""
        if not self._known:
            return 0
        seen, models = len(self.space), self._by_key().values()
        kept = [model.linear_weights()[:seen] != 0.0 for model in models]
        return int(np.count_nonzero(np.any(kept, axis=0))) if kept else 0

    def weights(self) -> dict[Hashable, Any]:
        """For each engine inside its weights that are not zero, the largest magnitude first."""
        return {name: model.weights() for name, model in self.models().items()}

    def models(self) -> dict[Hashable, Engine]:
        """The engines of two labels, by the label or the pair of labels."""
        values = self.labels.by_number()
        return {self._name(key, values): model for key, model in self._by_key().items()}

    def _by_key(self) -> dict[Any, Engine]:
        """The engines of two labels, by what they tell apart."""
        return self._models

    def _name(self, key: Any, values: dict[int, Any]) -> Hashable:
        raise NotImplementedError

    # ----------------------------------------------------------------------------- files

    def description(self) -> dict[str, Any]:
        """Which classes are known, and the keys of the models."""
        return {
            "known": sorted(self._known),
            "declared": sorted(self.labels.declared),
            "models": [list(key) if isinstance(key, tuple) else key for key in self._models],
        }

    def restored(self, description: Mapping[str, Any]) -> Iterator[Engine]:
        """The engines inside, each begun when it is asked for."""
        self._restore_classes(description)
        yield from self._restored_models(description.get("models"))

    def _restore_classes(self, description: Mapping[str, Any]) -> None:
        known, declared = description.get("known"), description.get("declared")
        for numbers in (known, declared):
            if not _are_classes(numbers, len(self.labels)):
                raise InputError("it does not say which classes are known")
        self._known, self.labels.declared = set(known or ()), set(declared or ())

    def _restored_models(self, keys: Any) -> Iterator[Engine]:
        keys = keys if isinstance(keys, list) else []
        left = set(islice(self._keys(sorted(self._known)), len(keys) + 1))
        if left != {tuple(key) if isinstance(key, list) else key for key in keys}:
            raise InputError("its models are not those of its classes")
        for key in keys:
            name = tuple(key) if isinstance(key, list) else key
            if name in self._models:
                raise InputError("it has a model twice")
            self._models[name] = self._new_model(name)
            yield self._models[name]

    def _keys(self, known: list[int]) -> Iterator[Any]:
        """What the models are called when these classes are known."""
        raise NotImplementedError


class Rounds(NamedTuple):
    """How many rows were learned."""

    rounds: NDArray[np.int64]


def unknown(rows: int, classes: int) -> Floats:
    """The scores of classes that are not known yet."""
    return np.full((rows, classes), -np.inf)


def _are_classes(numbers: Any, count: int) -> bool:
    """Whether these are numbers of classes, each once."""
    whole = isinstance(numbers, list) and all(type(n) is int and 0 <= n < count for n in numbers)
    return whole and len(set(numbers)) == len(numbers)
