"""FESL-c, written plainly, told which features each round loses.

Hou, Zhang and Zhou, "Learning with Feature Evolvable Streams", NIPS 2017. The first model learns on
rows that are completed by the map (before there is one: on what is observed), the second
starts from zero when features are lost; see ``braided/learners/fesl/fesl.py`` for what the paper
leaves open.
"""

import math
from collections.abc import Hashable

import numpy as np

from tests.naive.oco import logistic_loss, sigmoid

Row = dict[Hashable, float]


class FESL:
    def __init__(self, *, step: float = 1.0, ridge: float = 0.01) -> None:
        self.step, self.ridge = step, ridge
        self.first: Row = {}
        self.second: Row = {}
        self.map: dict[Hashable, Row] = {}  # what each lost feature is made of
        self.overlap: list[Row] = []  # rows in which the lost and the new came together
        self.rounds = 0
        self.start = 0
        self.difference = 0.0

    @property
    def chance(self) -> float:
        if not self.start:
            return 1.0
        eta = math.sqrt(8 * math.log(2) / max(1, self.rounds - self.start + 1))
        return sigmoid(-eta * self.difference)

    def lose(self, lost: set[Hashable], new: set[Hashable]) -> None:
        """These features are gone from the coming row on; those are there instead."""
        a = self.chance
        if self.start:  # a second switch: the mixture becomes the first model
            made = {j: self._effective(j) for j in new | lost}
            self.first = {j: a * made[j] + (1 - a) * self.second.get(j, 0.0) for j in made}
        old, young = sorted(lost, key=str), sorted(new, key=str)
        X = np.array([[x.get(j, 0.0) for j in young] for x in self.overlap])
        Z = np.array([[x.get(j, 0.0) for j in old] for x in self.overlap])
        gram = X.T @ X
        M = np.linalg.solve(gram + self.ridge * np.diag(np.diag(gram)), X.T @ Z)
        self.map = {k: {j: M[i, c] for i, j in enumerate(young)} for c, k in enumerate(old)}
        self.second, self.difference, self.start, self.overlap = {}, 0.0, self.rounds + 1, []

    def _effective(self, j: Hashable) -> float:
        through = sum(self.first.get(k, 0.0) * made.get(j, 0.0) for k, made in self.map.items())
        return self.first.get(j, 0.0) + through

    def completed(self, x: Row) -> Row:
        recovered = {k: sum(made.get(j, 0.0) * x[j] for j in x) for k, made in self.map.items()}
        return {**recovered, **x}

    def learn(self, x: Row, y: int, *, overlap: bool = False) -> float:
        """Learn from one row; return its score before the update."""
        if overlap:
            self.overlap.append(x)
        full = self.completed(x)
        s1 = sum(self.first.get(j, 0.0) * v for j, v in full.items())
        s2 = sum(self.second.get(j, 0.0) * v for j, v in x.items())
        a = self.chance if self.start else 1.0
        self.rounds += 1
        step = self.step / math.sqrt(self.rounds) * y * sigmoid(-y * s1)
        for j, v in full.items():
            self.first[j] = self.first.get(j, 0.0) + step * v
        if self.start:
            step = self.step / math.sqrt(self.rounds - self.start + 1) * y * sigmoid(-y * s2)
            for j, v in x.items():
                self.second[j] = self.second.get(j, 0.0) + step * v
            self.difference += logistic_loss(y * s1) - logistic_loss(y * s2)
        self.scores = s1, s2
        return a * s1 + (1 - a) * s2
