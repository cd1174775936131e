"""OLSF, OLSF-I and OLSF-II, with their -all, -rand and -per forms, written as they are printed.

Zhang et al., "Online Learning from Trapezoidal Data Streams", TKDE 2016, Algorithms 1-3. They are
called STSD in Zhang et al., "Towards Mining Trapezoidal Data Streams", ICDM 2015.

Errata that this transcription takes into account:

- At least one weight is kept, k = max(1, floor(B * d)). A k of 0 is not allowed; the results
  printed for small B in the ICDM paper come from code that let it be 0.
- floor is the usual one, the largest integer not above B * d. (The TKDE paper words it as the
  largest integer *smaller than* B * d, which would lose one weight whenever B * d is whole.)
- On a tie the weight of the feature that was seen first stays. The papers leave ties open.
- A round without an update cuts nothing: the weights have not moved and k never shrinks.
"""

import math
import random
from collections.abc import Callable, Hashable, Iterable


def add(values: Iterable[float]) -> float:
    """The sum from left to right; sum() rounds differently from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


class OLSF:
    """The learner on rows that hold the observed features only; labels are -1 and +1.

    variant: "hard" (OLSF), "I" or "II"; aggressiveness: C; radius: the L1 ball (lambda in the
    papers); budget: a float is the share B of the features seen, an int is k itself (so 1.0 keeps
    all and 1 keeps one); selection: "largest" or "random" (-rand); update: "pa" or "perceptron"
    (-per); uniform: where random selection draws from, instead of a generator seeded by `seed`.
    """

    def __init__(
        self, *, variant: str = "I", aggressiveness: float = 0.1, radius: float = math.inf,
        budget: float | int = 1.0, selection: str = "largest", update: str = "pa",
        seed: int = 0, uniform: Callable[[], float] | None = None,
    ) -> None:  # fmt: skip
        assert variant in ("hard", "I", "II")
        assert update in ("pa", "perceptron")
        assert selection in ("largest", "random")
        assert budget >= 1 if isinstance(budget, int) else 0.0 < budget <= 1.0
        self.variant, self.update, self.selection = variant, update, selection
        self.aggressiveness, self.radius, self.budget = aggressiveness, radius, budget
        self.uniform = random.Random(seed).random if uniform is None else uniform
        self.weights: dict[Hashable, float] = {}  # every feature seen, in order of first sight
        self.held: list[Hashable] = []  # for random selection: in the order they became non-zero

    def score(self, x: dict[Hashable, float]) -> float:
        return add(self.weights[j] * x[j] for j in x if j in self.weights)

    def learn(self, x: dict[Hashable, float], y: int) -> float:
        """Learn from one row; return its score before the update."""
        score = self.score(x)
        for j in x:
            self.weights.setdefault(j, 0.0)
        step = self._step(score, x, y)
        if step is not None:
            for j in x:
                self.weights[j] = self.weights[j] + (step * y) * x[j]
            self._project()
            self._keep_largest() if self.selection == "largest" else self._keep_random(x)
        return score

    def _step(self, score: float, x: dict[Hashable, float], y: int) -> float | None:
        """tau of Algorithm 2, or the perceptron's 1; None for no update."""
        squared_norm = add(value * value for value in x.values())
        if self.update == "perceptron":
            return 1.0 if squared_norm > 0.0 and not y * score > 0.0 else None
        loss = max(0.0, 1.0 - y * score)
        if not (squared_norm > 0.0 and loss > 0.0):
            return None
        if self.variant == "hard":
            return loss / squared_norm
        if self.variant == "I":
            return min(self.aggressiveness, loss / squared_norm)
        return loss / (squared_norm + 1.0 / (2.0 * self.aggressiveness))

    def _k(self) -> int:
        if isinstance(self.budget, int):
            return self.budget
        return max(1, math.floor(self.budget * len(self.weights)))

    def _project(self) -> None:
        l1_norm = add(abs(w) for w in self.weights.values())
        if l1_norm > self.radius:
            for j in self.weights:
                self.weights[j] *= self.radius / l1_norm

    def _keep_largest(self) -> None:
        nonzero = [j for j in self.weights if self.weights[j] != 0.0]  # in order of first sight,
        nonzero.sort(key=lambda j: -abs(self.weights[j]))  # which a stable sort leaves to ties
        for j in nonzero[self._k() :]:
            self.weights[j] = 0.0

    def _keep_random(self, x: dict[Hashable, float]) -> None:
        self.held += [j for j in x if j not in self.held]
        self.held = [j for j in self.held if self.weights[j] != 0.0]
        # Selection sampling: walk through all d features, in any order fixed before the draws, and
        # keep each with probability (still to keep) / (still to come): every k-subset of the d is
        # equally likely, whatever the order. Take the held ones first. The draws for the rest have
        # no effect (their weights are 0 and no held one comes after them), so they are left out:
        # what remains is exactly a uniform k-subset of all d, restricted to the non-zero weights.
        left_to_keep, left = self._k(), len(self.weights)
        if left_to_keep >= left:
            return
        survivors = []
        for j in self.held:
            if self.uniform() * left < left_to_keep:
                survivors.append(j)
                left_to_keep -= 1
            else:
                self.weights[j] = 0.0
            left -= 1
        self.held = survivors
