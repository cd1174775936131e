"""A learner of two labels that learns a third one, written plainly.

``make(number)`` returns a two-label learner: ``learn_one(x, y)``, y True or False, and
``score_one(x)``, positive for True. At the third label there are two copies of it: one is that of
the label that was True; the other, of which the score is negated, that of the one that was False.
"""

import copy
from collections.abc import Callable, Hashable
from typing import Any

Row = dict[Hashable, float]


class AnyLabels:
    """One learner for two labels, then one for each label against the rest."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.make = make
        self.two = make(0)
        self.labels: list[Hashable] = []
        self.inside: dict[Hashable, tuple[Any, bool]] = {}  # and whether it is turned

    def score_one(self, x: Row) -> Any:
        if self.inside:
            return {
                c: -learner.score_one(x) if turned else learner.score_one(x)
                for c, (learner, turned) in sorted(self.inside.items())
            }
        score = self.two.score_one(x)
        return score if len(self.labels) < 2 or self.labels[0] > self.labels[1] else -score

    def learn_one(self, x: Row, y: Hashable) -> None:
        if y not in self.labels:
            self.labels.append(y)
            if len(self.labels) == 3:
                first, second = self.labels[:2]
                self.inside[first] = copy.deepcopy(self.two), False
                self.inside[second] = copy.deepcopy(self.two), True
            if len(self.labels) >= 3:
                self.inside[y] = self.make(len(self.inside)), False
        if not self.inside:
            self.two.learn_one(x, y == self.labels[0])
        for c, (learner, turned) in self.inside.items():
            learner.learn_one(x, (c == y) != turned)
