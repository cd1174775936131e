"""Error by budget: the learners that have one, under one budget after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.evaluate import Contender, Plan

__all__ = ["BudgetErrors", "budget_sweep", "with_budget"]


class BudgetErrors(NamedTuple):
    """A learner, the number of the contender that it is, and what came out for each budget."""

    label: str
    number: int
    budgets: Sequence[float]
    errors: NDArray[np.float64]
    """Error rates: a line for each budget, a column for each seed."""


def with_budget(plan: Plan) -> dict[int, Contender]:
    """The contenders that have a budget, without the one that was chosen; each of them once."""
    found: dict[int, Contender] = {}
    for number, contender in enumerate(plan.contenders):
        if "budget" in registry.parameters(contender.name):
            chosen = {n: v for n, v in contender.parameters.items() if n != "budget"}
            bare = Contender(contender.name, chosen)
            if bare not in found.values():
                found[number] = bare
    return found


def budget_sweep(
    plan: Plan,
    data: str,
    budgets: Sequence[float],
    *,
    repeats: int,
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[BudgetErrors]:
    """Run the learners that have a budget on one set, under each budget and seed."""
    sweep = []
    for number, contender in with_budget(plan).items():
        errors = np.empty((len(budgets), repeats))
        for i, budget in enumerate(budgets):
            chosen = Contender(contender.name, {**contender.parameters, "budget": budget})
            part = replace(plan, contenders=[chosen])
            for j in range(repeats):
                errors[i, j] = part.evaluate(data, 0, seed + j).error_rate
                if progress is not None:
                    progress(1)
        sweep.append(BudgetErrors(contender.label, number, budgets, errors))
    return sweep if budgets else []
