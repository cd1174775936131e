"""He et al. 2020, capricious streams: Tables II, III and Figures 2, 3, 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from braided import streams
from braided.learners.glsc import GLSC
from braided.papers import sets
from braided.papers.experiment import (
    Claim,
    Curve,
    Experiment,
    Figure,
    Floats,
    Measure,
    Paper,
    Table,
    by_column,
    lower,
)
from braided.papers.olsf import NAMES
from braided.papers.olsf_as_printed import (
    beside_ofs,
    figure_as_printed,
    table_as_printed,
    variants,
)
from braided.papers.scripts import ScriptRun
from braided.papers.trial import POINTS, Trial, over_rounds, over_values

__all__ = ["Mixing", "experiments"]

PAPER = Paper("glsc", "He et al., Toward Mining Capricious Data Streams, TNNLS 2020")
SETS = ("wpbc", "ionosphere", "wdbc", "australian", "credit-a", "wbc", "diabetes", "dna", "german",
        "svmguide3", "splice", "kr-vs-kp", "HAPT", "magic04", "IMDB", "CCYS")  # fmt: skip
DRAWN = ("australian", "credit-a", "german", "svmguide3", "HAPT", "magic04", "IMDB", "CCYS")

GRID = (0.1, 1.0, 10.0, 100.0)
SEARCHED = {
    "step": (1.0, 10.0),
    "reconstruction": (0.001, 1.0),
    "sparsity": (1e-5, 0.01),
    "smoothness": (1e-5, 0.01),
}
"""Step, alpha, beta_1 and beta_2; the paper searched the last three from 1e-5 to 1, on a grid that
it does not give."""

MOST = 150
"""Features that GLSC knows at a time."""

ALPHAS = (1e-4, 5e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0)
LAMBDAS = (0.0001, 0.001, 0.01, 0.1)

SCALED = "standardised, rows of length 1"
GRAPH = "GLSC has our graph of regressions, since the paper's own does worse than OCO"
PAPERS_GRAPH = "GLSC has the paper's graph, learned by gradient steps"


def experiments() -> list[Experiment]:
    """In the order of the paper."""
    return [_table_2(), _figure_2(), _figure_3(), _table_3(), _figure_4()]


def _glsc(data: str, **parameters: Any) -> Trial:
    return Trial(data, "glsc", {"budget": MOST, **parameters}, stream="capricious")


def _beside_rivals(data: str) -> dict[str, Trial]:
    glsc = replace(_glsc(data, graph="gradient"), what="accuracy", grid=SEARCHED)
    olsf = replace(glsc, learner="olsf-i", parameters={}, grid={"aggressiveness": GRID})
    fesl = replace(glsc, learner="fesl", parameters={}, stream="evolvable", grid={"step": GRID})
    return {
        "OLSF, trapezoidal": replace(olsf, stream="trapezoidal"),
        "GLSC, trapezoidal": replace(glsc, stream="trapezoidal"),
        "FESL, evolvable": fesl,
        "GLSC, evolvable": replace(glsc, stream="evolvable"),
        "OCO, capricious": replace(glsc, learner="oco", parameters={}, grid={"step": GRID}),
        "GLSC, capricious": glsc,
        "GLSC, fixed": replace(glsc, stream="fixed"),
    }


@dataclass(frozen=True, eq=False)
class FromPrint:
    """The accuracy that a run of the OLSF paper's scripts amounts to, over so many rows."""

    run: ScriptRun
    rows: int

    @property
    def data(self) -> str:
        """The set."""
        return self.run.data

    def prepare(self) -> None:
        """Load the set and compile the pass."""
        self.run.prepare()

    def __call__(self, seed: int) -> Sequence[float]:
        """The mistakes for each C."""
        return self.run(seed)

    def settled(self, values: Floats) -> Floats:
        """The accuracy with the best C."""
        return 1 - self.run.settled(values) / self.rows


def _as_printed(data: str) -> dict[str, Measure]:
    """What two of the columns come from: other papers' figures, and FESL's own streams."""
    fesl = replace(_beside_rivals(data)["FESL, evolvable"], options={"map": "gaussian"})
    found: dict[str, Measure] = {} if data == "IMDB" else {"FESL, evolvable": fesl}
    if data in OLSF_PRINTED:
        rows, run = OLSF_PRINTED[data]
        found["OLSF, trapezoidal"] = FromPrint(run, rows)
    return found


