"""Braid's pairs, written plainly: logistic regression on products of the strongest features.

``number`` gives the column of a feature; with 256 columns or more, cells of products are shared.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable

import numpy as np

from tests.naive.oco import sigmoid

WIDEST = 256


def single(value: float) -> float:
    return float(np.float32(value))


class Pairs:
    def __init__(self, number: Callable[[Hashable], int]) -> None:
        self.number = number
        self.weights: dict[Hashable, float] = defaultdict(float)
        self.squares: dict[Hashable, float] = defaultdict(float)
        self.with_label: dict[Hashable, float] = defaultdict(float)
        self.size: dict[Hashable, float] = defaultdict(float)
        self.intercept = self.intercept_squares = 0.0

    def score(self, views: list[tuple[Hashable, float]]) -> float:
        """The logit; ``views`` are the main views of a row, in its order."""
        strongest = self.strongest(views)
        self.inputs: list[tuple[Hashable, float]] = []
        self.alone = views
        for r, (name, v) in enumerate(strongest):
            for s, (other, u) in enumerate(strongest[: r + 1]):
                product = max(-3.0, min(3.0, v * u - (r == s)))
                a, b = self.number(name) % WIDEST, self.number(other) % WIDEST
                self.inputs.append(((min(a, b), max(a, b)), product))
        self.logit = self.intercept
        for key, value in [*views, *self.inputs]:
            self.logit += float(self.weights[key]) * value
        self.length = 1 + sum(value**2 for _, value in [*views, *self.inputs])
        return self.logit

    def strongest(self, views: list[tuple[Hashable, float]]) -> list[tuple[Hashable, float]]:
        """The 8 entries with the most evidence; a stronger one takes the place of the weakest."""
        found: list[tuple[float, Hashable, float]] = []
        for name, v in views:
            if self.with_label[name] == 0.0:
                continue
            evidence = self.with_label[name] ** 2 / self.size[name]
            if len(found) < 8:
                found.append((evidence, name, v))
            else:
                weakest = min(range(8), key=lambda place: found[place][0])
                if evidence > found[weakest][0]:
                    found[weakest] = (evidence, name, v)
        return [(name, v) for _, name, v in found]

    def forget(self, name: Hashable) -> None:
        """Forget a feature, with others too."""
        number = self.number(name) % WIDEST
        for memory in (self.weights, self.squares, self.with_label, self.size):
            for key in list(memory):
                if key == name or (isinstance(key, tuple) and number in key):
                    del memory[key]

    def learn(self, y: int, weight: float = 1.0) -> None:
        """Learn the label of the row that was just scored."""
        error = weight * ((1 + y) / 2 - sigmoid(self.logit))
        rate = 1 / math.sqrt(self.length)
        self.intercept_squares += error**2
        self.intercept += rate * error / math.sqrt(0.01 + self.intercept_squares)
        for key, value in [*self.inputs, *self.alone]:
            gradient = np.float32(error) * np.float32(value)
            self.squares[key] = np.float32(self.squares[key]) + gradient * gradient
            root = np.sqrt(np.float32(0.01) + self.squares[key])
            step = np.float32(rate) * gradient / root
            self.weights[key] = np.float32(self.weights[key]) + step
        for name, v in self.alone:
            self.with_label[name] = single(self.with_label[name] + y * v)
            self.size[name] = single(self.size[name] + v * v)
