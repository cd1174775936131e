"""Zhang et al. 2016, first half: OLSF beside its own variants; Tables 3, 4 and Figures 2 to 6."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from braided.papers import olsf_as_printed as scripts
from braided.papers.experiment import (
    Claim,
    Experiment,
    Figure,
    Paper,
    Table,
    by_column,
    highest,
    lower,
)
from braided.papers.trial import Trial, over_rounds, over_values

__all__ = ["NAMES", "PAPER", "STEPS", "against_c", "budgets", "experiments", "rivals", "variants"]

PAPER = Paper("olsf", "Zhang et al., Online Learning from Trapezoidal Data Streams, TKDE 2016")

UCI = ("wpbc", "ionosphere", "wdbc", "isolet", "wbc", "german", "svmguide3", "splice", "HAPT",
       "spambase", "magic04", "a8a")  # fmt: skip
NAMES = ("OLSF", "OLSF-I", "OLSF-II")
STEPS = tuple(10.0**k for k in range(-4, 5))
BUDGETS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)

TEN_CHUNKS = (
    "Ten chunks, each with a tenth of the features more; radius 30; each feature standardised and "
    "each row scaled to length 1 over the whole set beforehand, which the paper does not say."
)

SOFT_IS_BETTER = Claim(
    "OLSF-I and OLSF-II make fewer mistakes than OLSF",
    lambda found: max(found["OLSF-I"][-1], found["OLSF-II"][-1]) <= found["OLSF"][-1],
)


def experiments() -> list[Experiment]:
    """In the order of the paper."""
    return [_table_3(), _figure_2(), _figure_3(), _figure_4(), _table_4(), _figure_5(), _figure_6()]


def variants(
    data: str, names: Sequence[str] = NAMES, *, budget: float = 0.5, step: float = 0.1
) -> dict[str, Trial]:
    """The three algorithms on a trapezoidal stream."""
    parameters = {"budget": budget, "radius": 30.0, "aggressiveness": step}
    return {
        name: Trial(data, "olsf", {"variant": variant, **parameters}, stream="trapezoidal")
        for name, variant in zip(names, ("hard", "I", "II"), strict=True)
    }


def rivals(
    data: str, names: Sequence[str], *, budget: float, stream: str = "trapezoidal"
) -> dict[str, Trial]:
    """OLSF-I, with random selection, as a perceptron, and with all features."""
    changes: Sequence[dict[str, Any]] = (
        {}, {"selection": "random"}, {"update": "perceptron"}, {"budget": 1.0},
    )  # fmt: skip
    parameters = {"budget": budget, "radius": 30.0, "aggressiveness": 0.1}
    return {
        name: Trial(data, "olsf-i", {**parameters, **change}, stream=stream)
        for name, change in zip(names, changes, strict=True)
    }


RIVALS = ("OLSF-I", "OLSF-I-rand", "OLSF-I-per", "OLSF-I-all")


def budgets(
    data: str, names: Sequence[str], chosen: Sequence[float], stream: str = "trapezoidal"
) -> dict[str, Trial]:
    """The rivals within several budgets; the last of them has none."""
    found: dict[str, Trial] = {}
    for budget in chosen:
        *limited, (everything, trial) = rivals(data, names, budget=budget, stream=stream).items()
        found |= {f"{name}, B={budget}": each for name, each in limited}
    return {**found, everything: trial}


def _table_3() -> Table:
    table = Table(
        paper=PAPER,
        number="Table 3",
        title="mistakes of OLSF, OLSF-I and OLSF-II on 12 sets",
        protocol=f"{TEN_CHUNKS} B = 0.5 and C = 0.1, as in the earlier paper, which prints the "
        "same numbers for six of the sets; 20 permutations.",
        remark="The printed figures come from another stream and another step.",
        quick=5,
        claims=[SOFT_IS_BETTER],
        cells=by_column({data: variants(data) for data in UCI}),
    )
    return scripts.table_as_printed(
        table,
        {data: scripts.variants(data, NAMES) for data in UCI},
        f"{scripts.SCRIPTS} B = 0.5. Ionosphere fits shares of a tenth, 0.2 and so on; wbc and "
        "wdbc fit B = 1 and half of the features at the start, wbc with its 699 rows, gaps as 0.",
        "German is printed to the digit. The figures of the sets that the earlier paper lacks are "
        "means of two runs, for all end in .0 or .5, so that little can be told from them. On "
        "spambase the scripts make 4 to 5 % more mistakes than printed; we do not know why.",
    )


def _figure_2() -> Figure:
    figure = Figure(
        paper=PAPER,
        number="Figure 2",
        title="error rate over the rounds, three algorithms on 12 sets",
        protocol=f"As Table 3: {TEN_CHUNKS}",
        claims=[SOFT_IS_BETTER],
        panels={data: over_rounds(variants(data)) for data in UCI},
    )
    runs = {data: scripts.variants(data, NAMES) for data in UCI}
    return scripts.figure_as_printed(figure, scripts.rounds_panels(runs), "As Table 3.")


def _figure_3() -> Figure:
    def trial(data: str, name: str, budget: float) -> Trial:
        return replace(variants(data, budget=budget)[name], what="per cent")

    figure = Figure(
        paper=PAPER,
        number="Figure 3",
        title="error rate against the budget B, three algorithms on 12 sets",
        protocol=f"{TEN_CHUNKS} C = 0.1.",
        quick=2,
        claims=[
            Claim(
                "OLSF-I and OLSF-II often outperform OLSF",
                lambda found: bool(
                    np.mean(np.minimum(found["OLSF-I"], found["OLSF-II"]) <= found["OLSF"]) > 0.5
                ),
            )
        ],
        panels={
            data: {name: over_values(BUDGETS, partial(trial, data, name)) for name in NAMES}
            for data in UCI
        },
        across="budget B",
        up="mistakes (%)",
    )
    panels = scripts.over_budgets(UCI, NAMES, BUDGETS, "variants")
    return scripts.figure_as_printed(figure, panels, "As Table 3, but for B.")


def _figure_4() -> Figure:
    return against_c(PAPER, "Figure 4", UCI, NAMES)


def against_c(paper: Paper, number: str, sets: Sequence[str], names: Sequence[str]) -> Figure:
    """Mistakes against C; the paper of STSD has it too."""
    hard, first, second = names

    def trial(data: str, name: str, step: float) -> Trial:
        return replace(variants(data, names, step=step)[name], what="per cent")

    figure = Figure(
        paper=paper,
        number=number,
        title=f"mistakes against C, three algorithms on {len(sets)} sets",
        protocol=f"{TEN_CHUNKS} B = 0.5.",
        quick=2,
        claims=[
            Claim(
                f"for some C, {first} and {second} make fewer mistakes than {hard}",
                lambda found: max(found[first].min(), found[second].min()) <= found[hard].min(),
            ),
            Claim(
                f"for the largest C, {first} is {hard}",
                lambda found: bool(
                    np.isclose(found[first][-1], found[hard][-1], rtol=0.01, atol=0.0)
                ),
            ),
        ],
        panels={
            data: {name: over_values(STEPS, partial(trial, data, name)) for name in names}
            for data in sets
        },
        across="aggressiveness C",
        up="mistakes (%)",
        log_across=True,
    )
    panels = scripts.over_steps(sets, names, STEPS)
    return scripts.figure_as_printed(figure, panels, f"{scripts.SCRIPTS} B = 0.5, and each C.")


def _table_4() -> Table:
    table = Table(
        paper=PAPER,
        number="Table 4",
        title="mistakes of OLSF-I and three benchmarks within budgets on 12 sets",
        protocol=f"{TEN_CHUNKS} C = 0.1; 20 permutations.",
        remark="The heads of its columns are wrong (“HAPT” has 19,020 mistakes, as many as "
        "magic04 has rows); columns are matched here by the number of rows. Where the paper's "
        "budget is less than one feature, its code keeps none and every round is a mistake; ours "
        "always keeps one.",
        claims=[
            lower("OLSF-I, B=0.64", "OLSF-I-rand, B=0.64", "OLSF-I-per, B=0.64"),
            lower("OLSF-I, B=0.64", "OLSF-I-all"),
        ],
        cells=by_column({data: budgets(data, RIVALS, (0.04, 0.16, 0.64)) for data in UCI}),
    )
    return scripts.table_as_printed(
        table,
        {data: scripts.budgets(data, RIVALS, (0.04, 0.16, 0.64)) for data in UCI},
        f"{scripts.SCRIPTS} But {scripts.UNEQUAL[0].lower()}{scripts.UNEQUAL[1:]}",
        "The heads of the paper's columns are wrong; columns are matched by the number of rows. "
        "wbc has 683 rows here: those with gaps are left out. With B = 0.04 of ten features no "
        "weight is kept, and every round is a mistake.",
    )


def _figure_5() -> Figure:
    figure = Figure(
        paper=PAPER,
        number="Figure 5",
        title="error rate over the rounds, OLSF-I and three benchmarks on 12 sets",
        protocol=f"{TEN_CHUNKS} C = 0.1, and B = 0.5, which the paper does not say.",
        claims=[lower("OLSF-I", *RIVALS[1:]), highest("OLSF-I-rand")],
        panels={data: over_rounds(rivals(data, RIVALS, budget=0.5)) for data in UCI},
    )
    runs = {data: scripts.rivals(data, RIVALS, budget=0.5) for data in UCI}
    return scripts.figure_as_printed(
        figure, scripts.rounds_panels(runs), f"As Table 4, B = 0.5. {scripts.UNEQUAL}"
    )


def _figure_6() -> Figure:
    def trial(data: str, name: str, budget: float) -> Trial:
        return replace(rivals(data, RIVALS, budget=budget)[name], what="per cent")

    figure = Figure(
        paper=PAPER,
        number="Figure 6",
        title="error rate against the budget B, OLSF-I and three benchmarks on 12 sets",
        protocol=f"{TEN_CHUNKS} C = 0.1. The claim is looked at for B = 0.1.",
        quick=2,
        claims=[lower("OLSF-I", "OLSF-I-rand", "OLSF-I-per", at=BUDGETS.index(0.1))],
        panels={
            data: {name: over_values(BUDGETS, partial(trial, data, name)) for name in RIVALS}
            for data in UCI
        },
        across="budget B",
        up="mistakes (%)",
    )
    panels = scripts.over_budgets(UCI, RIVALS, BUDGETS, "rivals")
    return scripts.figure_as_printed(figure, panels, f"As Table 4, but for B. {scripts.UNEQUAL}")
