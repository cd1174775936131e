"""The experts of Braid, as the recipe has them: two kinds of weights, moved in two ways."""

import math
from collections import defaultdict
from collections.abc import Hashable

import numpy as np

from tests.naive.oco import sigmoid


class AdaGrad:
    """Logistic regression; steps are divided by the root of all squared gradients."""

    def __init__(self, single) -> None:
        self.single = single
        self.weights: dict[Hashable, float] = defaultdict(lambda: single(0))
        self.squares: dict[Hashable, float] = defaultdict(lambda: single(0))
        self.memories = (self.weights, self.squares)
        self.intercept, self.intercept_squares = 0.0, 0.0

    def margin(self, inputs) -> float:
        return self.intercept + sum(float(self.weights[key]) * float(a) for key, a in inputs)

    def learn(self, inputs, margin: float, target: float, rate: float, weight: float) -> None:
        error = weight * (target - sigmoid(margin))
        for key, a in inputs:
            gradient = self.single(error) * a
            self.squares[key] += gradient * gradient
            root = np.sqrt(self.single(0.01) + self.squares[key])
            self.weights[key] += self.single(rate) * gradient / root
        self.intercept_squares += error**2
        self.intercept += rate * error / math.sqrt(0.01 + self.intercept_squares)


class Gaussian:
    """A mean and a variance for each weight: Bayesian logistic regression, or AROW."""

    def __init__(self, single) -> None:
        self.single = single
        self.weights: dict[Hashable, float] = defaultdict(lambda: single(0))
        self.variances: dict[Hashable, float] = {}
        self.birth: dict[Hashable, float] = {}
        self.memories = (self.weights, self.variances, self.birth)
        self.intercept, self.intercept_variance = 0.0, 1.0

    def margin(self, inputs, scale: float, born: float) -> tuple[float, float]:
        """The margin and its variance; weights that are new have this variance."""
        self.born = born
        self.uncertainty = self.intercept_variance
        self.m = self.intercept
        for key, a in inputs:
            self.m += float(self.weights[key]) * float(a) * scale
            self.uncertainty += float(self.variances.get(key, born)) * (float(a) * scale) ** 2
        return self.m, self.uncertainty

    def learn_logistic(self, inputs, scale, logit: float, target: float, weight: float) -> None:
        p = sigmoid(logit)
        curvature = weight * p * (1 - p)
        damped = 1 / (1 + curvature * self.uncertainty)
        self.move(inputs, scale, weight * (target - p) * damped, curvature * damped)

    def learn_hinge(self, inputs, scale: float, y: int, weight: float) -> None:
        if y * self.m < 1:
            shrink = 1 / (1 / weight + self.uncertainty)
            touched = [(key, a) for key, a in inputs if a != 0]
            self.move(touched, scale, (y - self.m) * shrink, shrink, plasticity=0.001)
        for key, _ in inputs:
            self.variances.setdefault(key, self.single(self.born))
            self.birth.setdefault(key, self.single(self.born))

    def move(self, inputs, scale, step: float, shrink: float, plasticity: float = 0.0) -> None:
        for key, a in inputs:
            birth = self.birth.setdefault(key, self.single(self.born))
            variance = self.variances.get(key, birth)
            moved = variance * a
            variance -= self.single(shrink * scale**2) * moved * moved
            self.weights[key] += self.single(step * scale) * moved
            self.variances[key] = variance + self.single(plasticity) * (birth - variance)
        variance = self.intercept_variance
        self.intercept += step * variance
        variance -= shrink * variance**2
        self.intercept_variance = variance + plasticity * (1 - variance)
