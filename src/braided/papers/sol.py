"""Wang et al. 2014, sparse online learning: Figures 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from braided import registry, streams
from braided.evaluate import Result, holdout
from braided.evaluate.tune import combinations
from braided.papers import sets
from braided.papers.experiment import Claim, Curve, Experiment, Figure, Paper
from braided.papers.trial import at_levels
from braided.rows.rows import Rows
from braided.streams.random_numbers import Draws, Purpose

__all__ = ["SparsityPath", "experiments"]

PAPER = Paper(
    "sol", "Wang et al., High-Dimensional Data Stream Classification via Sparse Online Learning, "
    "ICDM 2014"
)  # fmt: skip
SETS = ("AUT", "PCMAC", "NEWS", "RCV1 (full)", "URL (SOL)", "WEBSPAM")
LEARNERS = {
    "STG": "stg",
    "FOBOS": "fobos",
    "Ada-FOBOS": "ada-fobos",
    "Ada-RDA": "ada-rda",
    "FSOL": "fsol",
    "SSOL": "ssol",
}
LEVELS = (90.0, 92.0, 94.0, 95.0, 96.0, 97.0, 98.0, 98.5, 99.0, 99.5)
"""Of sparsity, in per cent."""

SPARSE = LEVELS.index(98.0)

FOLDS = 5
ENOUGH, MOST_REPEATS = 20_000, 10
"""Cross-validation is repeated until so many rows were tested: on 1,000 rows it is erratic."""

STEPS = tuple(4.0**k for k in range(-3, 4))
ROOTS = tuple(4.0**k for k in range(-3, 2))
PENALTIES = (0.0, *np.geomspace(1e-6, 1e4, 41))


@dataclass(frozen=True, eq=False)
class SparsityPath:
    """Test error (or training time) against sparsity, as the penalty grows.

    Half of the rows, permuted by the seed, are learned; the others test. The step (and r of SSOL)
    is chosen by cross-validation among the rows that are learned, without a penalty.
    """

    data: str
    learner: str
    what: str = "error"

    def prepare(self) -> None:
        """Load the set and compile the learner."""
        rows, labels = sets.load(self.data, "unit")
        registry.create(self.learner).prequential(rows[:1].with_labels(labels[:1]))

    def __call__(self, seed: int) -> Sequence[float]:
        """The heights at the levels of sparsity; NaN beyond the sparsest model."""
        rows, labels = sets.load(self.data, "unit")
        stream = streams.fixed(rows, labels, seed=seed)
        chosen = self._chosen(stream)
        features = np.unique(rows.indices).size
        path: list[tuple[float, float]] = []
        for penalty in PENALTIES:
            result = holdout(registry.create(self.learner, penalty=penalty, **chosen), stream)
            path.append((100 * (1 - result.features_kept / features), self._height(result)))
            if path[-1][0] >= LEVELS[-1]:
                break
        return at_levels(LEVELS, path)

    def _height(self, result: Result) -> float:
        return result.seconds if self.what == "seconds" else 100 * result.error_rate

    def _chosen(self, stream: streams.Stream) -> dict[str, Any]:
        learned = next(stream.blocks(len(stream)))[: -(-len(stream) // 2)]
        splits = list(_splits(learned, repeats=min(MOST_REPEATS, -(-ENOUGH // len(learned)))))
        grid: dict[str, Sequence[float]] = {"step": STEPS}
        if self.learner == "ssol":
            grid["r"] = ROOTS

        def error(setting: dict[str, Any]) -> float:
            return sum(
                holdout(
                    registry.create(self.learner, penalty=0.0, **setting),
                    streams.given(split, split.labels),
                    share=1 - 1 / FOLDS,
                ).error_rate
                for split in splits
            )

        return min(combinations(grid), key=error)


def _splits(learned: Rows, repeats: int) -> Iterator[Rows]:
    """For each repeat and fold all rows, in another order, with those of the fold at the end."""
    fold = np.arange(len(learned)) % FOLDS
    for repeat in range(repeats):
        rows = learned[Draws(repeat, Purpose.ORDER).order(len(learned))] if repeat else learned
        for k in range(FOLDS):
            yield rows[np.argsort(fold == k, kind="stable")]


def experiments() -> list[Experiment]:
    """In the order of the paper."""
    return [_figure_1(), _figure_2()]


PROTOCOL = (
    "Rows of length 1; half of them, permuted, are learned in one pass, the others are the test. "
    "Step (and r of SSOL) by 5-fold cross-validation without a penalty, as in the paper, repeated "
    "up to ten times on small sets, where one alone is erratic; then the penalty is swept. "
    "Sparsity is the share of all features of the set without a weight."
)


def _panels(data: Sequence[str], what: str) -> dict[str, dict[str, Curve]]:
    return {
        one: {name: Curve(LEVELS, [SparsityPath(one, key, what)]) for name, key in LEARNERS.items()}
        for one in data
    }


def _figure_1() -> Figure:
    def best(*names: str) -> Claim:
        return Claim(
            f"{' or '.join(names)} has the smallest test error at 98 % sparsity",
            lambda found: min(found, key=lambda n: _or_worst(found[n][SPARSE])) in names,
        )

    return Figure(
        paper=PAPER,
        number="Figure 1",
        title="test error against sparsity, six learners on six sets",
        protocol=PROTOCOL,
        repeats=5,
        quick=1,
        claims=[best("SSOL"), best("SSOL", "Ada-RDA")],
        panels=_panels(SETS, "error"),
        across="sparsity (%)",
        up="test error (%)",
    )


def _figure_2() -> Figure:
    def faster(name: str, *others: str) -> Claim:
        return Claim(
            f"{name} is faster than {' and '.join(others)}",
            lambda found: bool(
                np.nanmean(found[name]) < min(np.nanmean(found[other]) for other in others)
            ),
        )

    return Figure(
        paper=PAPER,
        number="Figure 2",
        title="training time against sparsity, six learners on four large sets",
        protocol=f"{PROTOCOL} Claims are about the mean over the levels.",
        remark="Times are those of compiled code over sparse rows, in which a round of any of "
        "these learners costs nearly the same.",
        repeats=5,
        quick=1,
        claims=[faster("SSOL", "Ada-FOBOS", "Ada-RDA"), faster("FSOL", "SSOL")],
        panels=_panels(SETS[2:], "seconds"),
        across="sparsity (%)",
        up="training time (s)",
    )


def _or_worst(height: float) -> float:
    return float("inf") if np.isnan(height) else float(height)
