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
from braided.learner.turns import ONE_AT_A_TIME, ScoresInTurns
from braided.learners.braid import budgeted, kernels
from braided.learners.braid.budgeted import BudgetParameters, BudgetState
from braided.learners.braid.expert_weights import mean_losses
from braided.learners.braid.experts import LINEAR, NAMES
from braided.learners.braid.held_features import renumber, waiting_room
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import Ints
from braided.learners.braid.shared_classes import BraidOfClasses
from braided.parameters import check_choice, check_seed
from braided.rows.convert import as_rows

__all__ = ["Braid"]

STACK = "stack"

FEWEST_NAMES = 1024
"""Names may be remembered up to here, however small the budget is: to forget some takes time."""


class Braid(ScoresInTurns):
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

    def __init__(
        self, *, label_memory: bool = True, budget: float | None = None, seed: int = 0
    ) -> None:
        self.label_memory = label_memory
        self.budget = budget
        self.seed = seed
        self._check()

    def _check(self) -> None:
        check_choice("label_memory", self.label_memory, (True, False))
        check_seed(self.seed)
        if self.budget is not None:
            check_budget(self.budget)
        begun = self._state is not None and not self._learned_nothing
        if begun and self._is_budgeted != (self.budget is not None):
            raise InputError(
                f"budget={self.budget!r} is not allowed now: whether there is one is settled when "
                "learning begins; use fit to begin anew"
            )

    # -------------------------------------------------------------------- what was learned

    @property
    def features_seen(self) -> int:
        """How many features were ever observed; one that was forgotten and returns counts again."""
        forgotten = int(self._state.forgotten[0]) if self._is_budgeted else 0
        return super().features_seen + forgotten

    def experts(self) -> dict[str, dict[str, float]]:
        """Of each expert and of the stack: its ``share`` in the mixture, its mean log ``loss``.

        Of each expert also its ``weight`` in the stack.
        """
        if self._state is None:
            return {}
        shares, losses = self._learned.shares.share, mean_losses(self._learned.shares)
        report = {
            name: {"share": float(share), "loss": float(loss)}
            for name, share, loss in zip((*NAMES, STACK), shares, losses, strict=True)
        }
        for name, weight in zip(NAMES, self._learned.stack.weight, strict=False):
            report[name]["weight"] = float(weight)
        return report

    def explain(self, x: Mapping[Hashable, Any]) -> dict[Hashable, float]:
        """How much each feature of a row pushed it towards ``classes_[1]``, the strongest first.

        A push is the difference that the feature makes to the experts' log odds, as they are mixed
        now. Features that were never seen, or are not held, push nothing and are left out.
        """
        if self._state is None:
            return {}
        columns, is_held = self._space.columns, self._held_columns()
        known = {
            name: value
            for name, value in next(as_rows([x]).dicts()).items()
            if name in columns and is_held[columns[name]]
        }
        with ONE_AT_A_TIME:
            odds = self._log_odds(known)
            pushes = {
                name: odds - self._log_odds({n: v for n, v in known.items() if n != name})
                for name in known
            }
        return dict(sorted(pushes.items(), key=lambda push: -abs(push[1])))

    def _log_odds(self, x: Mapping[Hashable, Any]) -> float:
        """The experts' logits, mixed without limits, so that no push is hidden by another."""
        self._score_one_inward(x)  # which leaves the logits in the state
        return float(self._expert_weights() @ self._learned.logits) * self._labels.outward

    def _expert_weights(self) -> NDArray[np.float64]:
        """How much each expert counts, by itself and through the stack."""
        shares, stack = self._learned.shares.share, self._learned.stack.weight
        total: NDArray[np.float64] = shares[:-1] + shares[-1] * stack[: len(NAMES)]
        return total

    def _linear_weights(self) -> NDArray[np.float64]:
        """What a usual value of each feature pushes, by the experts that are linear in it."""
        weights = self._learned.experts.weights[:, list(LINEAR.values())].astype(np.float64)
        mixed: NDArray[np.float64] = weights @ self._expert_weights()[list(LINEAR)]
        if not self._is_budgeted:
            return mixed
        by_column = np.zeros(self._capacity)
        held = self._held_columns()
        by_column[held] = mixed[self._state.places.slot[held]]
        return by_column

    # ------------------------------------------------------------------------------ inside

    def _of_classes(self) -> BraidOfClasses | None:
        if self.budget is not None:  # each class holds features of its own
            return None
        return BraidOfClasses(label_memory=self.label_memory)

    @property
    def _is_budgeted(self) -> bool:
        return isinstance(self._state, BudgetState)

    @property
    def _learned(self) -> BraidState:
        """What the experts and their mixture learned; within a budget, by slot."""
        braid: BraidState = self._state.braid if self._is_budgeted else self._state
        return braid

    def _held_columns(self) -> NDArray[np.bool_]:
        """Whether the feature of a column takes part in predictions."""
        if not self._is_budgeted:
            return np.ones(self._capacity, np.bool_)
        places = self._state.places
        held: NDArray[np.bool_] = places.slot >= 0
        held[held] = places.heap.position[places.slot[held]] >= 0
        return held

    def _parameters(self) -> BraidParameters | BudgetParameters:
        parameters = BraidParameters(label_memory=bool(self.label_memory))
        if self.budget is None:
            return parameters
        return BudgetParameters(parameters, budget_as_number(self.budget))

    def _fresh_state(self, capacity: int) -> BraidState | BudgetState:
        if self.budget is None:
            return kernels.new_state(capacity)
        return budgeted.new_state(capacity, *self._places(capacity), int(self.seed))

    def _places(self, capacity: int) -> tuple[int, int]:
        """How many of so many features can be held or wait, and how many of them can be held."""
        assert self.budget is not None
        held = room_for(self.budget, capacity) or capacity
        return min(capacity, held + waiting_room(held)), held

    def _with_room_for(self, columns: Ints) -> bool:
        before = self._state
        if self._is_budgeted:
            self._state = budgeted.with_room(before, columns.size)
        else:
            self._state = kernels.with_room(before, columns.size, int(before.seen[0]))
        return self._state is not before

    def _make_room_as_in(self, length: Callable[[str], int]) -> None:
        if self.budget is None:
            room = length("bins.edges"), length("first.values")
            self._state = kernels.new_state(self._capacity, *room)
        else:
            places = length("places.column"), length("places.heap.order")
            room = length("braid.bins.edges"), length("braid.first.values")
            self._state = budgeted.new_state(self._capacity, *places, int(self.seed), *room)

    def _adapted(self, state: BraidState | BudgetState) -> BraidState | BudgetState:
        if isinstance(state, BudgetState):
            budgeted.fit_budget(state, self._kernel_parameters.budget)
        return state

    def _is_sound(self, state: BraidState | BudgetState) -> bool:
        if isinstance(state, BudgetState):
            slots, held = self._places(self._capacity)
            enough = state.places.column.size >= slots and state.places.heap.order.size >= held
            return enough and budgeted.are_sound(state, self._kernel_parameters.budget)
        return kernels.are_sound(state)

    # ------------------------------------------------------------------------------ names

    def _most_names_wanted(self) -> float:
        if not isinstance(self.budget, Integral):
            return math.inf
        budget = int(self.budget)
        return max(FEWEST_NAMES, 2 * (budget + waiting_room(budget)))

    def _names_in_use(self) -> NDArray[np.intp]:
        return np.flatnonzero(self._state.places.slot >= 0)

    def _renumber(self, columns: NDArray[np.intp]) -> None:
        self._state.forgotten[0] += len(self._space) - columns.size
        renumber(self._state.places, columns)