OLSF_PRINTED = {
    "wpbc": (198, variants("wpbc", NAMES)["OLSF-I"]),
    "ionosphere": (351, variants("ionosphere", NAMES)["OLSF-II"]),
    "wdbc": (569, variants("wdbc", NAMES)["OLSF-II"]),
    "wbc": (699, variants("wbc", NAMES)["OLSF-II"]),
    "svmguide3": (1284, variants("svmguide3", NAMES)["OLSF-II"]),
    "german": (1000, beside_ofs("german")["OLSF-I"]),
    "splice": (3190, beside_ofs("splice")["OLSF-I"]),
    "magic04": (19020, beside_ofs("magic04")["OLSF-I"]),
}
"""The run whose printed mistakes, over the rows that the GLSC paper states, are its accuracy."""


def _table_2() -> Table:
    def above(shape: str, rival: str) -> Claim:
        glsc, other = f"GLSC, {shape}", f"{rival}, {shape}"
        return Claim(
            f"GLSC is more accurate than {rival} on {shape} streams",
            lambda found: bool(found[glsc][0] > found[other][0]),
        )

    table = Table(
        paper=PAPER,
        number="Table 2",
        title="accuracy of GLSC and its rivals on 16 sets, four kinds of streams",
        protocol=f"Rows lose up to half of their features; {SCALED}; the step of each learner "
        "(OLSF: its aggressiveness) and alpha (0.001 or 1), beta_1 and beta_2 (1e-5 or 0.01) of "
        f"GLSC are chosen by two other permutations. {PAPERS_GRAPH}; it knows up to {MOST} "
        "features. 10 permutations.",
        remark="OCO comes out as printed or better. The paper's GLSC, which is above what full "
        "data gives a linear model, does not come out with any graph that was tried; "
        "docs/varying.md has ours, the graph of regressions.",
        repeats=10,
        quick=1,
        claims=[
            above("trapezoidal", "OLSF"),
            above("evolvable", "FESL"),
            above("capricious", "OCO"),
        ],
        cells=by_column({data: _beside_rivals(data) for data in SETS}),
        what="accuracy",
        digits=3,
        lower_is_better=False,
    )
    return table_as_printed(
        table,
        {data: _as_printed(data) for data in SETS if _as_printed(data)},
        "OLSF: 1 - (mistakes printed in the OLSF paper) / (rows): its figures were not measured on "
        "these streams. Here they are those of the OLSF authors' scripts, over the rows that the "
        "GLSC paper states (svmguide3 1,284, though the set has 1,243). FESL: on its own streams, "
        "whose second generation of features is a random Gaussian map of the first; 10 "
        "permutations.",
        "OLSF comes out on all eight sets that both papers have. GLSC's own columns stay out of "
        "reach.",
        claims=[],
    )


def _figure_2() -> Figure:
    def trials(data: str) -> dict[str, Trial]:
        parts = {"GLSC-o": "observed", "GLSC-r": "reconstructed", "GLSC": "ensemble"}
        learners = {name: _glsc(data, part=part) for name, part in parts.items()}
        return {"OCO": Trial(data, "oco", stream="capricious"), **learners}

    drawn = [data for data in DRAWN if data != "magic04"]
    return Figure(
        paper=PAPER,
        number="Figure 2",
        title="mean logistic loss over the rounds, GLSC, its two parts and OCO",
        protocol=f"Rows lose up to half of their features; {SCALED}; step 1. {GRAPH}.",
        repeats=10,
        quick=3,
        claims=[
            replace(lower("GLSC", "OCO"), text="GLSC has a smaller loss than OCO"),
            replace(lower("GLSC-o", "OCO"), text="GLSC-o has a smaller loss than OCO"),
            Claim(
                "GLSC's loss is comparable to the better of GLSC-o's and GLSC-r's",
                lambda found: bool(
                    found["GLSC"][-1] <= 1.02 * min(found["GLSC-o"][-1], found["GLSC-r"][-1])
                ),
            ),
        ],
        panels={data: over_rounds(trials(data), "loss curve") for data in drawn},
        up="mean loss so far",
    )


