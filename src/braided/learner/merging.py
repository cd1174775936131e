"""Merging: one model from two that learned different rows.

The weights of the merged model are the mean of both models' weights, weighted by the rounds that
each has learned, as in federated averaging (McMahan et al., AISTATS 2017); a feature that one of
them does not know has weight 0 there. Then the budget is applied again. Rounds are added, and so
are sums of squared gradients; everything else begins anew with these weights.

``merged_state`` of a family makes its state from the mean weights.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.algorithm import Mergeable
from braided.learner.estimator import clone
from braided.targets import Labels

if TYPE_CHECKING:
    from braided.learner.engine import Engine
    from braided.learner.learner import Learner

__all__ = ["Part", "merged"]

Floats = NDArray[np.float64]


class Part(NamedTuple):
    """One of the models that are merged.

    Attributes
    ----------
    algorithm : Algorithm
        Its algorithm, with its parameters.
    state : named tuple
        Its state.
    rounds : int
        How many rows it has learned.
    share : float
        Its share of the rounds of all models.
    columns : ndarray of int
        The column of each of its features in the merged model.
    side : float
        -1 if the signs of the labels are swapped in the merged model, else 1.
    capacity : int
        How many features the merged model has room for.
    """

    algorithm: Any
    state: Any
    rounds: int
    share: float
    columns: NDArray[np.intp]
    side: float
    capacity: int

    def spread(self, by_feature: NDArray[Any], elsewhere: float = 0.0) -> Floats:
        """Return an array by feature of this model in the columns of the merged model.

        Parameters
        ----------
        by_feature : ndarray
            A number for each feature of this model.
        elsewhere : float, default 0
            The number of the other features.

        Returns
        -------
        ndarray of float
            A number for each column of the merged model.
        """
        array = np.full(self.capacity, elsewhere)
        array[self.columns] = by_feature[: self.columns.size]
        return array

    @property
    def weights(self) -> Floats:
        """The weights of this model, in the columns and with the signs of the merged model."""
        return self.spread(self.algorithm.linear_weights(self.state)) * self.side


def merged(mine: Learner, other: Learner) -> Any:
    """Make one model from two, with the parameters of the first; see ``Learner.merge``."""
    if type(mine) is not type(other):
        raise InputError(f"{type(mine).__name__} can not be merged with {type(other).__name__}")
    for model in (mine, other):
        if not model.is_mergeable:
            raise InputError(f"{model} can not be merged: {model.not_mergeable_because}")
        if model.weights_by_class:
            raise InputError(f"{model} can not be merged: it has more than two labels")
    if other.rounds == 0:
        return copy.deepcopy(mine)
    if mine.rounds == 0 and mine.get_params() == other.get_params():
        return copy.deepcopy(other)
    learned = [model.engine for model in (mine, other) if model.engine and model.rounds]
    widths = {engine.width for engine in learned if engine.width is not None}
    if len(widths) > 1:
        raise InputError(
            f"models of {' and '.join(map(str, sorted(widths)))} columns can not be merged"
        )
    space = FeatureSpace.of(name for engine in learned for name in engine.space.names)
    engine = mine.new_engine(space=space, labels=_labels(learned))
    engine.make_room()
    engine.width = next(iter(widths), None)
    rounds = sum(each.rounds for each in learned)
    parts = [_part(each, rounds, engine) for each in learned]
    mean = np.sum([part.share * part.weights for part in parts], axis=0)
    engine.state.rounds[0], engine.state.seen[0] = rounds, len(space)
    assert isinstance(engine.algorithm, Mergeable)  # as both models are
    engine.state = engine.algorithm.merged_state(engine.state, mean, parts)
    model = clone(mine)
    model.engine = engine
    return model


def _labels(engines: list[Engine]) -> Labels:
    values = list(dict.fromkeys(value for engine in engines for value in engine.labels.values))
    try:
        return Labels.of(values)
    except InputError as error:
        raise InputError(f"models of different labels can not be merged: {error}") from None


def _part(engine: Engine, rounds: int, whole: Engine) -> Part:
    value = engine.labels.values[0]
    return Part(
        algorithm=engine.algorithm,
        state=engine.state,
        rounds=engine.rounds,
        share=engine.rounds / rounds,
        columns=np.array(whole.space.columns.of(engine.space.names), np.intp),
        side=whole.labels.codes[value] * engine.labels.codes[value],
        capacity=whole.capacity,
    )
