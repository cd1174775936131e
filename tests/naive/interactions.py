"""Forest and pairs beside the additive experts of Braid, and the mixture of all, plainly."""

import math
from collections.abc import Callable, Hashable

import numpy as np

from tests.naive.forest import Forest
from tests.naive.oco import sigmoid
from tests.naive.pairs import Pairs

TRIAL, LEAST_WORTH = 1024, 0.002


def clip(value: float, limit: float = 4.0) -> float:
    return max(-limit, min(limit, value))


class Interactions:
    """The members are: the additive part, both logits of the forest, pairs, the second stack."""

    def __init__(
        self,
        number: Callable[[Hashable], int],
        additive: int,
        *,
        forest: bool = True,
        pairs: bool = True,
        seed_word: int = 0,
        most: tuple[int, int] = (1024, 512),
    ) -> None:
        self.forest = Forest(2, seed_word, most) if forest else None
        self.pairs = Pairs(number) if pairs else None
        self.used = np.array([forest, forest, pairs])
        logits = additive + self.used.sum()
        self.stack = np.array([1 / logits] * additive + [*(self.used / logits), 0.0, 0.0, 0.0])
        self.variances = np.array([0.03] * additive + [*(0.03 * self.used), 0.003, 0.03, 0.03])
        self.covariance = np.diag(self.variances)
        self.members = np.array([True, *self.used, True])
        self.shares = self.members / self.members.sum()
        self.losses = np.zeros(5)
        self.rows, self.worth = 0, 0.0

    def awake(self, mean_width: float, seen: int) -> bool:
        """Where rows are sparse and they are worth little, they rest."""
        return 32 * mean_width >= seen or self.rows < TRIAL or self.worth > LEAST_WORTH

    def score(self, x, views, logits, stacked, chance, memory) -> float:
        """The probability of the positive label; ``chance`` is that of the additive part."""
        others = [0.0, 0.0, 0.0]
        if self.forest:
            votes, margins = self.forest.score(x, [0.0, clip(stacked)], [1])
            others[:2] = votes[0], margins[0]
        if self.pairs:
            others[2] = self.pairs.score([(v.name, float(v.main)) for v in views])
        self.logits = np.array([*logits, *others])
        limited = [clip(logit) for logit in self.logits]
        self.inputs = np.array([*limited, 1.0, *memory])
        second = sigmoid(float(self.stack @ self.inputs))
        self.p = np.array([chance, *(sigmoid(clip(logit)) for logit in others), second])
        self.said = chance if self.rows < 128 else float(self.shares @ self.p)
        return self.said

    def learn(self, x, y: int, weight: float) -> None:
        of_label = np.maximum(1e-6, self.p if y > 0 else 1 - self.p)
        with_all = max(1e-6, self.said if y > 0 else 1 - self.said)
        self.rows += 1
        gain = math.log(with_all / of_label[0])
        self.worth += (gain - self.worth) / min(self.rows, TRIAL)
        self.losses -= weight * np.log(of_label)
        if self.rows > 128:
            shares = self.shares * (of_label / of_label.max()) ** (weight / 2)
            self.shares = 0.999 * shares / shares.sum() + 0.001 * self.members / self.members.sum()
        moved = self.covariance @ self.inputs
        curvature = weight * max(self.p[4] * (1 - self.p[4]), 0.001)
        damped = 1 / (1 + curvature * self.inputs @ moved)
        self.stack = self.stack + weight * ((1 + y) / 2 - self.p[4]) * damped * moved
        self.covariance = self.covariance - curvature * damped * np.outer(moved, moved)
        self.covariance += 1e-5 * np.diag(self.variances > 0)
        if self.forest:
            self.forest.learn(x, int(y > 0), [1], weight)
        if self.pairs:
            self.pairs.learn(y, weight)
