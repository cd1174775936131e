"""Many classes by Braids that share their statistics, written plainly.

Each class has a whole Braid. One that appears late begins with the statistics of the others, which
depend on no label, and with their first rows, none of which was of its class. Then all of them
learn every row, so that their statistics stay the same. They have one forest, and rest together.
"""

import copy
import math
from collections.abc import Callable, Hashable
from typing import Any

from tests.naive.braid import Braid, Row
from tests.naive.forest import Forest
from tests.naive.interactions import LEAST_WORTH, TRIAL, Interactions

MOST_CLASSES = 26


class ForestOfClass:
    """What one class sees of the forest of all; the forest learns when all classes were scored."""

    def __init__(self, forest: Forest, number: int) -> None:
        self.forest, self.number, self.margin = forest, number, 0.0

    def score(self, x: Row, offsets: list[float], asked: list[int]) -> Any:
        """Its two logits, as if it were the second of two classes."""
        of_all = [0.0] * MOST_CLASSES
        of_all[self.number] = offsets[1]
        votes, margins = self.forest.score(x, of_all, [self.number])
        self.margin = margins[0]
        return votes, margins

    def learn(self, *row: Any) -> None:
        """Do nothing."""


class BraidOfClasses:
    """One Braid against the rest for each class, from the row on where it first appears."""

    def __init__(
        self,
        *,
        label_memory: bool = True,
        forest: Forest | None = None,
        interactions: Callable[[Callable[[Hashable], int]], Interactions] | None = None,
    ) -> None:
        self.nothing_learned = Braid(label_memory=label_memory)  # but statistics
        self.of: dict[Hashable, Braid] = {}
        self.forest, self.interactions = forest, interactions

    def appear(self, label: Hashable) -> None:
        self.of[label] = braid = copy.deepcopy(self.nothing_learned)
        if self.interactions:
            parts = braid.interactions = self.interactions(braid.columns.__getitem__)
            parts.awake = lambda mean_width, seen: self.awake  # type: ignore[method-assign]
            if self.forest:
                parts.forest = ForestOfClass(self.forest, len(self.of) - 1)  # type: ignore[assignment]

    def is_awake(self) -> bool:
        """Where rows are sparse and they are worth little for all classes, they rest."""
        parts = [braid.interactions for braid in self.of.values() if braid.interactions]
        rows, worth = max(p.rows for p in parts), sum(p.worth for p in parts)
        now = self.nothing_learned
        return 32 * now.mean_width >= len(now.columns) or rows < TRIAL or worth > LEAST_WORTH

    def learn(self, x: Row, label: Hashable, weight: float = 1.0) -> dict[Hashable, float]:
        """Learn from one row; return the scores of all classes before."""
        new = label not in self.of
        if new:
            self.appear(label)
        self.awake = bool(self.interactions) and self.is_awake()
        scores = {
            c: braid.learn(x, 1 if c == label else -1, weight) for c, braid in self.of.items()
        }
        if new:
            scores[label] = -math.inf
        if self.forest and (self.awake or (self.nothing_learned.rounds + 1) % 8 == 0):
            asked = [*range(len(self.of))]
            of_class: list[Any] = [
                b.interactions and b.interactions.forest for b in self.of.values()
            ]
            self.forest.margins = [each.margin for each in of_class]
            self.forest.learn(x, [*self.of].index(label), asked, weight)
        self.note(x, weight)
        return scores

    def note(self, x: Row, weight: float) -> None:
        """The row enters the statistics; nobody learns whose it was."""
        now = self.nothing_learned
        for name in x:
            now.columns.setdefault(name, len(now.columns))
        now.enter(x)
        now.settle(x)
        now.widen(x)
        now.rounds += 1
        if now.rounds <= 64:
            now.first_rows.append((x, -1, weight))
