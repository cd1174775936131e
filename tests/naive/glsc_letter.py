"""Algorithm 1 of GLSC as it is printed, with the matrices of the paper.

He et al., "Toward Mining Capricious Data Streams", TNNLS 2020, equations 7 to 14. The paper leaves
open how edges of new features start (here 1) and what 0 / 0 is (here the edge stays).
"""

import math
from collections.abc import Hashable

import numpy as np

from tests.naive.oco import logistic_loss, sigmoid


class Letter:
    def __init__(
        self, *, step: float, alpha: float, b1: float, b2: float, budget: int, losses: str = "sum"
    ) -> None:
        self.step, self.alpha, self.b1, self.b2 = step, alpha, b1, b2
        self.budget, self.losses = budget, losses
        self.universe: list[Hashable] = []  # U_t
        self.first_sight: list[Hashable] = []
        self.w = np.zeros(0)
        self.G = np.zeros((0, 0))
        self.p, self.L_obs, self.L_rec, self.rounds = 0.5, 0.0, 0.0, 0

    def learn(self, row: dict[Hashable, float], y: int) -> float:
        self.rounds += 1
        for name in row:  # line 2
            if name not in self.first_sight:
                self.first_sight.append(name)
            if name not in self.universe:
                self.universe.append(name)
                self.w = np.append(self.w, 0.0)
                self.G = np.pad(self.G, (0, 1), constant_values=1.0)
        d, u = len(row), len(self.universe)
        x = np.array(list(row.values()))
        indicator = np.zeros((d, u))  # I_t
        indicator[np.arange(d), [self.universe.index(name) for name in row]] = 1.0
        psi = (indicator @ self.G).T @ x / max(1, d)  # lines 3, 4
        observed = indicator.sum(axis=0) > 0
        parts = float(self.w @ (indicator.T @ x)), float(self.w[~observed] @ psi[~observed])
        score = self.p * parts[0] + (1 - self.p) * parts[1]
        self.L_obs += logistic_loss(y * parts[0]) / math.log(2)  # line 5
        self.L_rec += logistic_loss(y * parts[1]) / math.log(2)
        eta = 8 * math.sqrt(1 / math.log(max(2, self.rounds)))  # line 6
        over = self.rounds if self.losses == "mean" else 1
        self.p = sigmoid(eta * (self.L_rec - self.L_obs) / over)
        error = y - float(self.w @ psi)  # line 7, equation 11
        half = (self.G + self.G.T) / 2
        laplacian = np.diag(half.sum(axis=1)) - half
        slope = -2 * error * psi + self.b1 * np.sign(self.w)
        slope += self.b2 * (laplacian + laplacian.T) @ self.w
        spread = indicator.T @ x  # equation 12: what is written with a minus, and with a plus
        here = self.alpha * observed
        minus = np.outer(spread, y * self.w + here * spread)
        plus = np.outer(spread, float(self.w @ psi) * self.w + here * psi)
        grown = np.where(plus != 0, self.G * minus / np.where(plus != 0, plus, 1), self.G)
        self.G = np.where(spread[:, None] != 0, np.maximum(grown, 0), self.G)
        self.w = self.w - self.step * slope
        while len(self.universe) > self.budget:  # line 8
            least = min(abs(self.w))
            ties = [name for name, w in zip(self.universe, self.w, strict=True) if abs(w) == least]
            gone = self.universe.index(max(ties, key=self.first_sight.index))
            del self.universe[gone]
            self.w = np.delete(self.w, gone)
            self.G = np.delete(np.delete(self.G, gone, 0), gone, 1)
        return score
