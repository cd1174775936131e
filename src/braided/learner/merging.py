"""Merging: one model from two that learned different rows.

The weights of the merged model are the means of both models' weights, each model counting by the
rounds that it has seen, as in federated averaging (McMahan et al., AISTATS 2017); a feature that
only one of them knows weighs 0 in the other. Then the budget is applied again. Rounds add up,
and so do sums of squared gradients; all else starts anew from these weights.

How a family takes up averaged weights is told by its ``_averaged``.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.estimator import clone
from braided.targets import Labels

if TYPE_CHECKING:
    from braided.learner.learner import Learner

__all__ = ["Part", "merged"]

Floats = NDArray[np.float64]


class Part(NamedTuple):
    """One of the models that are merged, as the merged one sees it."""

    model: Any
    rounds: int
    share: float  # of all rounds
    columns: NDArray[np.intp]  # the merged model's column of each feature
    side: float  # 1, or -1 if the merged model's labels lie the other way round
    capacity: int

    def spread(self, by_feature: NDArray[Any], elsewhere: float = 0.0) -> Floats:
        """What the model has by feature, in the columns of the merged one."""
        array = np.full(self.capacity, elsewhere)
        array[self.columns] = by_feature[: self.columns.size]
        return array

    @property
    def weights(self) -> Floats:
        """The model's weights."""
        return self.spread(self.model._linear_weights()) * self.side


def merged(mine: Learner, other: Learner) -> Any:
    """A new model; the parameters are those of the first."""
    if type(mine) is not type(other):
        raise InputError(f"{type(mine).__name__} can not be merged with {type(other).__name__}")
    for model in (mine, other):
        if not model._can_merge:
            raise InputError(f"{model} can not be merged: {model._no_mean}")
    if other.rounds == 0:
        return copy.deepcopy(mine)
    if mine.rounds == 0 and mine.get_params() == other.get_params():
        return copy.deepcopy(other)
    learned = [model for model in (mine, other) if model.rounds]
    widths = {model._width for model in learned if model._width is not None}
    if len(widths) > 1:
        raise InputError(f"models of {' and '.join(map(str, sorted(widths)))} columns: no merging")
    space = FeatureSpace.of(name for model in learned for name in model._space.names)
    labels = _labels(learned)
    model = clone(mine)
    model._begin(space, labels)
    model._make_room()
    model._width = next(iter(widths), None)
    rounds = sum(model.rounds for model in learned)
    parts = [_part(each, rounds, space, labels, model._capacity) for each in learned]
    mean = np.sum([part.share * part.weights for part in parts], axis=0)
    model._state.rounds[0], model._state.seen[0] = rounds, len(space)
    model._state = model._averaged(model._state, mean, parts)
    return model


def _labels(models: list[Learner]) -> Labels:
    values = list(dict.fromkeys(value for model in models for value in model._labels.values))
    try:
        return Labels.of(values)
    except InputError as error:
        raise InputError(f"models of different labels can not be merged: {error}") from None


def _part(model: Learner, rounds: int, space: FeatureSpace, labels: Labels, capacity: int) -> Part:
    value = model._labels.values[0]
    return Part(
        model=model,
        rounds=model.rounds,
        share=model.rounds / rounds,
        columns=np.array([space.columns[name] for name in model._space.names], np.intp),
        side=labels.sign(value) * model._labels.sign(value),
        capacity=capacity,
    )
