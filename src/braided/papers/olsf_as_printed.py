"""What the printed figures of OLSF and STSD come from: the authors' scripts, stream by stream.

What the scripts leave open, the shares of a set or the C of a figure, was found by trying; german,
of which the authors' 20 orders of the rows are known, comes out to the printed digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from braided.papers.experiment import Curve, Figure, Measure, Table, by_column
from braided.papers.scripts import FROM_HALF, FROM_TENTH, GRID, TENTHS, ScriptRun
from braided.papers.trial import over_rounds, over_values

__all__ = [
    "BESIDE_OFS",
    "SCRIPTS",
    "UNEQUAL",
    "beside_ofs",
    "budgets",
    "figure_as_printed",
    "over_budgets",
    "over_steps",
    "rivals",
    "rounds_panels",
    "table_as_printed",
    "variants",
]

RULES = ("hard", "I", "II")
RIVAL_RULES = ("I", "random", "perceptron", "everything")

OTHER_STREAMS = {"ionosphere": TENTHS, "wbc": FROM_HALF, "wdbc": FROM_HALF}
"""In Table 3 of the journal version; the other sets are on ``FROM_TENTH``."""

ALL_WEIGHTS = ("wbc", "wdbc")
"""Of these sets Table 3 comes nearest without a budget."""

RIVALS_STREAMS = (FROM_HALF, TENTHS, FROM_TENTH, FROM_TENTH)
"""Of OLSF-I, -rand, -per and -all in Table 4."""

SCRIPTS = (
    "The authors' scripts: steps of loss / |x|, new features that move in rounds without a step, "
    "k = floor(B d + 0.5), radius 31.6. Half of the rounds see a tenth of the features, a quarter "
    "sees 0.4 of them, the last quarter 0.7; the last share, all, is for the rounds that the "
    "division by four leaves over. C is the one of 1e-4 to 1e4 with the fewest mistakes in these "
    "very runs. Standardised, rows of length 1; german in the authors' own 20 orders."
)
UNEQUAL = (
    "OLSF-I ran on another stream than its rivals: it saw half of the features at once, then 0.6 "
    "to 0.9; -rand a tenth, then 0.2 to 0.9; -per and -all a tenth for half of the rounds, then "
    "0.4 and 0.7. So that OLSF-I within a budget beats -all is an artefact of unequal streams: on "
    "equal ones -all makes fewer mistakes."
)
BESIDE_OFS = (
    "The authors' scripts, with all weights kept (B = 1, not 0.1), on a stream that shows half of "
    "the features for a third of the rounds, then 0.6 to 0.9; the rest as in Table 3. C is 0.01 "
    "for german, 0.1 for magic04 and a8a and 1 for the others; for OLSF-II 1 for spambase, 0.1 for "
    "svmguide3 and splice and 0.01 for the others. That is our guess, by what comes nearest to "
    "print; neither one C nor the best in hindsight fits all."
)

STEPS_BESIDE_OFS = {
    "OLSF-I": {"german": 0.01, "magic04": 0.1, "a8a": 0.1},
    "OLSF-II": {"german": 0.01, "magic04": 0.01, "a8a": 0.01, "svmguide3": 0.1, "splice": 0.1},
}


def table_as_printed(
    table: Table,
    columns: Mapping[str, Mapping[str, Measure]],
    protocol: str,
    remark: str,
    **changes: Any,
) -> Table:
    """Give a table the protocol that its printed figures come from."""
    printed = replace(table, cells=by_column(columns), protocol=protocol, remark=remark, **changes)
    return replace(table, as_printed=printed)


def figure_as_printed(
    figure: Figure, panels: Mapping[str, Mapping[str, Curve]], protocol: str, remark: str = ""
) -> Figure:
    """Give a figure the protocol that the printed one comes from."""
    printed = replace(figure, panels=panels, protocol=protocol, remark=remark)
    return replace(figure, as_printed=printed)


def variants(
    data: str, names: Sequence[str], *, budget: float | None = None
) -> dict[str, ScriptRun]:
    """OLSF, OLSF-I and OLSF-II as in Table 3, or within another budget."""
    shares = OTHER_STREAMS.get(data, FROM_TENTH)
    kept = (1.0 if data in ALL_WEIGHTS else 0.5) if budget is None else budget
    return {
        name: ScriptRun(data, rule, kept, shares=shares)
        for name, rule in zip(names, RULES, strict=True)
    }


def rivals(
    data: str, names: Sequence[str], *, budget: float, equal: bool = False
) -> dict[str, ScriptRun]:
    """OLSF-I and its three benchmarks, each on its own stream as in Table 4, or on equal ones."""
    streams = (FROM_TENTH,) * 4 if equal else RIVALS_STREAMS
    run = "wbc (complete)" if data == "wbc" else data
    found = {}
    for name, rule, shares in zip(names, RIVAL_RULES, streams, strict=True):
        steps = (0.1,) if rule == "random" else GRID  # C hardly matters when little is kept
        found[name] = ScriptRun(run, rule, budget, steps=steps, shares=shares)
    return found


def budgets(
    data: str, names: Sequence[str], chosen: Sequence[float], *, equal: bool = False
) -> dict[str, Measure]:
    """The rivals within several budgets; the last of them has none."""
    found: dict[str, Measure] = {}
    for budget in chosen:
        *limited, (all_, run) = rivals(data, names, budget=budget, equal=equal).items()
        found |= {f"{name}, B={budget}": each for name, each in limited}
    return {**found, all_: run}


def beside_ofs(data: str, budget: float = 1.0) -> dict[str, ScriptRun]:
    """OLSF-I and OLSF-II as in Table 5."""
    return {
        name: ScriptRun(data, rule, budget, steps=(steps.get(data, 1.0),), shares=FROM_HALF)
        for (name, steps), rule in zip(STEPS_BESIDE_OFS.items(), ("I", "II"), strict=True)
    }


def over_steps(
    sets: Sequence[str], names: Sequence[str], steps: Sequence[float]
) -> dict[str, dict[str, Curve]]:
    """Panels of mistakes against C."""

    def run(data: str, rule: str, step: float) -> ScriptRun:
        return ScriptRun(data, rule, 0.5, steps=(step,), what="per cent")

    return {
        data: {
            name: over_values(steps, partial(run, data, rule))
            for name, rule in zip(names, RULES, strict=True)
        }
        for data in sets
    }


def over_budgets(
    sets: Sequence[str], names: Sequence[str], chosen: Sequence[float], make: str
) -> dict[str, dict[str, Curve]]:
    """Panels of mistakes against B, of ``variants`` or ``rivals``."""

    def run(data: str, name: str, budget: float) -> ScriptRun:
        if make == "variants":
            found = variants(data, names, budget=budget)
        else:
            found = rivals(data, names, budget=budget)
        return replace(found[name], what="per cent")

    return {
        data: {name: over_values(chosen, partial(run, data, name)) for name in names}
        for data in sets
    }


def rounds_panels(runs: Mapping[str, Mapping[str, ScriptRun]]) -> dict[str, dict[str, Curve]]:
    """Panels of mistakes over the rounds, by set."""
    return {data: over_rounds(found) for data, found in runs.items()}
