"""OFS, OFS_P and the rivals of their paper, written as they are printed.

Wang, Zhao, Hoi and Jin, "Online Feature Selection and Its Applications", TKDE 26(3), 2014: OFS is
Algorithm 3, PE_trun is Algorithms 1 and 2, OFS_P is Algorithm 4; RAND, PE_rand, OFS_rand and the
RAND of partial input are told in the text of sections 4.1.2 and 4.3.1.

Errata that this transcription takes into account:

- The radius of OFS is 1/sqrt(lambda). (The sqrt(lambda) of Algorithm 3, line 9, would be a ball
  smaller than a single step.)
- A share B of the d features known is k = max(1, floor(B * d)) of them. The paper takes
  round(B * d) of a d that never changes.
- On a tie the weight of the feature that was seen first stays. The paper leaves ties open.
"""

import math
import random
from collections.abc import Callable, Hashable, Sequence

from tests.naive.olsf import add

Row = dict[Hashable, float]
Choose = Callable[[str, Sequence[Hashable], int], set[Hashable]]


def allowed(budget: float | int, d: int) -> int:
    return budget if isinstance(budget, int) else max(1, math.floor(budget * d))


def project(weights: Row, radius: float) -> None:
    """Into the Euclidean ball."""
    norm = math.sqrt(add(w * w for w in weights.values()))
    if norm > radius:
        for j in weights:
            weights[j] *= radius / norm


def keep_largest(weights: Row, k: int) -> None:
    """Algorithm 2: everything but the k largest magnitudes becomes zero."""
    nonzero = [j for j in weights if weights[j] != 0.0]  # in order of first sight, which a
    nonzero.sort(key=lambda j: -abs(weights[j]))  # stable sort leaves to ties
    for j in nonzero[k:]:
        weights[j] = 0.0


class OFS:
    """Algorithm 3. step: eta; penalty: lambda; budget: B, a share (float) or a number (int)."""

    def __init__(
        self, *, step: float = 0.2, penalty: float = 0.01, budget: float | int = 0.1
    ) -> None:
        self.step, self.penalty, self.budget = step, penalty, budget
        self.radius = 1.0 / math.sqrt(penalty) if penalty > 0 else math.inf
        self.weights: Row = {}  # every feature seen, in order of first sight

    def learn(self, x: Row, y: int, weight: float = 1.0) -> float:
        """Learn from one row, whose weight is a factor of eta; return its score before that."""
        for j in x:
            self.weights.setdefault(j, 0.0)
        score = add(self.weights[j] * x[j] for j in x)
        for j in self.weights:
            self.weights[j] *= 1.0 - self.penalty * self.step
        if y * score <= 1.0:
            for j in x:
                self.weights[j] += self.step * weight * y * x[j]
            project(self.weights, self.radius)
            keep_largest(self.weights, allowed(self.budget, len(self.weights)))
        return score


class Perceptron:
    """PE_trun (selection "largest") and RAND ("random").

    uniform: where the random selection draws from.
    """

    def __init__(
        self, *, budget: float | int = 0.1, selection: str = "largest",
        uniform: Callable[[], float] = random.random,
    ) -> None:  # fmt: skip
        self.budget, self.selection, self.uniform = budget, selection, uniform
        self.weights: Row = {}
        self.held: list[Hashable] = []  # those with a weight, in the order they got it

    def learn(self, x: Row, y: int) -> float:
        for j in x:
            self.weights.setdefault(j, 0.0)
        score = add(self.weights[j] * x[j] for j in x)
        if y * score <= 0.0 and any(x.values()):
            for j in x:
                self.weights[j] += y * x[j]
            k = allowed(self.budget, len(self.weights))
            keep_largest(self.weights, k) if self.selection == "largest" else self.keep_random(x, k)
        return score

    def keep_random(self, x: Row, k: int) -> None:
        """Keep k of all d features, every choice of k being equally likely.

        Walk through them in any order and keep each with chance (left to keep) / (left to come).
        Here those with a weight come first, so that nobody needs to draw for the others.
        """
        self.held += [j for j in x if j not in self.held]
        self.held = [j for j in self.held if self.weights[j] != 0.0]
        to_keep, to_come = k, len(self.weights)
        if to_keep >= to_come:
            return
        for j in list(self.held):
            if self.uniform() * to_come < to_keep:
                to_keep -= 1
            else:
                self.weights[j] = 0.0
                self.held.remove(j)
            to_come -= 1


class OFSPartial:
    """Algorithm 4, for rows that may lack features and bring new ones.

    The d features known are those of earlier rows. Exploring, the learner reads B(d) of them drawn
    at random, those of them that the row has, and of the n features that are new in the row
    B(d + n) - B(d), so that never more than B(d + n) are read. Exploiting, it reads those that have
    a weight. x_hat divides a value by the chance that it was read.

    update: "gradient", or "perceptron" (w + eta y x after a mistake, with x as it is read);
    selection: "largest", or "random"; explores(t): whether round t (from 0) explores;
    choose(purpose, features, k): k of the features at random, drawn apart for each purpose. Unless
    given, both draw from a generator of Python's own.
    """

    def __init__(
        self, *, step: float = 0.2, radius: float = 10.0, exploration: float = 0.2,
        budget: float | int = 0.1, update: str = "gradient", selection: str = "largest",
        explores: Callable[[int], bool] | None = None, choose: Choose | None = None, seed: int = 0,
    ) -> None:  # fmt: skip
        self.step, self.radius, self.exploration, self.budget = step, radius, exploration, budget
        self.update, self.selection = update, selection
        rng = random.Random(seed)
        self.explores = explores or (lambda t: rng.random() < exploration)
        self.choose = choose or (lambda purpose, features, k: set(rng.sample(list(features), k)))
        self.weights: Row = {}  # every feature known, in order of first sight
        self.rounds = 0
        self.read: set[Hashable] = set()  # what was read of the last row

    def learn(self, x: Row, y: int, weight: float = 1.0) -> float:
        known, new = list(self.weights), [j for j in x if j not in self.weights]
        d, n = len(known), len(new)
        b = min(allowed(self.budget, d), d)
        b_new = min(allowed(self.budget, d + n), d + n) - b
        if self.explores(self.rounds):
            chosen = self.choose("known", known, b) | self.choose("new", new, b_new)
        else:
            chosen = {j for j in known if self.weights[j] != 0.0}
        self.rounds += 1
        self.read = {j for j in x if j in chosen}

        x_read = {j: x[j] for j in x if j in self.read}
        score = add(self.weights[j] * x_read[j] for j in x_read if j in self.weights)
        for j in new:
            self.weights[j] = 0.0
        if y * score <= (1.0 if self.update == "gradient" else 0.0):
            chance = {j: self.chance(j, b / d if j in known else b_new / n) for j in x_read}
            for j in x_read:
                self.weights[j] += self.step * weight * y * x_read[j] / chance[j]
            project(self.weights, self.radius)
            self.truncate(min(allowed(self.budget, d + n), d + n))
        return score

    def chance(self, j: Hashable, share: float) -> float:
        """How likely it was that feature j would be read."""
        if self.update == "perceptron":
            return 1.0  # which does not ask
        return share * self.exploration + (self.weights[j] != 0.0) * (1.0 - self.exploration)

    def truncate(self, k: int) -> None:
        if self.selection == "largest":
            keep_largest(self.weights, k)
        else:
            kept = self.choose("kept", list(self.weights), k)
            for j in self.weights:
                if j not in kept:
                    self.weights[j] = 0.0
