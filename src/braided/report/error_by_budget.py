"""Error by budget: learners that have a budget are run with several, and their errors drawn."""

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
    """The error rates of one learner for several budgets.

    Attributes
    ----------
    label : str
        The label of the learner, without a budget.
    number : int
        The number of the contender, which decides the colour.
    budgets : sequence of float
        The budgets.
    errors : ndarray of float
        The error rates: a row for each budget, a column for each seed.
    """

    label: str
    number: int
    budgets: Sequence[float]
    errors: NDArray[np.float64]


def with_budget(plan: Plan) -> dict[int, Contender]:
    """The contenders that have a budget parameter, by number, each once and without its value."""
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
    """Evaluate the learners that have a budget on one data set, with each budget and seed.

    Parameters
    ----------
    plan : Plan
        Data sets, contenders and streams.
    data : str
        The name of the data set.
    budgets : sequence of float
        The budgets: ints are numbers of features, floats shares of the features seen.
    repeats : int, at least 1
        How many seeds.
    seed : int, at least 0, default 0
        The first seed.
    progress : callable, optional
        Called with 1 after each run.

    Returns
    -------
    list of BudgetErrors
        The error rates of each learner.
    """
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
    """Draw the error rate for each budget; None if no budgets were tried."""
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
        "budget, as a share of the features seen" if shares else "budget, in features",
        type="log",
        tickvals=budgets,
        ticktext=[f"{budget:.3g}" if not shares else f"{100 * budget:.3g} %" for budget in budgets],
    )
    repeats = sweep[0].errors.shape[1]
    of = f", mean of {repeats} runs." if repeats > 1 else "."
    return Chart(
        "Error by budget",
        "The error rate at the end of the stream, if only so many features are kept" + of,
        traces,
        layout(across, axis("mistakes in %", rangemode="tozero")),
        keys,
    )
