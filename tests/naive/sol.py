"""The SOL framework and its two instances, FSOL and SSOL, written as they are printed.

Wang et al., "High-dimensional Data Stream Classification via Sparse Online Learning", ICDM 2014,
Algorithms 1-4.

What the paper leaves open, and how it is taken here:

- lambda_t is never defined. "constant" is eta * lambda, for which its regret bound follows;
  "growing" is eta * lambda for each round gone by, which makes FSOL Xiao's RDA.
- A_t = A_{t-1} + x x' / r (the printed formula has lost its r; the Woodbury update next to
  it has it).
- A feature that the learner meets for the first time can not be part of the prediction: the row is
  scored as if it were not there. What is learned from the row counts it.
"""

from collections.abc import Hashable

import numpy as np

Row = dict[Hashable, float]


def soft(value: float, threshold: float) -> float:
    """The w that minimises (value - w)^2 / 2 + threshold * |w|."""
    if value > threshold:
        return value - threshold
    if value < -threshold:
        return value + threshold
    return 0.0


class SOL:
    """Algorithm 1 on rows that hold the observed features only; labels are -1 and +1.

    phi: "identity" (FSOL), "diagonal" (SSOL) or "full" (SSOL with the whole matrix); step: eta;
    penalty: lambda; schedule: "constant" or "growing"; clock: from when on a feature owes for
    rounds under the growing schedule, "global" (the first round) or "feature" (its own first).
    """

    def __init__(
        self, *, phi: str, step: float, penalty: float, schedule: str = "constant",
        clock: str = "global", r: float = 1.0,
    ) -> None:  # fmt: skip
        assert phi in ("identity", "diagonal", "full")
        assert schedule in ("constant", "growing")
        assert clock in ("global", "feature")
        self.phi, self.step, self.penalty, self.r = phi, step, penalty, r
        self.schedule, self.clock = schedule, clock
        self.rounds = 0
        self.theta: Row = {}  # every feature seen, in order of first sight
        self.rounds_before: dict[Hashable, int] = {}  # that had gone by when it was first seen
        self.inverse: Row = {}  # diagonal: the entries of A^-1
        self.matrix = np.zeros((0, 0))  # full: A itself

    def threshold(self, j: Hashable) -> float:
        if self.schedule == "constant":
            return self.step * self.penalty
        start = self.rounds_before[j] if self.clock == "feature" else 0
        return self.step * self.penalty * (self.rounds - start)

    def inverse_after(self, x: Row) -> Row:
        """The diagonal A^-1 when x has been added."""
        spread = sum(self.inverse[j] * x[j] ** 2 for j in x)
        inverse = dict(self.inverse)
        for j in x:
            a = self.inverse[j]
            inverse[j] = a - a**2 * x[j] ** 2 / (self.r + spread)
        return inverse

    def matrix_after(self, x: Row) -> np.ndarray:
        """The full A when x has been added."""
        dense = np.array([x.get(j, 0.0) for j in self.theta])
        return self.matrix + np.outer(dense, dense) / self.r

    def weights(self, x: Row | None = None) -> Row:
        """w = soft(grad Phi*(theta), lambda), with x added to Phi if it is given."""
        x = {j: x[j] for j in x if j in self.theta} if x is not None else {}
        if self.phi == "identity":
            u = dict(self.theta)
        elif self.phi == "diagonal":
            inverse = self.inverse_after(x)
            u = {j: inverse[j] * self.theta[j] for j in self.theta}
        else:
            theta = np.array(list(self.theta.values()))
            solved = np.linalg.solve(self.matrix_after(x), theta) if theta.size else theta
            u = dict(zip(self.theta, solved.tolist(), strict=True))
        return {j: soft(u[j], self.threshold(j)) for j in u}

    def score(self, x: Row) -> float:
        weights = self.weights(x)
        return sum(weights[j] * x[j] for j in x if j in weights)

    def learn(self, x: Row, y: int, weight: float = 1.0) -> float:
        """Learn from one row; return its score before the update."""
        score = self.score(x)
        for j in x:
            if j not in self.theta:
                self.theta[j] = 0.0
                self.rounds_before[j] = self.rounds
                self.inverse[j] = 1.0
                self.matrix = np.pad(self.matrix, (0, 1))
                self.matrix[-1, -1] = 1.0
        self.inverse = self.inverse_after(x)
        self.matrix = self.matrix_after(x)
        if 1.0 - y * score > 0.0:
            for j in x:
                self.theta[j] += self.step * weight * y * x[j]
        self.rounds += 1
        return score
