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


INTERCEPT = object()


class OCO:
    """The learner on rows that hold the observed features only; labels are -1 and +1."""

    def __init__(
        self, *, step: float = 1.0, schedule: str = "sqrt", intercept: bool = False
    ) -> None:
        assert schedule in ("constant", "sqrt", "adaptive")
        self.step, self.schedule, self.intercept = step, schedule, intercept
        self.weights: dict[Hashable, float] = {}
        self.constant = 0.0
        self.squares: dict[Hashable, float] = {}
        self.rounds = 0

    def score(self, x: dict[Hashable, float]) -> float:
        return sum(self.weights.get(j, 0.0) * x[j] for j in x) + self.constant

    def learn(self, x: dict[Hashable, float], y: int) -> float:
        """Learn from one row; return its score before the update."""
        score = self.score(x)
        self.rounds += 1
        gradient = -y * sigmoid(-y * score)
        if self.schedule == "adaptive":
            self.adapt(x, gradient)
            return score
        step = self.step if self.schedule == "constant" else self.step / math.sqrt(self.rounds)
        for j in x:
            self.weights[j] = self.weights.get(j, 0.0) - step * gradient * x[j]
        if self.intercept:
            self.constant -= step * gradient
        return score

    def adapt(self, x: dict[Hashable, float], gradient: float) -> None:
        """Duchi et al., 2011, for the row scaled to length 1; a constant is a feature like others.

        1 is under the root, and the feature's own square of this round too.
        """
        row = {**x, INTERCEPT: 1.0} if self.intercept else dict(x)
        length = math.sqrt(sum(value**2 for value in row.values()))
        for j, value in row.items():
            g = gradient * value / length if length else 0.0
            self.squares[j] = self.squares.get(j, 0.0) + g**2
            moved = -self.step * g / math.sqrt(1 + self.squares[j])
            if j is INTERCEPT:
                self.constant += moved
            else:
                self.weights[j] = self.weights.get(j, 0.0) + moved
