"""Merging: one model from models that learned different rows.

Everything is counted from the model that all of them went on from, the *base*; without one, from
nothing. What adds up is added: the base's, and what each model added to it. What does not, such as
a weight, becomes a mean in which a model counts by the rows in which it saw the *feature* (if rows
are counted, ``Learner.count_features``; else by all of its rows, where it knows the feature). So a
model that never saw a feature says nothing about it, and the past of the base counts once.

``merged_state`` of a family says what adds up and what is a mean: ``Merge`` has both rules.
Averaging of weights is that of McMahan et al., AISTATS 2017; with steps by AdaGrad, weights count
by the squared gradients that each model added.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.algorithm import Mergeable
from braided.learner.estimator import clone
from braided.records.schema import Decisions
from braided.targets import Labels

if TYPE_CHECKING:
    from braided.learner.engine import Engine
    from braided.learner.learner import Learner

__all__ = ["Merge", "Part", "merged"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """One of the models that are merged, or their base.

    Parameters
    ----------
    algorithm : Algorithm
        Its algorithm, with its parameters.
    state : named tuple
        Its state.
    rounds : int
        How many rows it has learned.
    grown : int
        How many of them since the base.
    columns : ndarray of int
        The column of each of its features in the merged model.
    side : float
        -1 if the signs of the labels are swapped in the merged model, else 1.
    capacity : int
        How many features the merged model has room for.
    counts : ndarray of int or None
        In how many rows it saw each of its features, if that is counted.
    """

    algorithm: Any
    state: Any
    rounds: int
    grown: int
    columns: NDArray[np.intp]
    side: float
    capacity: int
    counts: NDArray[np.int64] | None = None

    def spread(self, by_feature: NDArray[Any], elsewhere: float = 0.0) -> Floats:
        """Return an array by feature of this model in the columns of the merged model.

        Parameters
        ----------
        by_feature : ndarray
            A number, or a row of numbers, for each feature of this model.
        elsewhere : float, default 0
            The number of the other features.

        Returns
        -------
        ndarray of float
            A number, or a row, for each column of the merged model.
        """
        array = np.full((self.capacity, *by_feature.shape[1:]), elsewhere)
        array[self.columns] = by_feature[: self.columns.size]
        return array

    @cached_property
    def knows(self) -> NDArray[np.bool_]:
        """Whether this model has the feature of each column."""
        known = np.zeros(self.capacity, np.bool_)
        known[self.columns] = True
        return known

    @property
    def weights(self) -> Floats:
        """The weights of this model, in the columns and with the signs of the merged model."""
        return self.spread(self.algorithm.linear_weights(self.state)) * self.side


Read = Callable[[Part], Any]
"""What is merged: an array of a model by column (``Part.spread``), or a number."""


@dataclass(frozen=True)
class Merge:
    """The models that are merged, and the rules by which their numbers become one.

    Parameters
    ----------
    parts : list of Part
        The models, each of which has learned something since the base.
    base : Part or None
        The model that all of them went on from.
    """

    parts: list[Part]
    base: Part | None = None

    @property
    def rounds(self) -> int:
        """How many rows all of them have learned, those of the base once."""
        return (self.base.rounds if self.base else 0) + sum(part.grown for part in self.parts)

    def start(self, read: Read, born: float = 0.0) -> Any:
        """Return what the base has.

        Parameters
        ----------
        read : callable
            What is asked for, by column.
        born : float, default 0
            What a feature that it does not know begins with.

        Returns
        -------
        ndarray of float
            The numbers of the base, by column.
        """
        if self.base is None:
            return np.full(np.shape(read(self.parts[0])), born)
        known = self.base.knows
        found = read(self.base)
        return np.where(known.reshape(known.shape + (1,) * (found.ndim - 1)), found, born)

    def sum(self, read: Read, born: float = 0.0) -> Any:
        """Add up by column: what the base has, and what each model added to it.

        Parameters
        ----------
        read : callable
            What is added up.
        born : float, default 0
            What a new feature begins with.

        Returns
        -------
        ndarray of float
            The sums, by column.
        """
        start = self.start(read, born)
        total = start.copy()
        for part in self.parts:
            total += np.where(self._of(part, start), read(part) - start, 0.0)
        return total

    def mean(self, read: Read, by: Read | None = None) -> Any:
        """Compute a mean by column.

        Parameters
        ----------
        read : callable
            What the mean is of.
        by : callable, optional
            How much a model counts; by default by the rows in which it saw the feature.

        Returns
        -------
        ndarray of float
            The means; where no model has learned anything since, what the base has.
        """
        start = self.start(read)
        moved, counted = np.zeros_like(start), np.zeros_like(start)
        for part in self.parts:
            amount = self.rows(part) if by is None else np.where(part.knows, by(part), 0.0)
            moved += amount * (read(part) - start)
            counted += amount
        return start + np.divide(moved, counted, out=np.zeros_like(moved), where=counted > 0.0)

    def added(self, read: Read) -> Read:
        """Return how much a model added to what the base has, for ``mean``.

        Parameters
        ----------
        read : callable
            What never falls, such as a sum of squares.

        Returns
        -------
        callable
            The difference to the base, by column.
        """
        start = self.start(read)
        return lambda part: np.maximum(read(part) - start, 0.0)

    def added_in_all(self, read: Read) -> Read:
        """Do as ``added``, for numbers that are not by column.

        Parameters
        ----------
        read : callable
            What never falls.

        Returns
        -------
        callable
            The difference to the base.
        """
        start = 0.0 if self.base is None else read(self.base)
        return lambda part: np.maximum(read(part) - start, 0.0)

    def rows(self, part: Part) -> Floats:
        """Return by how many rows a model counts, by column.

        Parameters
        ----------
        part : Part
            The model.

        Returns
        -------
        ndarray of float
            The rows since the base in which it saw the feature, if all models count them; else all
            of its rows since the base, for features that it knows.
        """
        if any(each.counts is None for each in self.parts):
            return np.where(part.knows, float(part.grown), 0.0)
        counted: Floats = self.added(_counts)(part)
        return counted

    def total(self, read: Read) -> Any:
        """Add up numbers that are not by column, as ``sum`` does.

        Parameters
        ----------
        read : callable
            What is added up.

        Returns
        -------
        ndarray of float
            The sum.
        """
        start = 0.0 if self.base is None else read(self.base)
        return start + sum(read(part) - start for part in self.parts)

    def share(self, read: Read, by: Read | None = None) -> Any:
        """Compute a mean of numbers that are not by column.

        Parameters
        ----------
        read : callable
            What the mean is of.
        by : callable, optional
            How much a model counts; by default by its rows since the base.

        Returns
        -------
        ndarray of float
            The mean.
        """
        amounts = [part.grown if by is None else float(np.sum(by(part))) for part in self.parts]
        if not sum(amounts) > 0.0:
            amounts = [part.grown for part in self.parts]
        found = zip(amounts, self.parts, strict=True)
        return sum(amount / sum(amounts) * read(part) for amount, part in found)

    def _of(self, part: Part, like: Floats) -> NDArray[np.bool_]:
        return part.knows.reshape(part.knows.shape + (1,) * (like.ndim - 1))


def _counts(part: Part) -> Floats:
    return part.spread(np.zeros(part.columns.size) if part.counts is None else part.counts)


def merged(first: Learner, others: Sequence[Learner], since: Learner | None = None) -> Any:
    """Make one model of several, with the parameters of the first; see ``Learner.merge``."""
    models = [first, *others]
    for model in [*models, *([] if since is None else [since])]:
        _check(model, first)
    done = 0 if since is None else since.rounds
    for model in models:
        if model.rounds < done:
            raise InputError(
                f"a model of {model.rounds} rows can not have gone on from one of {done} (since)"
            )
    grown = [model for model in models if model.rounds > done]
    if not grown:
        return copy.deepcopy(first)
    if len(grown) == 1 and grown[0].get_params() == first.get_params():
        return copy.deepcopy(grown[0])
    base = None if since is None or since.rounds == 0 else since.engine
    return _merged(first, base, [model.engine for model in grown if model.engine is not None])


def _merged(first: Learner, base: Engine | None, grown: list[Engine]) -> Any:
    everyone = [base, *grown] if base is not None else grown
    widths = {engine.width for engine in everyone if engine.width is not None}
    if len(widths) > 1:
        raise InputError(
            f"models of {' and '.join(map(str, sorted(widths)))} columns can not be merged"
        )
    space, columns = _united([engine.space for engine in everyone])
    engine = first.new_engine(space=space, labels=_labels(everyone, type(first.new_labels())))
    engine.make_room()
    engine.width = next(iter(widths), None)
    engine.schema.adopt(Decisions(_kinds(everyone), None))
    done = 0 if base is None else base.rounds
    parts = [_part(*pair, done, engine) for pair in zip(everyone, columns, strict=True)]
    merge = Merge(parts[-len(grown) :], parts[0] if base is not None else None)
    engine.state.rounds[0], engine.state.seen[0] = merge.rounds, len(space)
    assert isinstance(engine.algorithm, Mergeable)  # as all models are
    engine.state = engine.algorithm.merged_state(engine.state, merge)
    if all(part.counts is not None for part in merge.parts):
        engine.counts = merge.sum(_counts).astype(np.int64)
    else:
        engine.counts = None
    model = clone(first)
    model.engine = engine
    return model


def _check(model: Learner, first: Learner) -> None:
    if type(model) is not type(first):
        raise InputError(f"{type(first).__name__} can not be merged with {type(model).__name__}")
    reason = "it has more than two labels" if model.weights_by_class else None
    if not model.is_mergeable:
        reason = model.not_mergeable_because
    if reason is not None:
        raise InputError(
            f"{model} can not be merged: {reason}; let one model learn all rows instead "
            "(on Spark: how='exact')"
        )


def _united(spaces: list[FeatureSpace]) -> tuple[FeatureSpace, list[NDArray[np.intp]]]:
    """One space with all names in the order of the models, and the columns of each of them."""
    numbers = [each for space in spaces if (each := space.numbers()) is not None]
    if len(numbers) == len(spaces):
        every = np.concatenate(numbers)
        known, first = np.unique(every, return_index=True)
        order = np.argsort(first, kind="stable")
        place = np.empty(known.size, np.intp)
        place[order] = np.arange(known.size)
        columns = [place[np.searchsorted(known, each)] for each in numbers]
        return FeatureSpace.of_numbers(known[order].astype(np.int32)), columns
    whole = FeatureSpace()
    return whole, [np.array(whole.add(space.names), np.intp) for space in spaces]


def _part(engine: Engine, columns: NDArray[np.intp], done: int, whole: Engine) -> Part:
    value = engine.labels.values[0]
    return Part(
        algorithm=engine.algorithm,
        state=engine.state,
        rounds=engine.rounds,
        grown=engine.rounds - done,
        columns=columns,
        side=whole.labels.codes[value] * engine.labels.codes[value],
        capacity=whole.capacity,
        counts=engine.feature_counts(),
    )


def _labels(engines: list[Engine], kind: type[Labels]) -> Labels:
    values = list(dict.fromkeys(value for engine in engines for value in engine.labels.values))
    if len(values) > 2:
        listed = ", ".join(map(repr, values))
        raise InputError(f"models of different labels can not be merged: together {listed}")
    return kind.of(values)


def _kinds(engines: list[Engine]) -> dict[Hashable, str]:
    """The kinds of fields that were decided; all models must agree."""
    kinds: dict[Hashable, str] = {}
    for engine in engines:
        for field, kind in engine.schema.kinds.items():
            kinds.setdefault(field, kind)
    for engine in engines:
        for field, kind in kinds.items():
            known = engine.schema.kind(field)
            if known not in (None, kind):
                raise InputError(
                    f"models can not be merged: field {field!r} is {kind} in one of them and "
                    f"{known} in another; declare it in a braided.Schema"
                )
    return kinds
