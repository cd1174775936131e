"""Composite: what all learners that are made of learners share.

A composite is a learner around a learner, and its engine is an engine around engines. The outer
engine reads, checks and places a row once; the engines inside share its names, and are only given
rows that are already in their columns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.features import FeatureSpace
from braided.learner.engine import Engine
from braided.learner.estimator import clone
from braided.learner.learner import Learner
from braided.learner.single_row import SingleRow
from braided.rows.rows import Rows
from braided.targets import Labels

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Composite", "CompositeEngine", "Wrapper", "WrapperEngine"]

Floats = NDArray[np.float64]
Row = Mapping[Hashable, Any]


class Composite(Learner):
    """A learner that is made of a learner, its parameter ``learner``."""

    learner: Learner
    not_mergeable_because = "only single learners can, not those that are made of learners"

    def check_parameters(self) -> None:
        """Refuse what is no learner, and parameters that it does not allow."""
        if not isinstance(self.learner, Learner):
            raise InputError(
                f"{type(self).__name__} is made of a learner, such as braided.OLSF(), "
                f"not of {self.learner!r}"
            )
        self.learner.check_parameters()
        if self.learner.has_probabilities and not (
            self.learner.scores_are_log_odds or self.has_probabilities
        ):
            inside = type(self.learner).__name__
            raise InputError(
                f"{inside} is always the outermost: write {inside}({type(self).__name__}(...)), "
                f"not {type(self).__name__}({inside}(...))"
            )

    def check_change(self, before: Composite) -> None:
        """Refuse a learner that can not go on with what the one inside has learned."""
        if type(self.learner) is not type(before.learner):
            raise InputError(
                f"{type(self).__name__} has begun with {type(before.learner).__name__}: it can not "
                f"go on with {type(self.learner).__name__}; use fit to begin anew"
            )
        self.learner.check_change(before.learner)

    def kernel_parameters(self) -> None:
        """A composite has no kernels of its own."""

    def linear_weights(self, state: Any) -> Floats:
        """Weights are those of the engines inside."""
        raise NotImplementedError

    def new_space(self) -> FeatureSpace:
        """The names that the learner inside begins with."""
        return self.learner.new_space()

    @property
    def most_features(self) -> int | None:
        """The limit of the learner inside."""
        return self.learner.most_features

    @property
    def keeps_pairs(self) -> bool:
        """Whether the learner inside does."""
        return self.learner.keeps_pairs

    def prepared(self, rows: Rows) -> Rows:
        """Prepare rows for the engine, before features that are unknown are left out.

        Parameters
        ----------
        rows : Rows
            Rows as they came.

        Returns
        -------
        Rows
            Rows as the engine is to see them.
        """
        inside = self.learner
        return inside.prepared(rows) if isinstance(inside, Composite) else rows

    def prepared_one(self, x: Row) -> Row | None:
        """Prepare one row for the engine.

        Parameters
        ----------
        x : mapping
            The value of each observed feature, by name.

        Returns
        -------
        mapping or None
            The row as the engine is to see it; None if a value is not a plain number.
        """
        inside = self.learner
        return inside.prepared_one(x) if isinstance(inside, Composite) else x


class CompositeEngine(Engine):
    """Reads and places rows once, and hands them on to the engines inside.

    A subclass says what is done with rows that are in their columns: ``learn_placed``,
    ``score_placed``, ``learn_row`` and ``score_row``.
    """

    algorithm: Composite

    def inside(self) -> Iterator[Engine]:
        """The engines inside, as far as they have begun."""
        raise NotImplementedError

    def _new_inside(self, labels: Labels, number: int = 0) -> Engine:
        """A new engine inside, ready for rows in the columns of this one's space."""
        pattern = with_shifted_seed(self.algorithm.learner, number)
        engine = pattern.new_engine(space=self.space, labels=labels)
        # As much as here: there may be room for names that were dropped.
        engine.make_room(max(0, self.capacity - len(self.space)))
        return engine

    def _algorithm_inside(self, number: int) -> Any:
        """The parameters that are in force for an engine inside."""
        return with_shifted_seed(self.algorithm.learner, number)

    def change_parameters(self, algorithm: Any) -> None:
        """Go on with other parameters, here and inside."""
        super().change_parameters(algorithm)
        for number, engine in enumerate(self.inside()):
            engine.change_parameters(self._algorithm_inside(number))

    def make_room(self, more: int = 0) -> None:
        """Make room for the features seen so far, and for some more, here and inside."""
        super().make_room(more)
        for engine in self.inside():
            engine.make_room(more)

    @property
    def state_bytes(self) -> int:
        """Bytes held by the arrays of all states."""
        return super().state_bytes + sum(engine.state_bytes for engine in self.inside())

    def prepared(self, rows: Rows) -> Rows:
        prepared: Rows = self.algorithm.prepared(rows)
        return prepared

    def learn_one_quickly(self, x: Row, y: Any, *, converted: bool = False) -> bool:
        prepared = self.algorithm.prepared_one(x)
        if prepared is None:
            return False
        return super().learn_one_quickly(prepared, y, converted=converted)

    def score_one_quickly(self, x: Row, *, converted: bool = False) -> Any:
        prepared = self.algorithm.prepared_one(x)
        if prepared is None:
            return None
        return super().score_one_quickly(prepared, converted=converted)

    def interleave_placed(
        self,
        rows: Rows,
        learned: Rows,
        signs: Floats,
        weights: Floats,
        due: NDArray[np.int64],
    ) -> Floats:
        """Score rows, and learn others in between, in as many calls as it takes."""
        return self.interleave_in_turns(rows, learned, signs, weights, due)