@dataclass(frozen=True, eq=False)
class Mixing:
    """The weight p of what is observed, over the rounds of a capricious stream."""

    data: str
    losses: str

    def prepare(self) -> None:
        """Load the set and compile the learner."""
        _glsc(self.data, graph="gradient").prepare()

    def __call__(self, seed: int) -> Sequence[float]:
        """The weight after each of so many parts of the stream."""
        stream = streams.capricious(*sets.load(self.data), seed=seed)
        model = GLSC(budget=MOST, share=0.0, graph="gradient", losses=self.losses)
        found = []
        rows = next(stream.blocks(len(stream)))
        for part in np.array_split(np.arange(len(rows)), POINTS):
            model.partial_fit(rows[part[0] : part[-1] + 1])
            found.append(float(model.mixing))
        return found


def _figure_3() -> Figure:
    across = [100 * (point + 1) / POINTS for point in range(POINTS)]

    def panels(losses: str) -> dict[str, dict[str, Curve]]:
        return {data: {"p": Curve(across, [Mixing(data, losses)])} for data in DRAWN}

    figure = Figure(
        paper=PAPER,
        number="Figure 3",
        title="the weight p of the observed features over the rounds",
        protocol=f"Rows lose up to half of their features; {SCALED}; step 1. {PAPERS_GRAPH}; p "
        "follows the sums of losses, as in equation 14.",
        remark="So p goes to 0 or 1 unless the two parts are equally good.",
        repeats=10,
        quick=3,
        claims=[
            Claim("p ends between 0.4 and 0.7", lambda found: bool(0.4 <= found["p"][-1] <= 0.7)),
            Claim("p first rises above 0.5", lambda found: bool(found["p"][:10].max() > 0.5)),
        ],
        panels=panels("sum"),
        up="p",
    )
    return figure_as_printed(
        figure,
        panels("mean"),
        "As written, but p follows the means of the losses, not their sums.",
    )


def _table_3() -> Table:
    def trials(data: str) -> dict[str, Trial]:
        glsc = replace(_glsc(data), what="seconds")
        return {
            "OCO": replace(glsc, learner="oco", parameters={}),
            "OLSF": replace(glsc, learner="olsf-i", parameters={}, stream="trapezoidal"),
            "FESL": replace(glsc, learner="fesl", parameters={}, stream="evolvable"),
            "GLSC": glsc,
        }

    return Table(
        paper=PAPER,
        number="Table 3",
        title="seconds of GLSC and its rivals on 16 sets",
        protocol=f"One pass over the streams of Table 2 in compiled code; {SCALED}.",
        remark="Compiled kernels, and a rank-2 form of GLSC's update that costs observed times "
        "known features a round instead of the square of the former times the latter.",
        repeats=10,
        quick=3,
        claims=[
            Claim(
                "GLSC takes at most three times as long as OCO",
                lambda found: bool(found["GLSC"][0] <= 3 * found["OCO"][0]),
            )
        ],
        cells=by_column({data: trials(data) for data in SETS}),
        what="seconds",
        digits=3,
    )


def _figure_4() -> Figure:
    def trial(data: str, lambda_: float, alpha: float) -> Trial:
        # The paper: beta_2 = 2 lambda - 2 beta_1, with beta_1 half of lambda in the middle.
        parameters = {"reconstruction": alpha, "sparsity": lambda_ / 2, "smoothness": lambda_}
        return replace(_glsc(data, graph="gradient", **parameters), what="accuracy in per cent")

    return Figure(
        paper=PAPER,
        number="Figure 4",
        title="accuracy of GLSC against alpha, for four beta_1",
        protocol=f"Rows lose up to half of their features; {SCALED}; step 1. These parameters "
        'belong to the paper\'s graph, here with plain gradient steps (graph="gradient"). '
        "The paper draws a heat map of 11 alphas and 12 beta_1; here are the middle ones of "
        "each lambda.",
        repeats=10,
        quick=1,
        claims=[
            Claim(
                "the best alpha is around 0.5 (0.25 to 1)",
                lambda found: all(ALPHAS[int(np.argmax(h))] >= 0.25 for h in found.values()),
            ),
            Claim(
                "accuracy varies with alpha by more than half a point",
                lambda found: any(np.ptp(heights) > 0.5 for heights in found.values()),
            ),
        ],
        panels={
            data: {
                f"beta_1 = {lambda_ / 2:g}": over_values(ALPHAS, partial(trial, data, lambda_))
                for lambda_ in LAMBDAS
            }
            for data in DRAWN
        },
        across="alpha",
        up="accuracy (%)",
        log_across=True,
    )
