"""OCO, written as it is printed: online gradient descent on logistic loss.

Zinkevich, ICML 2003, as the rival of He et al., TNNLS 2020; only observed features take part.
"""

import math
from collections.abc import Hashable


def sigmoid(z: float) -> float:
    """1 / (1 + exp(-z)) without overflow."""
    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))


def logistic_loss(margin: float) -> float:
    """log(1 + exp(-margin)) without overflow."""
    return max(0.0, -margin) + math.log1p(math.exp(-abs(margin)))


class OCO:
    """The learner on rows that hold the observed features only; labels are -1 and +1."""

    def __init__(
        self, *, step: float = 1.0, schedule: str = "sqrt", intercept: bool = False
    ) -> None:
        assert schedule in ("constant", "sqrt")
        self.step, self.schedule, self.intercept = step, schedule, intercept
        self.weights: dict[Hashable, float] = {}
        self.constant = 0.0
        self.rounds = 0

    def score(self, x: dict[Hashable, float]) -> float:
        return sum(self.weights.get(j, 0.0) * x[j] for j in x) + self.constant

    def learn(self, x: dict[Hashable, float], y: int) -> float:
        """Learn from one row; return its score before the update."""
        score = self.score(x)
        self.rounds += 1
        step = self.step if self.schedule == "constant" else self.step / math.sqrt(self.rounds)
        gradient = -y * sigmoid(-y * score)
        for j in x:
            self.weights[j] = self.weights.get(j, 0.0) - step * gradient * x[j]
        if self.intercept:
            self.constant -= step * gradient
        return score
