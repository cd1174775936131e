"""What OneVsRest and OneVsOne have in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.compose.composite import Composite, Floats
from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.learner import Learner
from braided.learner.single_row import OneRow
from braided.learner.state import capacity_for
from braided.targets import Labels
from braided.targets.many_labels import ManyLabels

__all__ = ["ManyClasses"]


class ManyClasses(Composite):
    """Tells any number of classes apart, by learners that each tell two sides apart.

    A class is known from the row on in which it first appears, or from the call on that declares
    it (``classes``). Before that, its score is minus infinity.
    """

    _labels: ManyLabels
    _models: dict[Any, Learner]  # in the order in which they began
    _known: set[int]  # the classes that the models know of

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self._check()

    def _check(self) -> None:
        super()._check()
        if self.learner._many_classes:
            raise InputError(f"{self.learner} tells many classes apart by itself")

    def _begin(self, space: FeatureSpace, labels: Labels, capacity: int = capacity_for(0)) -> None:
        super()._begin(space, labels, capacity)
        self._models, self._known = {}, set()

    def _inside(self) -> Iterator[Learner]:
        yield from self._models.values()

    def _told(self) -> dict[str, Any]:
        return {
            "known": sorted(self._known),
            "declared": sorted(self._labels.declared),
            "models": [list(key) if isinstance(key, tuple) else key for key in self._models],
        }

    def _restored(self, told: Mapping[str, Any]) -> Iterator[Learner]:
        self._restore_classes(told)
        yield from self._restored_models(told.get("models"))

    def _restore_classes(self, told: Mapping[str, Any]) -> None:
        known, declared = told.get("known"), told.get("declared")
        for numbers in (known, declared):
            if not _are_classes(numbers, len(self._labels)):
                raise InputError("it does not say which classes are known")
        self._known, self._labels.declared = set(known), set(declared)  # type: ignore[arg-type]

    def _restored_models(self, keys: Any) -> Iterator[Learner]:
        keys = keys if isinstance(keys, list) else []
        left = set(islice(self._keys(sorted(self._known)), len(keys) + 1))
        if left != {tuple(key) if isinstance(key, list) else key for key in keys}:
            raise InputError("its models are not those of its classes")
        for key in keys:
            name = tuple(key) if isinstance(key, list) else key
            if name in self._models:
                raise InputError("it has a model twice")
            self._models[name] = self._new_model()
            yield self._models[name]

    def _keys(self, known: list[int]) -> Iterator[Any]:
        """What the models are called when these classes are known."""
        raise NotImplementedError

    def _fresh_state(self, capacity: int) -> Rounds:
        return Rounds(np.zeros(1, np.int64))

    def _new_labels(self) -> Labels:
        return ManyLabels()

    def _new_one_row(self) -> OneRow:
        model = next(self._inside(), None) or self._new_model()
        return model._new_one_row()

    def _arrivals(self, numbers: NDArray[np.float64]) -> dict[int, int]:
        """The classes that become known in these rows: from which row on, -1 for declared ones."""
        present, rows = np.unique(numbers, return_index=True)
        first = dict(zip(present.astype(int).tolist(), rows.tolist(), strict=True))
        arrivals = {}
        for number in range(len(self._labels)):
            if number not in self._known:
                if number in self._labels.declared:
                    arrivals[number] = -1
                elif number in first:
                    arrivals[number] = first[number]
        self._known.update(arrivals)
        return arrivals

    def _new_model(self) -> Learner:
        labels = Labels()
        labels.declare([False, True])
        return self._begun(self._settled.learner, labels, seed_shift=len(self._models))

    def _refuse_pseudo_labels(self, confidence: float | None) -> None:
        if confidence is not None:
            raise InputError(f"{type(self).__name__} does not learn from rows without labels")

    # ---------------------------------------------------------------------- what was learned

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero for some class."""
        if self._state is None or not self._known:
            return 0
        models = self._by_key().values()
        kept = [model._linear_weights()[: len(self._space)] != 0.0 for model in models]
        return int(np.count_nonzero(np.any(kept, axis=0))) if kept else 0

    def weights(self) -> dict[Hashable, dict[Hashable, float]]:  # type: ignore[override]
        """For each learner inside its weights that are not zero, the largest magnitude first."""
        if self._state is None:
            return {}
        values = self._labels.by_number()
        return {self._name(key, values): model.weights() for key, model in self._by_key().items()}

    def _by_key(self) -> dict[Any, Learner]:
        """The learners of two labels, by what they tell apart."""
        return self._models

    def _name(self, key: Any, values: dict[int, Any]) -> Hashable:
        raise NotImplementedError

    @property
    def _many_classes(self) -> bool:
        return True


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
