"""STG, FOBOS, Ada-FOBOS and Ada-RDA on hinge loss, every weight visited every round.

- STG: Langford, Li and Zhang, "Sparse Online Learning via Truncated Gradient", JMLR 10, 2009:
  every K rounds all weights of at most theta move towards 0 by K * step * penalty.
- FOBOS: Duchi and Singer, "Efficient Online and Batch Learning using Forward Backward Splitting",
  JMLR 10, 2009, section 5.1.
- Ada-FOBOS, Ada-RDA: Duchi, Hazan and Singer, "Adaptive Subgradient Methods for Online Learning and
  Stochastic Optimization", JMLR 12, 2011, eqs. 3 and 4 with the diagonal H, section 5.1:
  H_j = delta + sqrt(sum of g_j^2), the present round's g included.

The step of round t is eta, or eta / sqrt(t) with decay="sqrt". A weight of a row multiplies its
loss, hence its gradient, and not the penalty.
"""

import math
from collections.abc import Hashable

from tests.naive.sol import Row, soft


class _Learner:
    """What the four share: w.x, the hinge loss and its gradient."""

    def __init__(self, *, step: float, penalty: float, decay: str = "none") -> None:
        assert decay in ("none", "sqrt")
        self.step, self.penalty, self.decay = step, penalty, decay
        self.rounds = 0
        self.w: Row = {}  # every feature seen, in order of first sight

    def weights(self) -> Row:
        return self.w

    def score(self, x: Row) -> float:
        return sum(self.w[j] * x[j] for j in x if j in self.w)

    def learn(self, x: Row, y: int, weight: float = 1.0) -> float:
        """Learn from one row; return its score before the update."""
        score = self.score(x)
        for j in x:
            if j not in self.w:
                self.w[j] = 0.0
                self.meet(j)
        self.rounds += 1
        eta = self.step if self.decay == "none" else self.step / math.sqrt(self.rounds)
        hit = 1.0 - y * score > 0.0
        self.move({j: -weight * y * x[j] for j in x} if hit else {}, eta)
        return score

    def meet(self, j: Hashable) -> None:
        """Called for a feature that is seen for the first time."""

    def move(self, gradient: Row, eta: float) -> None:
        raise NotImplementedError


class STG(_Learner):
    def __init__(
        self, *, step: float, penalty: float, interval: int, ceiling: float, decay: str = "none"
    ) -> None:
        super().__init__(step=step, penalty=penalty, decay=decay)
        self.interval, self.ceiling = interval, ceiling

    def move(self, gradient: Row, eta: float) -> None:
        for j, g in gradient.items():
            self.w[j] -= eta * g
        if self.rounds % self.interval == 0:
            for j in self.w:
                if abs(self.w[j]) <= self.ceiling:
                    self.w[j] = soft(self.w[j], self.interval * eta * self.penalty)


class FOBOS(_Learner):
    def move(self, gradient: Row, eta: float) -> None:
        for j in self.w:
            half = self.w[j] - eta * gradient.get(j, 0.0)
            self.w[j] = soft(half, eta * self.penalty)


class AdaFOBOS(_Learner):
    def __init__(self, *, step: float, penalty: float, delta: float, decay: str = "none") -> None:
        super().__init__(step=step, penalty=penalty, decay=decay)
        self.delta = delta
        self.squares: Row = {}  # sum of g_j^2

    def meet(self, j: Hashable) -> None:
        self.squares[j] = 0.0

    def move(self, gradient: Row, eta: float) -> None:
        for j in self.w:
            g = gradient.get(j, 0.0)
            self.squares[j] += g**2
            h = self.delta + math.sqrt(self.squares[j])
            self.w[j] = soft(self.w[j] - eta * g / h, eta * self.penalty / h)


class AdaRDA(_Learner):
    def __init__(self, *, step: float, penalty: float, delta: float, clock: str = "global") -> None:
        assert clock in ("global", "feature")
        super().__init__(step=step, penalty=penalty)
        self.delta, self.clock = delta, clock
        self.gradients: Row = {}  # sum of g_j
        self.squares: Row = {}  # sum of g_j^2
        self.rounds_before: dict[Hashable, int] = {}  # that had gone by when it was first seen

    def meet(self, j: Hashable) -> None:
        self.gradients[j] = self.squares[j] = 0.0
        self.rounds_before[j] = self.rounds

    def move(self, gradient: Row, eta: float) -> None:
        for j, g in gradient.items():
            self.gradients[j] += g
            self.squares[j] += g**2
        for j in self.w:
            h = self.delta + math.sqrt(self.squares[j])
            t = self.rounds - (self.rounds_before[j] if self.clock == "feature" else 0)
            mean = self.gradients[j] / t
            self.w[j] = -(eta * t / h) * soft(mean, self.penalty)
