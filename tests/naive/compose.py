"""Learners made of learners, written plainly: what is inside is any two-label learner.

``make(number)`` returns a fresh one; it has ``learn_one(x, y)`` with y True or False, and
``score_one(x)``, positive for True. Rows are dicts of observed features.
"""

import math
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from braided import as_rows

Row = dict[Hashable, float]

LEAST_SLOPE = 1e-3


class Scaled:
    """Each value scaled by what was seen of its feature until now, its own row included."""

    def __init__(self, inside: Any, how: str, intercept: Hashable | None = None) -> None:
        self.inside, self.how, self.intercept = inside, how, intercept
        self.statistics: dict[Hashable, tuple[float, float, float]] = {}
        self.largest: dict[Hashable, float] = {}
        self.rows = 0
        self.documents: dict[Hashable, int] = {}

    def scaled(self, x: Row, *, keep: bool) -> Row:
        if self.how == "unit":
            row = unit(x)
        elif self.how == "tfidf":
            n = self.rows + 1
            documents = {j: self.documents.get(j, 0) + (v != 0) for j, v in x.items()}
            # Of length 1 first: else the squares of huge values would overflow.
            row = unit(
                {j: v * (math.log((1 + n) / (1 + documents[j])) + 1) for j, v in unit(x).items()}
            )
            if keep:
                self.rows = n
                self.documents.update(documents)
        elif self.how == "maxabs":
            largest = {j: max(self.largest.get(j, 0.0), abs(v)) for j, v in x.items()}
            row = {j: v / largest[j] if largest[j] else 0.0 for j, v in x.items()}
            if keep:
                self.largest.update(largest)
        else:
            now = {j: _welford(self.statistics.get(j, (0.0, 0.0, 0.0)), v) for j, v in x.items()}
            row = {j: _standard(v, *now[j]) for j, v in x.items()}
            if keep:
                self.statistics.update(now)
        return row if self.intercept is None else {**row, self.intercept: 1.0}

    def score_one(self, x: Row) -> Any:
        return self.inside.score_one(self.scaled(x, keep=False))

    def learn_one(self, x: Row, y: Any) -> None:
        self.inside.learn_one(self.scaled(x, keep=True), y)


def _welford(known: tuple[float, float, float], x: float) -> tuple[float, float, float]:
    n, mean, squares = known
    n += 1
    apart = x - mean
    mean += apart / n
    squares += apart * (x - mean)
    return n, mean, squares


def _standard(x: float, n: float, mean: float, squares: float) -> float:
    variance = squares / n
    return (x - mean) / math.sqrt(variance) if variance > 0 else 0.0


def unit(x: Row) -> Row:
    largest = max(map(abs, x.values()), default=0.0)
    if largest == 0:
        return x
    row = {j: v / largest for j, v in x.items()}
    square = 0.0
    for v in row.values():
        square += v * v
    return {j: v / math.sqrt(square) for j, v in row.items()}


def shown(scores: dict[Hashable, float]) -> Any:
    """By class if there are more than two; else one score, positive for the second."""
    if len(scores) > 2:
        return scores
    if len(scores) < 2:
        return -sum(scores.values())
    first, second = scores.values()
    return 0.5 * (second - first)


class OneVsRest:
    """A learner for each class, from the row on where it first appears."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.make = make
        self.inside: dict[Hashable, Any] = {}

    def score_one(self, x: Row) -> Any:
        return shown({c: self.inside[c].score_one(x) for c in sorted(self.inside)})

    def learn_one(self, x: Row, y: Hashable) -> None:
        if y not in self.inside:
            self.inside[y] = self.make(len(self.inside))
        for c, learner in self.inside.items():
            learner.learn_one(x, c == y)


class OneVsOne:
    """A learner for each pair of classes, from the row on where the second first appears."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        self.make = make
        self.classes: list[Hashable] = []
        self.inside: dict[tuple[Hashable, Hashable], Any] = {}

    def score_one(self, x: Row) -> Any:
        votes = dict.fromkeys(sorted(self.classes), 0.0)
        sums = dict(votes)
        for (first, second), learner in self.inside.items():
            margin = learner.score_one(x)
            votes[second if margin > 0 else first] += 1
            sums[second] += margin
            sums[first] -= margin
        return shown({c: votes[c] + sums[c] / (3 * (abs(sums[c]) + 1)) for c in votes})

    def learn_one(self, x: Row, y: Hashable) -> None:
        if y not in self.classes:
            for other in self.classes:
                self.inside[other, y] = self.make(len(self.inside))
            self.classes.append(y)
        for (first, second), learner in self.inside.items():
            if y in (first, second):
                learner.learn_one(x, y == second)


