"""Braid: raw values, one pass, no knobs, features that come and go, probabilities out.

Six cheap experts look at three views of each value; a stack combines them, and exponential weights
choose between the experts and the stack. ``docs/braid.md`` tells the whole way, with the reason of
each constant. A row goes through::

    views.py     z-score, ratio and quantile bin of each value, from statistics.py
    experts/     six logits, each from an expert of its own file
    stack.py     one more, from theirs
    shares.py    the probability: a mean of the seven, weighted by how well each has predicted

and back with its label through the same parts. ``rewind.py`` learns the first rows again when more
is known of their features; ``kernels.py`` holds the parts together, and ``classes.py`` does so for
many classes at once. Within a budget, rows are first brought down to the features that are held
(``budgeted.py``), which ``budget.py`` chooses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.kernels.budget import budget_as_number, check_budget, room_for
from braided.learner.engine import SCORING, Engine
from braided.learner.learner import Learner
from braided.learners.braid import budgeted, kernels
from braided.learners.braid.budgeted import BudgetParameters, BudgetState
from braided.learners.braid.expert_weights import mean_losses
from braided.learners.braid.experts.running import LINEAR, NAMES
from braided.learners.braid.held_features import renumber, waiting_list_length
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import Ints
from braided.learners.braid.many_classes import BraidOfClasses
from braided.parameters import check_choice, check_seed
from braided.rows import as_rows

__all__ = ["Braid"]

STACK = "stack"

FEWEST_NAMES = 1024
"""Names may be remembered up to here, however small the budget is: to forget some takes time."""


class Braid(Learner):
    """Learns from raw values with nothing to choose: scaling, steps and mixing adapt themselves.

    Scores are log odds: ``predict_proba`` gives the probabilities that they mean.

    Parameters
    ----------
    label_memory
        whether the labels of the rows just before count as a hint. Where labels come in runs they
        are a good one, elsewhere they cost nothing; but they must be known in time. Say False if
        labels arrive later than the next row; the commands do so by themselves under ``--delay``.
    budget
        how many features may be held: an int is a number of features, a float a share of those
        seen so far, None no limit. Those with the most evidence about the label for each round are
        held. With a number memory is limited as well: a name that is neither held nor waiting for
        its chance is forgotten, and is new if it returns.
    seed
        of the choice among the new names of a row when there is not room for all of them.

    Examples
    --------
    >>> model = Braid()
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")] * 20:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "unheard of": 1})
    'spam'
    >>> sorted(model.predict_proba_one({"lunch": 1}))
    ['mail', 'spam']
    """

    scores_are_log_odds = True
    scores_in_state = True

    def __init__(
        self, *, label_memory: bool = True, budget: float | None = None, seed: int = 0
    ) -> None:
        self.label_memory = label_memory
        self.budget = budget
        self.seed = seed
        self.check_parameters()

    def check_parameters(self) -> None:
        check_choice("label_memory", self.label_memory, (True, False))
        check_seed(self.seed)
        if self.budget is not None:
            check_budget(self.budget)

    def check_change(self, before: Braid) -> None:
        """Refuse to begin or end a budget once something was learned."""
        if (before.budget is None) != (self.budget is None):
            raise InputError(
                f"budget={self.budget!r} is not allowed now: whether there is one is settled when "
                "learning begins; use fit to begin anew"
            )

    # -------------------------------------------------------------------- what was learned

    @property
    def features_seen(self) -> int:
        """How many features were ever observed; one that was forgotten and returns counts again."""
        state = None if self.engine is None else self.engine.state
        dropped = int(state.forgotten[0]) if isinstance(state, BudgetState) else 0
        return super().features_seen + dropped

    def experts(self) -> dict[str, dict[str, float]]:
        """Of each expert and of the stack: its ``share`` in the mixture, its mean log ``loss``.

        Of each expert also its ``weight`` in the stack.
        """
        if self.engine is None:
            return {}
        learned = _learned(self.engine.state)
        shares, losses = learned.shares.share, mean_losses(learned.shares)
        report = {
            name: {"share": float(share), "loss": float(loss)}
            for name, share, loss in zip((*NAMES, STACK), shares, losses, strict=True)
        }
        for name, weight in zip(NAMES, learned.stack.weight, strict=False):
            report[name]["weight"] = float(weight)
        return report

    def explain(self, x: Mapping[Hashable, Any]) -> dict[Hashable, float]:
        """Explain the score of a row: how much each feature pushed it.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The push of each feature towards ``classes_[1]``, the strongest first. A push is the
            difference that the feature makes to the experts' log odds, as they are mixed now.
            Features that were never seen, or are not held, push nothing and are left out.
        """
        engine = self.engine
        if engine is None:
            return {}
        columns, is_held = engine.space.columns, held_columns(engine.state)
        known = {
            name: value
            for name, value in next(as_rows([x]).dicts()).items()
            if name in columns and is_held[columns[name]]
        }
        with SCORING:
            odds = _log_odds(engine, known)
            pushes = {
                name: odds - _log_odds(engine, {n: v for n, v in known.items() if n != name})
                for name in known
            }
        return dict(sorted(pushes.items(), key=lambda push: -abs(push[1])))

    # ----------------------------------------------------------------------- the algorithm

    def kernel_parameters(self) -> BraidParameters | BudgetParameters:
        parameters = BraidParameters(label_memory=bool(self.label_memory))
        if self.budget is None:
            return parameters
        return BudgetParameters(parameters, budget_as_number(self.budget))

    def new_state(self, capacity: int) -> BraidState | BudgetState:
        if self.budget is None:
            return kernels.new_state(capacity)
        return budgeted.new_state(capacity, *self._places(capacity), int(self.seed))

    def _places(self, capacity: int) -> tuple[int, int]:
        """How many of so many features can be held or wait, and how many of them can be held."""
        assert self.budget is not None
        held = room_for(self.budget, capacity) or capacity
        return min(capacity, held + waiting_list_length(held)), held

    def linear_weights(self, state: BraidState | BudgetState) -> NDArray[np.float64]:
        """What a usual value of each feature pushes, by the experts that are linear in it."""
        learned = _learned(state)
        weights = learned.experts.weights[:, list(LINEAR.values())].astype(np.float64)
        mixed: NDArray[np.float64] = weights @ _expert_weights(learned)[list(LINEAR)]
        if not isinstance(state, BudgetState):
            return mixed
        held = held_columns(state)
        by_column = np.zeros(held.size)
        by_column[held] = mixed[state.places.slot[held]]
        return by_column

    def adapted(self, state: BraidState | BudgetState, before: Braid) -> BraidState | BudgetState:
        if isinstance(state, BudgetState):
            assert self.budget is not None
            budgeted.fit_budget(state, budget_as_number(self.budget))
        return state

    def with_room(self, state: BraidState | BudgetState, columns: Ints) -> BraidState | BudgetState:
        if isinstance(state, BudgetState):
            return budgeted.with_room(state, columns.size)
        return kernels.with_room(state, columns.size, int(state.seen[0]))

    def state_as_in(
        self, length: Callable[[str], int], capacity: int, classes: int
    ) -> BraidState | BudgetState:
        if self.budget is None:
            room = length("bins.edges"), length("first.values")
            return kernels.new_state(capacity, *room)
        places = length("places.column"), length("places.heap.order")
        room = length("braid.bins.edges"), length("braid.first.values")
        return budgeted.new_state(capacity, *places, int(self.seed), *room)

    def is_sound(self, state: BraidState | BudgetState, capacity: int) -> bool:
        if isinstance(state, BudgetState):
            assert self.budget is not None
            slots, held = self._places(capacity)
            enough = state.places.column.size >= slots and state.places.heap.order.size >= held
            return enough and budgeted.are_sound(state, budget_as_number(self.budget))
        return kernels.are_sound(state)

    def of_classes(self) -> BraidOfClasses | None:
        """The algorithm that learns all classes at once; within a budget each holds its own."""
        return None if self.budget is not None else BraidOfClasses(label_memory=self.label_memory)

    def most_names(self) -> float:
        if not isinstance(self.budget, Integral):
            return math.inf
        budget = int(self.budget)
        return max(FEWEST_NAMES, 2 * (budget + waiting_list_length(budget)))

    def names_in_use(self, state: BudgetState) -> NDArray[np.intp]:
        return np.flatnonzero(state.places.slot >= 0)

    def renumber(self, state: BudgetState, columns: NDArray[np.intp], dropped: int) -> None:
        state.forgotten[0] += dropped
        renumber(state.places, columns)


def _learned(state: BraidState | BudgetState) -> BraidState:
    """What the experts and their mixture learned; within a budget, by slot."""
    return state.braid if isinstance(state, BudgetState) else state


def held_columns(state: BraidState | BudgetState) -> NDArray[np.bool_]:
    """Whether the feature of a column takes part in predictions."""
    if not isinstance(state, BudgetState):
        return np.ones(state.features.stats.shape[0], np.bool_)
    places = state.places
    held: NDArray[np.bool_] = places.slot >= 0
    held[held] = places.heap.position[places.slot[held]] >= 0
    return held


def _log_odds(engine: Engine, x: Mapping[Hashable, Any]) -> float:
    """The experts' logits, mixed without limits, so that no push is hidden by another."""
    engine.score_one(x)  # which leaves the logits in the state
    learned = _learned(engine.state)
    return float(_expert_weights(learned) @ learned.logits) * engine.labels.orientation


def _expert_weights(learned: BraidState) -> NDArray[np.float64]:
    """How much each expert counts, by itself and through the stack."""
    shares, stack = learned.shares.share, learned.stack.weight
    total: NDArray[np.float64] = shares[:-1] + shares[-1] * stack[: len(NAMES)]
    return total
