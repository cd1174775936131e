"""Many classes by Braids that share their statistics, written plainly.

Each class has a whole Braid. One that appears late begins with the statistics of the others, which
depend on no label, and with their first rows, none of which was of its class. Then all of them
learn every row, so that their statistics stay the same.
"""

import copy
import math
from collections.abc import Hashable

from tests.naive.braid import Braid, Row


class BraidOfClasses:
    """One Braid against the rest for each class, from the row on where it first appears."""

    def __init__(self, *, label_memory: bool = True) -> None:
        self.nothing_learned = Braid(label_memory=label_memory)  # but statistics
        self.of: dict[Hashable, Braid] = {}

    def appear(self, label: Hashable) -> None:
        self.of[label] = copy.deepcopy(self.nothing_learned)

    def learn(self, x: Row, label: Hashable, weight: float = 1.0) -> dict[Hashable, float]:
        """Learn from one row; return the scores of all classes before."""
        new = label not in self.of
        if new:
            self.appear(label)
        scores = {
            c: braid.learn(x, 1 if c == label else -1, weight) for c, braid in self.of.items()
        }
        if new:
            scores[label] = -math.inf
        self.note(x, weight)
        return scores

    def note(self, x: Row, weight: float) -> None:
        """The row enters the statistics; nobody learns whose it was."""
        now = self.nothing_learned
        now.enter(x)
        now.settle(x)
        now.widen(x)
        now.rounds += 1
        if now.rounds <= 64:
            now.first_rows.append((x, -1, weight))