class Wrapper(Composite):
    """A composite with one learner inside."""

    @property
    def scores_are_log_odds(self) -> bool:
        """Whether those of the learner inside are."""
        return self.learner.scores_are_log_odds

    def new_labels(self) -> Labels:
        """The labels that the learner inside begins with."""
        return self.learner.new_labels()

    @property
    def many_classes(self) -> bool:
        """Whether the learner inside can tell more than two labels apart."""
        return self.learner.many_classes

    def allow_any_labels(self) -> Self:
        """Allow it to the learner inside, if nothing was learned yet."""
        if self.engine is None:
            self.learner.allow_any_labels()
        return self


class WrapperEngine(CompositeEngine):
    """An engine around one engine, which has the same labels."""

    inner: Engine

    def begin(self, algorithm: Any) -> None:
        super().begin(algorithm)
        self.inner = self._new_inside(self.labels)

    def inside(self) -> Iterator[Engine]:
        """The one engine inside."""
        yield self.inner

    @property
    def rounds(self) -> int:
        """How many rows were learned."""
        return self.inner.rounds

    @property
    def rows_skipped(self) -> int:
        """How many rows without a label were not learned, here or inside."""
        return self.inner.rows_skipped if isinstance(self.inner, WrapperEngine) else 0

    @property
    def learned_nothing(self) -> bool:
        """Whether no feature was seen and no row skipped; labels may have been declared."""
        return super().learned_nothing and self.rows_skipped == 0

    @property
    def features_kept(self) -> int:
        """How many features have a weight other than zero."""
        return self.inner.features_kept

    def linear_weights(self) -> Floats:
        """The weights of the engine inside, by column."""
        return self.inner.linear_weights()

    def weights(self) -> dict[Hashable, Any]:
        """The weights of the engine inside."""
        return self.inner.weights()

    def new_row(self) -> SingleRow:
        """Buffers as the engine inside needs them."""
        return self.inner.new_row()


def with_shifted_seed(learner: Learner, shift: int) -> Learner:
    """A learner with the same parameters; where it has a seed, that many more."""
    copied = clone(learner)
    seeds = {
        name: value + shift
        for name, value in copied.get_params().items()
        if name == "seed" or name.endswith("__seed")
    }
    return copied.set_params(**seeds) if shift and seeds else copied
