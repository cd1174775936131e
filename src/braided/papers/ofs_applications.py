"""Wang et al. 2014, OFS on pictures and genes, and beside mRMR: Tables 4 to 7 and Figure 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier

from braided import registry, streams
from braided.evaluate import prequential
from braided.papers import sets
from braided.papers.experiment import Claim, Curve, Experiment, Figure, Table, by_column, lowest
from braided.papers.mrmr import mrmr
from braided.papers.ofs import PAPER, PROTOCOL, full_input
from braided.papers.trial import Trial
from braided.rows.rows import Rows

__all__ = ["Selection", "experiments"]

ONLINE = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
BATCH = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
NEIGHBOURS = 5


def experiments() -> list[Experiment]:
    """In the order of the paper."""
    return [
        _online("Table 4", "CIFAR-10"),
        _online("Table 5", "Colon"),
        _batch("Table 6", "Colon"),
        _batch("Table 7", "CIFAR-10"),
        _figure_5(),
    ]


def _online(number: str, data: str) -> Table:
    trials = {str(share): full_input(data, share) for share in ONLINE}
    trials["1.0"] = {"OGD": Trial(data, "fobos", {"step": 0.2, "penalty": 0.0})}
    return Table(
        paper=PAPER,
        number=number,
        title=f"mistake rates of RAND, PE_trun and OFS on {data}, by the share of features",
        protocol=f"{PROTOCOL} But for B. OGD is gradient descent on the hinge loss over all "
        "features, whose rates section 4.4.2 gives. 20 permutations.",
        quick=5,
        claims=[lowest("OFS", "OGD")],
        cells={
            (name, share): replace(trial, what="error rate")
            for share, found in trials.items()
            for name, trial in found.items()
        },
        what="error rate",
        digits=3,
    )


@dataclass(frozen=True, eq=False)
class Selection:
    """Features chosen in one half of the rows, tested in the other.

    Parameters
    ----------
    method
        ``"ofs"`` or ``"mrmr"``: what chooses the features.
    test
        ``"ogd"``: the mistakes of online gradient descent over the other half; ``"knn"``: those of
        the five nearest neighbours in the first half; ``"seconds"``: none, the time of choosing.
    """

    data: str
    method: str
    share: float
    test: str

    def prepare(self) -> None:
        """Load the set and compile the learners."""
        rows, labels = sets.load(self.data)
        for learner in ("ofs", "fobos"):
            registry.create(learner).prequential(rows[:1].with_labels(labels[:1]))

    def __call__(self, seed: int) -> Sequence[float]:
        """The error rate or the seconds of one permutation."""
        rows = next(streams.fixed(*sets.load(self.data), seed=seed).blocks(sets.rounds(self.data)))
        half = len(rows) // 2
        start = perf_counter()
        chosen = self._chosen(rows[:half], max(1, round(self.share * rows.width)))
        if self.test == "seconds":
            return [perf_counter() - start]
        kept = rows.select(np.isin(rows.indices, chosen))
        test = _by_neighbours if self.test == "knn" else _by_descent
        return [test(kept[:half], kept[half:])]

    def _chosen(self, rows: Rows, count: int) -> NDArray[np.int64]:
        if self.method == "mrmr":
            return np.array(mrmr(rows.to_csr().toarray(), _labels(rows), count))
        model = registry.create("ofs", budget=count).partial_fit(rows)
        places = {rows.name(column): column for column in range(rows.width)}
        return np.array([places[name] for name in model.weights()], dtype=np.int64)


def _labels(rows: Rows) -> NDArray[np.float64]:
    assert rows.labels is not None
    return np.asarray(rows.labels)


def _by_descent(first: Rows, second: Rows) -> float:
    """Gradient descent on hinge loss is FOBOS without a penalty."""
    model = registry.create("fobos", step=0.2, penalty=0.0)
    return prequential(model, streams.given(second, second.labels)).error_rate


def _by_neighbours(first: Rows, second: Rows) -> float:
    neighbours = KNeighborsClassifier(NEIGHBOURS).fit(first.to_csr(), _labels(first))
    return float(np.mean(neighbours.predict(second.to_csr()) != _labels(second)))


BESIDE_MRMR = (
    "Features are chosen in one half of the rows (OFS: step 0.2, penalty 0.01; mRMR: mutual "
    "information of values cut into three levels), and tested in the other: by the mistakes of "
    "online gradient descent (OGD) over it, and of the five nearest neighbours in the first half "
    "(KNN). Standardised, rows of length 1."
)


def _batch(number: str, data: str) -> Table:
    rows = {
        f"{shown}, {test.upper()}": (method, test)
        for test in ("ogd", "knn")
        for shown, method in (("mRMR", "mrmr"), ("OFS", "ofs"))
    }

    def better(test: str) -> Claim:
        return Claim(
            f"OFS's features are better than mRMR's for {test}",
            lambda found: bool(found[f"OFS, {test}"][0] < found[f"mRMR, {test}"][0]),
        )

    return Table(
        paper=PAPER,
        number=number,
        title=f"error rates with features of OFS and of mRMR on {data}",
        protocol=f"{BESIDE_MRMR} 20 permutations.",
        quick=5 if data == "Colon" else 2,
        claims=[better("OGD"), better("KNN")],
        cells=by_column(
            {
                str(share): {
                    row: Selection(data, method, share, test)
                    for row, (method, test) in rows.items()
                }
                for share in BATCH
            }
        ),
        what="error rate",
        digits=3,
    )


def _figure_5() -> Figure:
    def curve(data: str, method: str) -> Curve:
        return Curve(BATCH, [Selection(data, method, share, "seconds") for share in BATCH])

    return Figure(
        paper=PAPER,
        number="Figure 5",
        title="time to choose features, OFS and mRMR",
        protocol=f"{BESIDE_MRMR}",
        repeats=5,
        quick=1,
        claims=[
            Claim(
                "OFS is faster than mRMR, whatever the number of features",
                lambda found: bool((found["OFS"] < found["mRMR"]).all()),
            ),
            Claim(
                "for a third of the features, OFS is 100 times as fast as mRMR",
                lambda found: bool(100 * found["OFS"][-1] < found["mRMR"][-1]),
            ),
        ],
        panels={
            data: {"mRMR": curve(data, "mrmr"), "OFS": curve(data, "ofs")}
            for data in ("CIFAR-10", "Colon")
        },
        across="share of the features",
        up="time (s)",
        log_across=True,
        log_up=True,
    )
