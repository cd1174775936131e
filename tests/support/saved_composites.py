"""Learners made of learners, or that became so at a third label, and streams for them."""

from __future__ import annotations

import copy

import braided
from braided import Braid, Calibrated, MatrixForm, OneVsOne, OneVsRest, PseudoLabel, Scaled
from braided.targets import PartialLabels
from tests.support.every_composite import many_classes

COMPOSITES = {
    "OneVsRest": OneVsRest(braided.OLSF(budget=0.4)),
    "OneVsRest-Braid": OneVsRest(Braid()),
    "OneVsOne": OneVsOne(braided.OLSF(budget=5, selection="random", seed=3)),
    "MatrixForm": MatrixForm(braided.OLSF()),
    "PseudoLabel-MatrixForm": PseudoLabel(MatrixForm(braided.OLSF()), confidence=0.1),
    "Scaled": Scaled(braided.OCO()),
    "Scaled-intercept": Scaled(braided.OLSF(), how="maxabs", intercept=True),
    "Scaled-unit": Scaled(braided.SSOL(), how="unit"),
    "Scaled-tfidf": Scaled(braided.OCO(), how="tfidf"),
    "Scaled-OneVsRest": Scaled(OneVsRest(braided.GLSC(budget=6)), intercept=True),
    "OneVsOne-Scaled": OneVsOne(Scaled(braided.OCO())),
    "Calibrated": Calibrated(braided.OLSF(budget=0.4)),
    "Calibrated-Scaled-OneVsRest": Calibrated(Scaled(OneVsRest(braided.FSOL()), how="maxabs")),
    "Calibrated-PseudoLabel": Calibrated(PseudoLabel(braided.OLSF(), confidence=0.5)),
    "PseudoLabel": PseudoLabel(braided.OLSF(), confidence=0.5),
    "PseudoLabel-Scaled": PseudoLabel(Scaled(braided.OCO()), confidence=0.2),
    "PseudoLabel-OneVsRest": PseudoLabel(OneVsRest(braided.OLSF()), confidence=0.1),
    "PseudoLabel-Braid": PseudoLabel(Braid(), confidence=0.5),
    "Braid-classes": Braid(),
    "Braid-budget-classes": Braid(budget=4),
}


def stream_for(case: str, seed: int, rounds: int = 300):
    """Rows, and labels of many classes if it tells many apart; some are missing if it may."""
    model = COMPOSITES[case]
    stream = many_classes(seed, rounds, "abc" if model.many_classes else "ab")
    rows, labels = [x for x, _ in stream], [y for _, y in stream]
    if isinstance(model.new_labels(), PartialLabels):
        labels = [None if t % 3 == 2 else y for t, y in enumerate(labels)]
    return rows, labels


def learned(case: str, seed: int, rounds: int):
    """A model that has learned the first rows of its stream."""
    rows, labels = stream_for(case, seed)
    return copy.deepcopy(COMPOSITES[case]).partial_fit(rows[:rounds], labels[:rounds])
