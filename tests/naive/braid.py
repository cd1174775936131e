"""Braid, written as its recipe is printed: six experts over three views of a value, mixed twice.

Labels are -1 and +1. ``laboratory=True`` is the recipe to the letter, in double precision. The
learner departs from it in what does not change the errors and makes it simpler, as written here:

- The mean width of rows, by which rows are scaled, is that of the rows before; it is a statistic,
  which a rewind does not forget. In the laboratory the present row is included.
- Features that are new do not count in the score of their row, as if their names were unheard of.
- Edges are placed, and different values counted, when the row has been learned, not before.
- What experts know of a value, its views and its weights, is in single precision, and so is the
  arithmetic that moves a weight. Sums over a row are not.
- Under a budget, the first rows are kept as far as their features were held or waited then; what a
  name showed before it was forgotten is not learned again if it returns. Different values are
  counted while a feature is held. A trial lasts an eighth of the rounds so far, from 32 to 128.

The budget is a number of features, or a share of those seen. ``offset(round, width)`` says with
which of its values a row begins to bring in new names.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.braid_experts import AdaGrad, Gaussian
from tests.naive.interactions import Interactions
from tests.naive.oco import sigmoid

Row = dict[Hashable, float]


@dataclass
class Feature:
    """What is known of a feature without labels."""

    birth: int
    count: int = 0
    mean: float = 0.0
    spread: float = 0.0  # sum of squared distances from the mean
    squares: float = 0.0
    values: list[float] = field(default_factory=list)  # the first 64
    different: set[float] = field(default_factory=set)  # up to 3
    edges: list[float] | None = None
    positives: int = 0  # rows with a positive label
    together: float = 0.0  # sum of (label - share of positive labels) * (value - mean)


def quantile_edges(values: list[float]) -> list[float]:
    """The 1/16, ..., 15/16 quantiles; a value may fill two bins, what is more is left out."""
    longest = max(1, 2 * len(values) // 16)
    kept: list[float] = []
    for value in sorted(values):
        if kept.count(value) < longest:
            kept.append(value)
    return [kept[min(len(kept) - 1, b * len(kept) // 16)] for b in range(1, 16)]


@dataclass
class View:
    """A value as the experts see it."""

    name: Hashable
    main: float
    ratio: float
    bin: int | None  # for naive Bayes
    used_bin: int | None  # for the binned experts


def clip(value: float, limit: float) -> float:
    return max(-limit, min(limit, value))


class Braid:
    """The learner on rows that hold the observed features only."""

    def __init__(
        self,
        *,
        label_memory: bool = True,
        budget: float | None = None,
        offset: Callable[[int, int], int] = lambda round, width: 0,
        laboratory: bool = False,
        interactions: Callable[[Callable[[Hashable], int]], Interactions] | None = None,
    ) -> None:
        self.label_memory, self.laboratory = label_memory, laboratory
        self.budget, self.offset = budget, offset
        self.seen: set[Hashable] = set()
        self.held: dict[Hashable, float] = {}  # usefulness, in the order of joining
        self.waiting: list[Hashable] = []
        self.label_counts = [0, 0]
        self.single = float if laboratory else np.float32
        self.eighth_of_pi = 0.3927 if laboratory else math.pi / 8
        self.rounds = 0
        self.features: dict[Hashable, Feature] = {}
        self.mean_width = 0.0
        self.first_rows: list[tuple[Row, int, float]] = []
        self.stack = np.array([1 / 6] * 6 + [0.0] * 3)
        self.covariance = np.diag([0.03] * 6 + [0.003, 0.03, 0.03])
        self.shares = np.full(7, 1 / 7)
        self.losses = np.zeros(7)
        self.last_label, self.recent_labels = 0.0, 0.0
        self.columns: dict[Hashable, int] = {}
        self.dropped: dict[Hashable, int] = {}  # how often a name was; it is new when it returns
        self.slots = 0  # the most features that were held or waited at once
        self.interactions = interactions(self.columns.__getitem__) if interactions else None
        self.forget_experts()

    def forget_experts(self) -> None:
        self.ratio_adagrad, self.binned_adagrad = AdaGrad(self.single), AdaGrad(self.single)
        self.bayes, self.binned_bayes = Gaussian(self.single), Gaussian(self.single)
        self.arow = Gaussian(self.single)
        self.counts: dict[Hashable, list[float]] = {}
        self.labels = [0.0, 0.0]

    # ---------------------------------------------------------------------------- statistics

    def enter(self, x: Row) -> None:
        """Take the values of a row into the statistics that views need at once."""
        for name, value in x.items():
            feature = self.features.setdefault(name, Feature(birth=self.rounds))
            feature.count += 1
            step = value - feature.mean
            feature.mean += step / feature.count
            feature.spread += step * (value - feature.mean)
            feature.squares += value * value

    def settle(self, x: Row) -> None:
        """Collect first values, and place edges when there are 8, 16, 32 or 64 of them."""
        for name, value in x.items():
            feature = self.features[name]
            if len(feature.different) < 3:
                feature.different.add(value)
            collected = len(feature.values)
            if feature.edges is None and len(feature.different) > 1 and collected >= 7:
                feature.edges = [feature.values[0]] * 15
                if (name, None) in self.counts:  # the lowest bin inherits
                    self.counts[name, 0] = list(self.counts[name, None])
            if collected < 64:
                feature.values.append(value)
                if feature.edges is not None and len(feature.values) in (8, 16, 32, 64):
                    feature.edges = quantile_edges(feature.values)

    def view(self, name: Hashable, value: float, now: int) -> View:
        feature = self.features[name]
        variance = feature.spread / feature.count
        square = variance + feature.mean**2
        if self.laboratory:
            square = feature.squares / feature.count
        z = 0.0
        if variance > 1e-12 * square:
            z = clip((value - feature.mean) / math.sqrt(variance), 3)
        ratio = clip(value / math.sqrt(square), 5) if square > 0 else 0.0
        presence = (feature.count - 0.5) / (now - feature.birth + 1)
        bin = None if feature.edges is None else sum(edge < value for edge in feature.edges)
        used = bin if len(feature.different) > 2 else None
        main = ratio if presence < 0.25 else z
        return View(name, self.single(main), self.single(ratio), bin, used)

    # ------------------------------------------------------------------------------- experts

    def score_experts(self, x: Row, now: int, width: int) -> list[float]:
        """The logit of each; what the update needs is left in attributes."""
        self.views = [self.view(name, value, now) for name, value in x.items()]
        main = sum(float(v.main) ** 2 for v in self.views)
        binned = sum(v.used_bin is not None for v in self.views)
        self.scale = math.sqrt((self.mean_width + 1) / (main + 1))
        self.binned_scale = math.sqrt((self.mean_width + 1) / (main + binned + 1))
        self.rate = 1 / math.sqrt(1 + sum(float(v.ratio) ** 2 for v in self.views))
        self.binned_rate = 1 / math.sqrt(1 + main + binned)
        born = 3 / (1 + width)
        # Inputs of each expert: (which weight, its value).
        bins = [(v.name, v.used_bin) for v in self.views if v.used_bin is not None]
        self.ratios = [(v.name, v.ratio) for v in self.views]
        self.mains = [(v.name, v.main) for v in self.views]
        self.binned = self.mains + [(bin, self.single(1.0)) for bin in bins]
        return [
            self.ratio_adagrad.margin(self.ratios),
            self.moderated(*self.bayes.margin(self.mains, self.scale, born)),
            self.arow.margin(self.mains, self.scale, born)[0],
            self.moderated(*self.binned_bayes.margin(self.binned, self.binned_scale, born)),
            self.binned_adagrad.margin(self.binned),
            self.naive_bayes(),
        ]

    def moderated(self, margin: float, uncertainty: float) -> float:
        return margin / math.sqrt(1 + self.eighth_of_pi * uncertainty)

    def naive_bayes(self) -> float:
        negatives, positives = self.labels
        pi = (positives + 0.5) / (negatives + positives + 1)
        prior = math.log(pi / (1 - pi))
        logit = prior
        for v in self.views:
            n0, n1 = self.counts.get((v.name, v.bin), (0.0, 0.0))
            if n0 + n1 > 0:
                logit += math.log((n1 + pi) / (n0 + 1 - pi)) - prior
        return logit

    def update_experts(self, logits: list[float], y: int, weight: float) -> None:
        target = (1 + y) / 2
        self.bayes.born = self.binned_bayes.born = self.arow.born = 3 / (1 + len(self.views))
        self.ratio_adagrad.learn(self.ratios, logits[0], target, self.rate, weight)
        self.binned_adagrad.learn(self.binned, logits[4], target, self.binned_rate, weight)
        self.bayes.learn_logistic(self.mains, self.scale, logits[1], target, weight)
        self.binned_bayes.learn_logistic(self.binned, self.binned_scale, logits[3], target, weight)
        self.arow.learn_hinge(self.mains, self.scale, y, weight)
        for v in self.views:
            counts = self.counts.setdefault((v.name, v.bin), [0.0, 0.0])
            counts[y > 0] = float(self.single(counts[y > 0]) + self.single(weight))
        self.labels[y > 0] += weight

    # -------------------------------------------------------------------------------- a round

    def learn(self, x: Row, y: int, weight: float = 1.0) -> float:
        """Learn from one row; return its score before the update."""
        whole = x
        if self.budget is not None:
            self.admit(x)
            x = {name: value for name, value in x.items() if name in self.held}
        self.enter(x)
        if self.laboratory:
            self.settle(x)
            self.widen(x)
        known = sum(self.features[name].count > 1 for name in x)
        logits = self.score_experts(x, self.rounds, len(x) if self.laboratory else known)
        limited = [clip(logit, 4) for logit in logits]
        memory = [self.last_label, self.recent_labels] if self.label_memory else [0.0, 0.0]
        inputs = np.array([*limited, 1.0, *memory])
        stacked = float(self.stack @ inputs)
        p = np.array([sigmoid(logit) for logit in [*limited, stacked]])
        chance = float(self.shares @ p)
        if self.interactions:
            chance = self.with_interactions(x, y, weight, logits, stacked, chance, memory)
        score = math.log(chance / (1 - chance))
        self.learn_mixture(p, inputs, y, weight)
        self.update_experts(logits, y, weight)
        if not self.laboratory:
            self.settle(x)
            self.widen(x)
        if self.budget is not None:
            known = {n: v for n, v in whole.items() if n in self.held or n in self.waiting}
            self.compete(known, y)
            x = whole if self.laboratory else known
        self.rounds += 1
        if self.rounds <= 64:
            self.first_rows.append((x, y, weight))
            if self.rounds in (2, 4, 8, 16, 32, 64):
                self.rewind()
        return score

    def with_interactions(self, x, y, weight, logits, stacked, chance, memory) -> float:
        """Let forest and pairs score and learn the row; while they rest, learn one in eight."""
        parts, before = self.interactions, chance
        seen = len(self.columns) if self.budget is None else self.slots
        awake = parts.awake(self.mean_width, seen)
        self.slots = max(self.slots, len(self.held) + len(self.waiting))
        for name in x:
            self.columns.setdefault(name, len(self.columns))
        if self.budget is not None:
            x = {(name, self.dropped.get(name, 0)): value for name, value in x.items()}
        if awake:
            chance = parts.score(x, self.views, logits, stacked, before, memory)
            parts.learn(x, y, weight)
        elif (self.rounds + 1) % 8 == 0:
            parts.score(x, self.views, logits, stacked, before, memory)
            parts.learn(x, y, weight)
        return chance

    def widen(self, x: Row) -> None:
        self.mean_width += (len(x) - self.mean_width) / (self.rounds + 1)

    def learn_mixture(self, p: np.ndarray, inputs: np.ndarray, y: int, weight: float) -> None:
        of_label = np.maximum(1e-6, p if y > 0 else 1 - p)
        self.losses -= weight * np.log(of_label)
        shares = self.shares * (of_label / of_label.max()) ** (weight / 2)
        self.shares = 0.999 * shares / shares.sum() + 0.001 / 7
        moved = self.covariance @ inputs
        curvature = weight * max(p[6] * (1 - p[6]), 0.001)
        damped = 1 / (1 + curvature * inputs @ moved)
        self.stack = self.stack + weight * ((1 + y) / 2 - p[6]) * damped * moved
        self.covariance = self.covariance - curvature * damped * np.outer(moved, moved)
        self.covariance += 1e-5 * np.eye(9)
        self.last_label = float(y)
        self.recent_labels += (y - self.recent_labels) / min(self.rounds + 2, 32)

    def rewind(self) -> None:
        """Forget the experts, and learn the first rows with the statistics of now."""
        self.forget_experts()
        now, widths = self.rounds - 1, []
        for t, (x, y, weight) in enumerate(self.first_rows):
            if self.budget is not None:
                x = {name: value for name, value in x.items() if self.is_the_same(name, t)}
            if self.laboratory:
                widths.append(len(x))
                self.mean_width = sum(widths) / (t + 1)
            self.update_experts(self.score_experts(x, now, len(x)), y, weight)

    # ------------------------------------------------------------------------------- the budget

    def admit(self, x: Row) -> None:
        """New names are held while there is room, else they wait while there is room for that."""
        self.seen |= set(x)
        names, start = list(x), self.offset(self.rounds, len(x)) if x else 0
        for name in names[start:] + names[:start]:
            if name not in self.held and name not in self.waiting:
                if len(self.held) < self.allowed():
                    self.held[name] = 0.0
                elif len(self.waiting) < max(32, 4 * self.allowed()):
                    self.waiting.append(name)

    def allowed(self) -> int:
        if isinstance(self.budget, int):
            return self.budget
        return max(1, math.floor(self.budget * len(self.seen)))

    def compete(self, known: Row, y: int) -> None:
        """Weigh the row's evidence; who has waited long enough meets the worst that is held."""
        new = {name: value for name, value in known.items() if name in self.waiting}
        self.enter(new)
        negatives, positives = self.label_counts
        share = (positives + 0.5) / (negatives + positives + 1)
        for name, value in known.items():
            feature = self.features[name]
            feature.positives += y > 0
            feature.together += ((y > 0) - share) * (value - feature.mean)
            if name in self.held:
                self.held[name] = self.usefulness(feature, share)
            elif self.laboratory and len(feature.different) < 3:
                feature.different.add(value)
        trial = 32 if self.laboratory else min(128, max(32, self.rounds / 8))
        while self.waiting and self.rounds - self.features[self.waiting[0]].birth + 1 >= trial:
            name = self.waiting.pop(0)
            usefulness = self.usefulness(self.features[name], share)
            if len(self.held) >= self.allowed():
                # Of equals the one that joined last.
                worst = min(reversed(self.held), key=self.held.__getitem__)
                if usefulness <= self.held[worst]:
                    self.forget(name)
                    continue
                self.forget(worst)
            self.held[name] = usefulness
        self.label_counts[y > 0] += 1

    def usefulness(self, feature: Feature, share: float) -> float:
        """Evidence about the label for each round since birth, two standard errors taken off."""
        variance = share * (1 - share)
        surprise = feature.positives - share * feature.count
        chi_square = surprise**2 / (feature.count * variance)
        if feature.spread > 0:
            chi_square = max(chi_square, feature.together**2 / (feature.spread * variance))
        safe = math.sqrt(chi_square) - 2
        return safe**2 / (self.rounds - feature.birth + 1) if safe > 0 else safe

    def forget(self, name: Hashable) -> None:
        del self.features[name]
        if name in self.columns and self.interactions and self.interactions.pairs:
            self.interactions.pairs.forget(name)
        self.held.pop(name, None)
        self.dropped[name] = self.dropped.get(name, 0) + 1
        experts = (
            self.ratio_adagrad,
            self.binned_adagrad,
            self.bayes,
            self.binned_bayes,
            self.arow,
        )
        for memory in (self.counts, *(part for expert in experts for part in expert.memories)):
            for key in [key for key in memory if key == name or key in self.cells(name)]:
                del memory[key]

    def cells(self, name: Hashable) -> list[Hashable]:
        return [(name, bin) for bin in (None, *range(16))]

    def is_the_same(self, name: Hashable, row: int) -> bool:
        """Whether what is held under a name was known in this row."""
        return name in self.held and (self.laboratory or self.features[name].birth <= row)