class PseudoLabel:
    """A row without a label (None) is learned as predicted, if the score is large enough.

    With many classes the largest score must be, and ``scores`` returns them all.
    """

    def __init__(self, inside: Any, confidence: float) -> None:
        self.inside, self.confidence = inside, confidence
        self.pseudo_labelled = self.skipped = 0

    def score_one(self, x: Row) -> float:
        return self.inside.score_one(x)

    def learn_one(self, x: Row, y: Any) -> None:
        if y is None:
            label, score = self.predicted(x)
            if score < self.confidence:
                self.skipped += 1
                return
            y = label
            self.pseudo_labelled += 1
        self.inside.learn_one(x, y)

    def predicted(self, x: Row) -> tuple[Any, float]:
        """The predicted label and its score."""
        score = self.inside.score_one(x)
        return score > 0, abs(score)


class PseudoLabelOfMany(PseudoLabel):
    """With a score for each class, and none before there is a class."""

    def __init__(self, inside: Any, confidence: float, scores: Callable[[Row], Any]) -> None:
        super().__init__(inside, confidence)
        self.scores = scores

    def predicted(self, x: Row) -> tuple[Any, float]:
        scores = self.scores(x)
        label = max(sorted(scores), key=scores.__getitem__, default=None)
        return label, scores.get(label, -math.inf)


class Platt:
    """sigmoid(a z + b) with z = s / m, by the Bayesian step for two numbers, in plain algebra."""

    def __init__(self) -> None:
        self.theta = np.array([LEAST_SLOPE, 0.0])  # a and b
        self.precision = np.eye(2)
        self.n = 0
        self.count = self.mean = 0.0

    def log_odds(self, score: float) -> float:
        z = score / self.mean if self.mean else 0.0
        return float(self.theta @ [z, 1.0])

    def learn(self, score: float, y: bool, weight: float = 1.0) -> None:
        keep = 1.0 - max(1.0 / (self.n + 2), 1e-3)
        self.n += 1
        self.count = keep * self.count + 1.0
        self.mean += (abs(score) - self.mean) / self.count
        self.precision = keep * self.precision + (1.0 - keep) * np.eye(2)
        features = np.array([score / self.mean if self.mean else 0.0, 1.0])
        towards = np.linalg.solve(self.precision, features)
        sign = 1.0 if y else -1.0
        margin = sign * float(self.theta @ features)
        reach = weight * float(features @ towards)
        low, high = margin, margin + reach
        for _ in range(200):
            middle = (low + high) / 2
            if middle < margin + reach * _sigmoid(-middle):
                low = middle
            else:
                high = middle
        pull = weight * _sigmoid(-low)
        self.theta = self.theta + sign * pull * towards
        curvature = weight * _sigmoid(low) * _sigmoid(-low)
        self.precision = self.precision + curvature * np.outer(features, features)
        if self.theta[0] < LEAST_SLOPE:  # the nearest with the least slope
            (_, between), (_, own) = self.precision
            self.theta[1] += (self.theta[0] - LEAST_SLOPE) * between / own
            self.theta[0] = LEAST_SLOPE


def _sigmoid(u: float) -> float:
    return 1.0 / (1.0 + math.exp(-u)) if u > -700 else 0.0


class Calibrated:
    """The Platt scaling of the score that a row had before it was learned."""

    def __init__(self, inside: Any) -> None:
        self.inside, self.scaling = inside, Platt()

    def score_one(self, x: Row) -> float:
        return self.inside.score_one(x)

    def predict_proba_one(self, x: Row) -> float:
        return _sigmoid(self.scaling.log_odds(self.inside.score_one(x)))

    def learn_one(self, x: Row, y: bool) -> None:
        score = self.inside.score_one(x)
        self.inside.learn_one(x, y)
        self.scaling.learn(score, y)


class CalibratedClasses:
    """A Platt scaling for each class of a OneVsRest or OneVsOne; probabilities sum to 1."""

    def __init__(self, inside: Any) -> None:
        self.inside = inside
        self.scalings: dict[Hashable, Platt] = {}

    def _scores(self, x: Row) -> dict[Hashable, float]:
        """A score for each class, also where there are two."""
        if self.inside.engine is None:
            return {}
        nothing, never = as_rows([], []), np.zeros(1, np.int64)
        scores = self.inside.interleaved(as_rows([x]), nothing, never, by_class=True)
        return dict(zip(self.inside.classes_.tolist(), scores[0].tolist(), strict=True))

    def predict_proba_one(self, x: Row) -> dict[Hashable, float]:
        scores = self._scores(x)
        chances = {c: _sigmoid(self.scalings[c].log_odds(s)) for c, s in scores.items()}
        return {c: p / sum(chances.values()) for c, p in chances.items()}

    def learn_one(self, x: Row, y: Hashable) -> None:
        scores = self._scores(x)
        self.inside.learn_one(x, y)
        for c, score in scores.items():
            self.scalings[c].learn(score, c == y)
        self.scalings.setdefault(y, Platt())
