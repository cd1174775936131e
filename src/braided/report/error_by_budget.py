"""Error by budget: the learners that have one, under one budget after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from braided import registry
from braided.evaluate import Contender, Plan
from braided.report.chart import Chart, Key, Trace, axis, band_traces, colour, dash, layout

__all__ = ["BudgetErrors", "budget_chart", "budget_sweep", "with_budget"]


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


def budget_chart(sweep: Sequence[BudgetErrors]) -> Chart | None:
    """What a budget costs in mistakes; None if no budgets were tried."""
    if not sweep:
        return None
    keys = [Key(swept.label, colour(swept.number), dash(swept.number)) for swept in sweep]
    traces: list[Trace] = []
    for number, swept in enumerate(sweep):
        traces += band_traces(number, keys[number], np.array(swept.budgets), 100 * swept.errors.T)
        traces[-1]["mode"] = "lines+markers"
    budgets = sweep[0].budgets
    shares = isinstance(budgets[0], float)
    across = axis(
        "features allowed" + ", of those seen" * shares,
        type="log",
        tickvals=budgets,
        ticktext=[f"{budget:.3g}" if not shares else f"{100 * budget:.3g} %" for budget in budgets],
    )
    repeats = sweep[0].errors.shape[1]
    of = f", mean of {repeats} runs." if repeats > 1 else "."
    return Chart(
        "Error by budget",
        "What it costs to keep only so many features: mistakes at the end of the stream" + of,
        traces,
        layout(across, axis("mistakes in %")),
        keys,
    )
