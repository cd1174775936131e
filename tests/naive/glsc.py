"""GLSC with its three graphs, written plainly.

He et al., "Toward Mining Capricious Data Streams", TNNLS 2020, equations 10-14 and Algorithm 1.
What is open there is settled as in ``braided/learners/glsc/``: the first weight of a newcomer, the
budget, the limits that keep the paper's rules within numbers, and the regression graph.
"""

import math
from collections.abc import Hashable

from tests.naive.oco import logistic_loss, sigmoid

Row = dict[Hashable, float]


def limited(value: float, most: float) -> float:
    return min(max(value, -most), most)


class GLSC:
    def __init__(
        self, *, graph: str = "regression", part: str = "ensemble", share: float = 0.01,
        budget: int = 512, step: float = 1.0, reconstruction: float = 1.0, sparsity: float = 0.0,
        smoothness: float = 0.0, schedule: str = "sqrt", losses: str = "sum",
    ) -> None:  # fmt: skip
        self.graph, self.part, self.share, self.budget, self.step = graph, part, share, budget, step
        self.alpha, self.b1, self.b2 = reconstruction, sparsity, smoothness
        self.schedule, self.of = schedule, losses
        self.squares: dict[tuple[str, Hashable], float] = {}
        self.w: Row = {}
        self.oco: Row = {}
        self.first_sight: list[Hashable] = []
        self.G: dict[tuple[Hashable, Hashable], float] = {}
        self.C: dict[tuple[Hashable, Hashable], float] = {}
        self.N: dict[tuple[Hashable, Hashable], int] = {}
        self.mean: Row = {}
        self.visits: Row = {}
        self.rounds = 0
        self.losses = [0.0, 0.0]
        self.p = 0.5

    # What the graph tells

    def psi(self, x: Row) -> Row:
        known = [i for i in x if i in self.w]
        if self.graph != "regression":
            d = max(1, len(known))
            return {j: sum(self.G[i, j] * x[i] for i in known) / d for j in self.w}
        return {j: self.regression(x, known, j) for j in self.w}

    def deviation(self, j: Hashable) -> float:
        return math.sqrt(self.C[j, j] / self.N[j, j]) if self.N[j, j] else 0.0

    def regression(self, x: Row, known: list[Hashable], j: Hashable) -> float:
        above = below = 0.0
        for i in known:
            if self.deviation(i) == 0.0 or self.deviation(j) == 0.0:
                continue
            z = limited((x[i] - self.mean[i]) / self.deviation(i), 10.0)
            n = self.N[i, j] + 10.0
            r = self.C[i, j] / n / (self.deviation(i) * self.deviation(j))
            r2 = min(max(0.0, r * r - (1 - r * r) / n), 0.99)
            above += r2 / (1 - r2) * r * z
            below += r2 / (1 - r2)
        return self.mean[j] + self.deviation(j) * (above / below if below else 0.0)

    def parts(self, x: Row) -> tuple[float, float]:
        psi = self.psi(x)
        told = sum(self.w[j] * psi[j] for j in self.w if j not in x)
        observed = sum(self.w[j] * x[j] for j in x if j in self.w)
        if self.graph == "regression":
            return sum(self.oco[j] * x[j] for j in x if j in self.w), observed + told
        return observed, told

    def score(self, x: Row) -> float:
        observed, told = self.parts(x)
        p = {"ensemble": self.p, "observed": 1.0, "reconstructed": 0.0}[self.part]
        return p * observed + (1 - p) * told

    # Algorithm 1

    def learn(self, x: Row, y: int) -> float:
        score, parts, psi = self.score(x), self.parts(x), self.psi(x)
        self.rounds += 1
        self.first_sight += [j for j in x if j not in self.first_sight]
        losses = [logistic_loss(y * part) / math.log(2) for part in parts]
        eta = 8 / math.sqrt(math.log(max(2, self.rounds)))
        self.losses = [a + b for a, b in zip(self.losses, losses, strict=True)]
        if self.of == "mean":
            p = sigmoid(eta * (self.losses[1] - self.losses[0]) / self.rounds)
            self.p = (1 - self.share) * p + self.share / 2
        elif self.share == 0:
            self.p = sigmoid(eta * (self.losses[1] - self.losses[0]))
        else:
            odds = math.log(self.p / (1 - self.p)) + eta * (losses[1] - losses[0])
            self.p = (1 - self.share) * sigmoid(odds) + self.share / 2
        step = self.step / math.sqrt(self.rounds)
        if self.schedule == "adaptive":
            moves = [self.adaptive_moves(x, y, part, name)
                     for part, name in zip(parts, ("oco", "w"), strict=True)]  # fmt: skip
            for j in x:
                if j in self.w:
                    self.oco[j] += moves[0][j]
                    self.w[j] += moves[1][j]
            newcomers = {j: (moves[1][j], moves[0][j]) for j in x if j not in self.w}
        elif self.graph == "regression":
            pulls = [step * y * sigmoid(-y * part) for part in parts]
            for j in x:
                if j in self.w:
                    self.oco[j] += pulls[0] * x[j]
                    self.w[j] += pulls[1] * x[j]
            newcomers = {j: (pulls[1] * x[j], pulls[0] * x[j]) for j in x if j not in self.w}
        else:
            error = y - sum(self.w[j] * psi[j] for j in self.w)
            self.descend(x, y, psi, error, step)
            newcomers = {j: (limited(2 * step * error * x[j] / len(x), 1e6), 0.0)
                         for j in x if j not in self.w}  # fmt: skip
        for j, (w, oco) in newcomers.items():
            self.let_in(j, w, oco)
        if self.graph == "regression":
            self.regress(x)
        return score

    def adaptive_moves(self, x: Row, y: int, part: float, name: str) -> Row:
        """Of a row scaled to length 1, as in ``tests/naive/oco.py``."""
        length = math.sqrt(sum(value**2 for value in x.values()))
        moves = {}
        for j in x:
            g = y * sigmoid(-y * part) * x[j] / length if length else 0.0
            known = self.squares.get((name, j), 0.0) if j in self.w else 0.0
            self.squares[name, j] = known + g**2
            moves[j] = self.step * g / math.sqrt(1 + self.squares[name, j])
        return moves

    def descend(self, x: Row, y: int, psi: Row, error: float, step: float) -> None:
        known = [i for i in x if i in self.w]
        slope = {j: -2 * error * psi[j] + self.b1 * ((w > 0) - (w < 0)) for j, w in self.w.items()}
        for i in known:  # 2 b2 L w, for the edges out of observed features
            for j in self.w:
                tension = self.b2 * self.G[i, j] * (self.w[i] - self.w[j])
                slope[i] += tension
                slope[j] -= tension
        for i in known:
            for j in self.w:
                there = self.alpha if j in x else 0.0
                value = x.get(j, 0.0)
                if self.graph == "gradient":
                    pull = error * self.w[j] + there * (value - psi[j])
                    moved = self.G[i, j] + step * 2 / len(known) * x[i] * pull
                    self.G[i, j] = limited(moved, 1e3)
                else:
                    terms = [y * self.w[j], (error - y) * self.w[j], there * value, -there * psi[j]]
                    up = 1e-12 + sum(max(0.0, x[i] * term) for term in terms)
                    down = 1e-12 + sum(max(0.0, -x[i] * term) for term in terms)
                    ratio = min(max(up / down, 0.5), 2.0)
                    self.G[i, j] = min(max(self.G[i, j] * ratio, 1e-12), 1e3)
        self.w = {j: limited(w - step * slope[j], 1e6) for j, w in self.w.items()}

    def let_in(self, j: Hashable, w: float, oco: float) -> None:
        if len(self.w) >= self.budget:
            least = min(abs(v) for v in self.w.values())
            if abs(w) <= least:
                return
            loser = [i for i in self.first_sight if abs(self.w.get(i, math.inf)) == least][-1]
            del self.w[loser], self.oco[loser]
        self.w[j], self.oco[j], self.mean[j], self.visits[j] = w, oco, 0.0, 0.0
        for i in self.w:
            start = {"regression": 0.0, "gradient": 0.0, "multiplicative": 1.0}[self.graph]
            for pair in ((i, j), (j, i)):
                self.G[pair], self.C[pair], self.N[pair] = start, 0.0, 0
        if self.graph == "gradient":
            self.G[j, j] = 1.0

    def regress(self, x: Row) -> None:
        known = [i for i in x if i in self.w]
        for i in known:
            self.visits[i] += 1
            self.mean[i] += (x[i] - self.mean[i]) / self.visits[i]
        for i in known:
            for j in known:
                self.C[i, j] += (x[i] - self.mean[i]) * (x[j] - self.mean[j])
                self.N[i, j] += 1
