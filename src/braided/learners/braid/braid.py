"""Braid: a learner of raw values without parameters to tune, which predicts probabilities.

Six cheap experts use three views of each value; a stack combines them, and exponential weights
choose between the experts and the stack. ``docs/braid.md`` describes it in full, with the reason of
each constant. A row is scored by::

    views.py           z-score, ratio and quantile bin of each value, from statistics.py
    experts/           six logits, each from an expert in a file of its own
    stack.py           one more logit, from those of the experts
    expert_weights.py  the probability: a mean of the seven, weighted by how well each has predicted

and learned by the same parts. ``replay.py`` keeps the first rows, which are learned again when more
is known about their features; ``kernels.py`` connects the parts, and ``many_classes.py`` does so
for many classes at once. With a budget, only the features that are held are learned
(``budgeted.py``), and ``held_features.py`` chooses them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.kernels.budget import budget_as_number, room_for
from braided.learner.engine import SCORING, Engine
from braided.learner.learner import Learner
from braided.learner.widening import WideningEngine
from braided.learners.braid import budgeted, kernels
from braided.learners.braid.budgeted import BudgetParameters, BudgetState
from braided.learners.braid.expert_weights import mean_losses
from braided.learners.braid.experts.all_experts import LINEAR, NAMES
from braided.learners.braid.forest.layout import LARGEST, forest_as_in
from braided.learners.braid.held_features import renumber, waiting_list_length
from braided.learners.braid.interactions import (
    AWAKE,
    FOREST,
    INTERACTION_ARRAYS,
    MEMBER_NAMES,
    PAIRS,
    InteractionParameters,
    NoInteractions,
    UsedExperts,
)
from braided.learners.braid.kernels import BraidParameters, BraidState
from braided.learners.braid.layout import Ints
from braided.learners.braid.many_classes import BraidOfClasses
from braided.learners.braid.merging import merged_state
from braided.parameters import check_budget, check_choice, check_seed
from braided.registry import EXPERTS
from braided.targets import NO_CLASS

if TYPE_CHECKING:
    from braided.learner.merging import Merge

__all__ = ["Braid"]

STACK = "stack"
STACKS = (STACK, MEMBER_NAMES[-1])

ALL, ADDITIVE = "all", "additive"
ADDITIVE_ONLY = UsedExperts((True,) * len(NAMES), False, False)

FEWEST_NAMES = 1024
"""At least so many names are remembered, even with a small budget: dropping names takes time."""


class Braid(Learner):
    """A learner of raw values that adapts its scaling, its steps and its mixture by itself.

    It learns two labels or many. At the third label the model goes on as ``OneVsRest(Braid())`` in
    which that label appears: what was learned of the first two stays. Scores are log odds:
    ``predict_proba`` returns the probabilities.

    Parameters
    ----------
    label_memory : bool, default True
        Whether the labels of the rows before are used in a prediction. It helps where equal labels
        follow one another, and costs nothing elsewhere. It must be False if labels come later than
        the next row; the commands set it so under ``--delay``.
    budget : int, at least 1, or float, above 0 and at most 1, optional
        How many features may be held: an int is a number of features, a float a share of those
        seen so far; no limit if left out. The features with the most evidence about the label for
        each round are held. An int limits memory as well: names that are neither held nor on the
        waiting list are dropped, and are new if they return. With more than two labels, features
        are held for each label, and no more names are dropped.
    seed : int, at least 0, default 0
        The seed of the forest's choices, and of the choice among the new names of a row if there is
        not room for all.
    experts : "additive", "all" or list of str, default "additive"
        The experts that are used: those that add up what single features tell, these and the forest
        and pairs, or those of a list, by the names that ``braided learners`` shows. With forest and
        pairs a Braid learns what features tell together, and takes several times as long.

    Examples
    --------
    >>> model = Braid()
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"lunch": 1, "now": 1}, "mail")] * 20:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"cheap": 1, "never seen": 1})
    'spam'
    >>> sorted(model.predict_proba_one({"lunch": 1}))
    ['mail', 'spam']
    >>> for x, y in [({"cheap": 1, "now": 1}, "spam"), ({"invoice": 1}, "work")] * 20:
    ...     model.learn_one(x, y)
    >>> model.predict_one({"invoice": 1}), model.predict_one({"lunch": 1})
    ('work', 'mail')
    """

    any_labels = True
    scores_are_log_odds = True
    scores_in_state = True
    score_buffers = kernels.BUFFERS | budgeted.BUFFERS
    not_mergeable_because = (
        "with a budget, models hold evidence about different features, and forests have no mean"
    )

    arrays_added_later = (*INTERACTION_ARRAYS, *(f"braid.{path}" for path in INTERACTION_ARRAYS))
    parameters_added_later = ("experts",)

    # The method ``experts`` has the parameter's name. A slot, because scikit-learn allows only
    # parameters among an estimator's variables.
    __slots__ = ("chosen_experts",)
    attributes = MappingProxyType({"experts": "chosen_experts"})
    largest_forest = LARGEST

    def __init__(
        self,
        *,
        label_memory: bool = True,
        budget: float | None = None,
        seed: int = 0,
        experts: str | Sequence[str] = ADDITIVE,
    ) -> None:
        self.label_memory = label_memory
        self.budget = budget
        self.seed = seed
        self.chosen_experts = experts

    def __getstate__(self) -> dict[str, Any]:
        """Everything but caches, the slot included."""
        return {**super().__getstate__(), "chosen_experts": self.chosen_experts}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        """Take back what ``__getstate__`` gave."""
        attributes = dict(attributes)
        self.chosen_experts = attributes.pop("chosen_experts", ADDITIVE)
        super().__setstate__(attributes)

    def check_parameters(self) -> None:
        check_choice("label_memory", self.label_memory, (True, False))
        check_seed(self.seed)
        if self.budget is not None:
            check_budget(self.budget)
        self._check_experts()

    def _check_experts(self) -> None:
        experts = self.chosen_experts
        if experts in (ALL, ADDITIVE):
            return
        known = EXPERTS.names()
        listed = isinstance(experts, (list, tuple)) and len(experts) > 0
        unknown = [name for name in experts if name not in known] if listed else []
        if not listed or unknown or len(set(experts)) < len(experts):
            raise InputError(
                f"experts={experts!r} is not allowed: 'all', 'additive', or a list of some of "
                f"{', '.join(known)}, each once",
                argument="experts",
            )

    @property
    def used(self) -> UsedExperts:
        """Which experts are used."""
        chosen = self.chosen_experts
        if chosen == ADDITIVE:
            return ADDITIVE_ONLY
        names = EXPERTS.names() if chosen == ALL else list(chosen)
        additive = tuple(name in names for name in NAMES)
        return UsedExperts(additive, FOREST in names, PAIRS in names)

    def check_change(self, before: Braid) -> None:
        """Refuse to add or remove a budget or experts after something was learned."""
        if (before.budget is None) != (self.budget is None):
            raise InputError(
                f"budget={self.budget!r} is not allowed now: a budget can not be added or removed "
                "after learning has begun; use fit to begin anew"
            )
        if self.used != before.used:
            raise InputError(
                f"experts={self.chosen_experts!r} is not allowed now: experts can not be added or "
                "removed after learning has begun; use fit to begin anew"
            )

    # -------------------------------------------------------------------- what was learned

    @property
    def features_seen(self) -> int:
        """How many features were ever observed; one that was dropped and returns counts again."""
        states = [engine.state for engine in self._engines().values()]
        dropped = [int(state.forgotten[0]) for state in states if isinstance(state, BudgetState)]
        return super().features_seen + max(dropped, default=0)

    def experts(self) -> dict[Any, dict[str, Any]]:
        """Return how much each expert counts, and how well it predicts.

        Returns
        -------
        dict
            By name, for each expert and the stack: ``share``, its weight in the mixture, and
            ``loss``, its mean log loss; for each expert also ``weight``, its weight in the stack.
            Empty before anything was learned. With more than two labels, such a dict for each label
            against the rest.

        Examples
        --------
        >>> model = Braid()
        >>> model.learn_one({"cheap": 1}, "spam")
        >>> sorted(model.experts()["naive Bayes"])
        ['loss', 'share', 'weight']
        """
        return self._of_each(lambda engine: _experts(engine.state))

    def explain(self, x: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
        """Explain the score of a row: how much each feature pushed it.

        Parameters
        ----------
        x : dict
            The value of each observed feature, by name.

        Returns
        -------
        dict
            The push of each feature towards ``classes_[1]``, the strongest first. A push is the
            difference that the feature makes to the log odds of the experts, with their present
            weights. Features that were never seen, or are not held, are left out. With more than
            two labels, such a dict for each label, with the pushes towards it.
        """
        row = {} if self.engine is None else self.engine.features_of(x)
        return self._of_each(lambda engine: _pushes(engine, row))

    def _of_each(self, tell: Callable[[Engine], dict[Any, Any]]) -> dict[Hashable, Any]:
        """What is told of the model or, with more than two labels, of that of each label."""
        told = {label: tell(engine) for label, engine in self._engines().items()}
        return told if self.weights_by_class else next(iter(told.values()), {})

    def _engines(self) -> dict[Hashable, Engine]:
        """The engine of two labels, or that of each label if there are more."""
        engine = self.engine
        if engine is None:
            return {}
        models = engine.models() if isinstance(engine, WideningEngine) else {}
        return models or {None: engine}

    # ----------------------------------------------------------------------- the algorithm

    def kernel_parameters(self) -> BraidParameters | BudgetParameters:
        used = self.used
        kind = InteractionParameters if used.forest or used.pairs else NoInteractions
        interactions = kind(used.forest, used.pairs)
        parameters = BraidParameters(bool(self.label_memory), interactions)
        if self.budget is None:
            return parameters
        return BudgetParameters(parameters, budget_as_number(self.budget))

    def new_state(self, capacity: int) -> BraidState | BudgetState:
        if self.budget is None:
            return kernels.new_state(
                capacity, self.used, int(self.seed), largest=self.largest_forest
            )
        places = self._places(capacity)
        return budgeted.new_state(
            capacity, *places, self.used, int(self.seed), largest=self.largest_forest
        )

    def _places(self, capacity: int) -> tuple[int, int]:
        """The number of slots for so many features, and how many of them can be held."""
        assert self.budget is not None
        held = room_for(self.budget, capacity) or capacity
        return min(capacity, held + waiting_list_length(held)), held

    def linear_weights(self, state: BraidState | BudgetState) -> NDArray[np.float64]:
        """The push of a usual value of each feature, by the experts that are linear in it."""
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

    @property
    def is_mergeable(self) -> bool:
        return self.budget is None and not (self.used.forest or self.used.pairs)

    def merged_state(self, state: BraidState, merge: Merge) -> BraidState:
        return merged_state(state, merge)

    def with_room(self, state: BraidState | BudgetState, columns: Ints) -> BraidState | BudgetState:
        if isinstance(state, BudgetState):
            return budgeted.with_room(state, columns.size)
        return kernels.with_room(state, columns.size, int(state.seen[0]))

    def state_as_in(
        self, length: Callable[..., int], capacity: int, classes: int
    ) -> BraidState | BudgetState:
        seed = int(self.seed)
        if self.budget is None:
            room = length("bins.edges"), length("first.values")
            trees = forest_as_in(length, self.used.forest, self.largest_forest)
            return kernels.new_state(capacity, self.used, seed, *room, trees, self.largest_forest)
        places = length("places.column"), length("places.heap.order")
        room = length("braid.bins.edges"), length("braid.first.values")
        trees = forest_as_in(length, self.used.forest, self.largest_forest, "braid.")
        return budgeted.new_state(
            capacity, *places, self.used, seed, *room, trees, self.largest_forest
        )

    def is_sound(self, state: BraidState | BudgetState, capacity: int) -> bool:
        if isinstance(state, BudgetState):
            assert self.budget is not None
            slots, held = self._places(capacity)
            enough = state.places.column.size >= slots and state.places.heap.order.size >= held
            budget = budget_as_number(self.budget)
            return enough and budgeted.are_sound(state, budget, self.largest_forest)
        return kernels.are_sound(state, self.largest_forest)

    def of_classes(self, turned: int = NO_CLASS) -> BraidOfClasses | None:
        """The algorithm of many classes; None with a budget: each class holds its own features."""
        if self.budget is not None:
            return None
        return BraidOfClasses(
            self.used,
            label_memory=self.label_memory,
            seed=int(self.seed),
            largest_forest=self.largest_forest,
            turned=turned,
        )

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
    """The state of the experts and their mixture; with a budget, by slot."""
    return state.braid if isinstance(state, BudgetState) else state


def held_columns(state: BraidState | BudgetState) -> NDArray[np.bool_]:
    """Whether the feature of each column is used in predictions."""
    if not isinstance(state, BudgetState):
        return np.ones(state.features.stats.shape[0], np.bool_)
    places = state.places
    held: NDArray[np.bool_] = places.slot >= 0
    held[held] = places.heap.position[places.slot[held]] >= 0
    return held


def _experts(state: BraidState | BudgetState) -> dict[str, dict[str, float]]:
    learned = _learned(state)
    parts = learned.interactions
    mixed = parts.shares.share.size > 0
    own = parts.shares.share[0] if mixed else 1.0
    members = zip(learned.shares.share * own, mean_losses(learned.shares), strict=True)
    report = dict(zip((*NAMES, STACK), members, strict=True))
    weights = dict(zip(NAMES, learned.stack.weight, strict=False))
    if mixed:
        others = zip(parts.shares.share[1:], mean_losses(parts.shares)[1:], strict=True)
        report |= zip(MEMBER_NAMES, others, strict=True)
        weights = dict(zip((*NAMES, *MEMBER_NAMES), parts.stack.weight, strict=False))
    told = {}
    for name, (share, loss) in report.items():
        if share > 0.0:  # it is used
            told[name] = {"share": float(share), "loss": float(loss)}
            if name in weights and name not in STACKS:
                told[name]["weight"] = float(weights[name])
    return told


def _pushes(engine: Engine, x: Mapping[Hashable, Any]) -> dict[Hashable, float]:
    columns, is_held = engine.space.columns, held_columns(engine.state)
    known = {n: v for n, v in x.items() if n in columns and is_held[columns[n]]}
    with SCORING:
        odds = _log_odds(engine, known)
        pushes = {
            name: odds - _log_odds(engine, {n: v for n, v in known.items() if n != name})
            for name in known
        }
    return dict(sorted(pushes.items(), key=lambda push: -abs(push[1])))


def _log_odds(engine: Engine, x: Mapping[Hashable, Any]) -> float:
    """The mean of the experts' logits without limits, so that no push hides another."""
    engine.score_one(x)  # it writes the logits to the state
    learned = _learned(engine.state)
    parts = learned.interactions
    odds = _expert_weights(learned) @ learned.logits
    if parts.worth.size and parts.worth[AWAKE]:  # it was used for this row
        share, second = parts.shares.share, parts.stack.weight[: parts.logits.size]
        others = parts.logits[len(NAMES) :]
        odds = share[0] * odds + share[1:-1] @ others + share[-1] * (second @ parts.logits)
    return float(odds) * engine.labels.orientation


def _expert_weights(learned: BraidState) -> NDArray[np.float64]:
    """The weight of each additive expert, by itself and through the stack."""
    shares, stack = learned.shares.share, learned.stack.weight
    total: NDArray[np.float64] = shares[:-1] + shares[-1] * stack[: len(NAMES)]
    return total
