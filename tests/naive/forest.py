"""Braid's forest, written plainly: trees with three branches that grow row by row.

Classes are numbered; each is told from the rest. A class begins when it is first asked for, and
until then its numbers are 0. Of two classes, both have begun and the second is asked for. ``most``
is the largest number of nodes and of leaves with candidates in each tree, with two classes. Numbers
of a leaf are kept in single precision, counts of candidates are whole numbers.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from tests.naive.oco import sigmoid

Row = dict[Hashable, float]

TREES, CANDIDATES = 16, 48
STRIDE, MASK = 0x9E3779B97F4A7C15, 2**64 - 1


def scrambled(z: int) -> int:
    """SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def branch_of(x: Row, feature: Hashable, cut: float) -> int:
    """0 if not above, 1 if above, 2 if not observed."""
    return 2 if feature not in x else int(x[feature] > cut)


def single(value: float) -> float:
    return float(np.float32(value))


class Candidate:
    """A split that a leaf may make, and the rows that it would have sent each way."""

    def __init__(self, feature: Hashable, cut: float) -> None:
        self.feature, self.cut = feature, cut
        self.table: list[dict[int, int]] = [{}, {}, {}]  # by branch, by class

    @property
    def rows(self) -> int:
        return sum(sum(counts.values()) for counts in self.table)

    @property
    def classes(self) -> set[int]:
        return {c for counts in self.table for c in counts}

    def strength(self, classes: int) -> float:
        """Chi-square / rows: the sum of n_bc^2 / (n_b n_c), less 1."""
        strength = -1.0
        shares = [1.0 / max(1, sum(counts.values())) for counts in self.table]
        for c in range(classes):
            n = [counts.get(c, 0) for counts in self.table]
            parts = [a * a * share for a, share in zip(n, shares, strict=True)]
            strength += (parts[0] + parts[1] + parts[2]) / max(1, sum(n))
        return strength


def critical(classes: int) -> float:
    """A chi-square as rare as 8 is with two classes (Wilson and Hilferty)."""
    if classes == 2:
        return 8.0
    degrees = 2.0 * (classes - 1)
    ninth = 2.0 / (9.0 * degrees)
    return degrees * (1.0 - ninth + 2.1 * math.sqrt(ninth)) ** 3


@dataclass
class Node:
    prior: list[float]
    weight: list[float]
    squares: list[float]
    counts: list[float]
    feature: Hashable = None
    cut: float = 0.0
    split: bool = False
    children: list["Node | None"] = field(default_factory=lambda: [None, None, None])
    candidates: list[Candidate] = field(default_factory=list)
    seen: int = 0
    due: int = 8

    def chances(self) -> list[float]:
        share = 1.0 / sum(self.counts, 1.0)
        return [(n + prior) * share for n, prior in zip(self.counts, self.prior, strict=True)]


class Tree:
    def __init__(self, classes: int) -> None:
        zeros = [0.0] * classes
        self.root = Node([*zeros], [*zeros], [*zeros], [*zeros])
        self.nodes = self.leaves = 1  # leaves ever made; a split hands one on
        self.late_error = self.long_error = self.age = 0.0


class Forest:
    def __init__(self, classes: int = 2, seed_word: int = 0, most: tuple[int, int] = (1024, 512)):
        self.classes, self.most, self.word = classes, most, seed_word
        self.trees = [Tree(classes) for _ in range(TREES)]
        self.bias, self.bias_squares = [0.0] * classes, [0.0] * classes
        self.begun: list[int] = []
        for number in range(2 if classes == 2 else 0):
            self.begin(number)
        self.importance: dict[Hashable, float] = {}
        self.rounds = self.renewed = 0

    def begin(self, number: int) -> None:
        """In all nodes: no row of this class has come there yet."""
        self.begun.append(number)
        self.bias_squares[number] = 0.01
        for tree in self.trees:
            nodes: list[Node | None] = [tree.root]
            while nodes:
                if node := nodes.pop():
                    node.prior[number], node.squares[number] = 0.5, single(0.01)
                    nodes += node.children

    @property
    def most_leaves(self) -> int:
        """The more classes, the fewer leaves."""
        return min(self.most[1], max(32, 2 * self.most[1] // max(2, len(self.begun))))

    def score(
        self, x: Row, offsets: list[float], asked: list[int]
    ) -> tuple[list[float], list[float]]:
        """The logits of each class asked for: by mean probability, by sum of weights."""
        for c in asked:
            if c not in self.begun:
                self.begin(c)
        votes, margins = [0.0] * self.classes, list(map(sum, zip(self.bias, offsets, strict=True)))
        self.reached = []
        for tree in self.trees:
            node, branch = tree.root, None
            while node.split:
                branch = branch_of(x, node.feature, node.cut)
                if node.children[branch] is None:
                    break
                node, branch = node.children[branch], None
            chances = node.chances()
            for c in range(self.classes):
                votes[c] += min(max(chances[c], 0.001), 1 - 0.001)
                margins[c] += node.weight[c]
            self.reached.append((node, branch, chances.index(max(chances))))
        means = [votes[c] / TREES for c in asked]
        self.margins = margins
        return [math.log(p / (1 - p)) for p in means], [margins[c] for c in asked]

    def learn(self, x: Row, label: int, asked: list[int], weight: float = 1.0) -> None:
        """Learn the class of the row that was just scored, for the classes asked for."""
        rate = 1 / math.sqrt(1 + TREES)
        errors = [weight * ((c == label) - sigmoid(m)) for c, m in enumerate(self.margins)]
        for c in asked:
            self.bias_squares[c] += errors[c] ** 2
            self.bias[c] += rate * errors[c] / math.sqrt(self.bias_squares[c])
        for tree, (node, branch, predicted) in zip(self.trees, self.reached, strict=True):
            if branch is not None:
                node = self.child(tree, node, branch)
            for c in asked:
                node.squares[c] = single(node.squares[c] + errors[c] ** 2)
                step = rate * errors[c] / math.sqrt(node.squares[c])
                node.weight[c] = single(node.weight[c] + step)
            node.counts[label] += 1
            node.seen += 1
            self.note(tree, predicted != label)
            if not node.split:
                self.test(tree, node, x, label)
        self.rounds += 1
        self.renew()

    def child(self, tree: Tree, parent: Node, branch: int) -> Node:
        """The child for a branch; the parent itself if there is no room."""
        if tree.nodes >= self.most[0] or tree.leaves >= self.most_leaves:
            return parent
        tree.nodes, tree.leaves = tree.nodes + 1, tree.leaves + 1
        zeros = [0.0] * self.classes
        squares = [single(0.01) if c in self.begun else 0.0 for c in range(self.classes)]
        child = Node([*map(single, parent.chances())], [*parent.weight], squares, zeros)
        parent.children[branch] = child
        return child

    def test(self, tree: Tree, leaf: Node, x: Row, label: int) -> None:
        """Count the row in all candidates, draw two from it, and split if it is time."""
        for candidate in leaf.candidates:
            counts = candidate.table[branch_of(x, candidate.feature, candidate.cut)]
            counts[label] = counts.get(label, 0) + 1
        for _ in range(2 if x else 0):
            if len(leaf.candidates) < CANDIDATES:
                leaf.candidates.append(self.drawn(x))
        if leaf.seen < leaf.due:
            return
        leaf.due = leaf.seen + max(8, leaf.seen // 8)
        best, weakest = self.judge(leaf)
        room = tree.nodes + 3 <= self.most[0] and tree.leaves + 2 <= self.most_leaves
        if best is not None and room:
            self.split(tree, leaf, best)
            return
        if weakest is not None and len(leaf.candidates) == CANDIDATES:
            leaf.candidates[leaf.candidates.index(weakest)] = leaf.candidates[-1]
            leaf.candidates.pop()
        if leaf.seen > 30_000:
            leaf.candidates, leaf.seen, leaf.due = [], 0, 8

    def drawn(self, x: Row) -> Candidate:
        """Of two entries of the row that whose feature is more important; unknown ones are most."""
        self.word = (self.word + STRIDE) & MASK
        word, entries = scrambled(self.word), list(x.items())
        one = entries[((word >> 32) * len(x)) >> 32]
        other = entries[((word & 0xFFFFFFFF) * len(x)) >> 32]
        if self.importance.get(other[0], math.inf) > self.importance.get(one[0], math.inf):
            one = other
        return Candidate(*one)

    def judge(self, leaf: Node) -> tuple[Candidate | None, Candidate | None]:
        """The candidate to split by, and the weakest; features become known by the way."""
        best, most, weakest, least = None, 0.0, None, math.inf
        for candidate in leaf.candidates:
            rows, classes = candidate.rows, len(candidate.classes)
            if rows < 8 or classes < 2:
                continue
            strength = candidate.strength(self.classes)
            known = self.importance.get(candidate.feature)
            now = strength if known is None else known + 0.02 * (strength - known)
            self.importance[candidate.feature] = single(now)
            beyond = strength * rows / critical(classes)
            if beyond > most:
                best, most = candidate, beyond
            if strength < least and rows >= 32:
                weakest, least = candidate, strength
        weakest = None if weakest is best else weakest
        return best if most > 1 else None, weakest

    def split(self, tree: Tree, leaf: Node, best: Candidate) -> None:
        leaf.split, leaf.feature, leaf.cut = True, best.feature, best.cut
        tree.leaves -= 1
        for branch, counts in enumerate(best.table):
            if not counts:
                continue
            squares = [single(0.01 + 0.5 * (s - 0.01)) if s else 0.0 for s in leaf.squares]
            counted = [float(counts.get(c, 0)) for c in range(self.classes)]
            prior = [*map(single, leaf.chances())]
            leaf.children[branch] = Node(prior, [*leaf.weight], squares, counted)
            tree.nodes, tree.leaves = tree.nodes + 1, tree.leaves + 1
        leaf.candidates = []

    def note(self, tree: Tree, wrong: bool) -> None:
        tree.age += 1
        tree.late_error += (wrong - tree.late_error) / min(tree.age, 128)
        tree.long_error += (wrong - tree.long_error) / min(tree.age, 2000)

    def renew(self) -> None:
        """The worst of the first half of the trees begins anew if its error has risen clearly."""
        if self.rounds - self.renewed < 32:
            return
        worst, most = None, 16.0
        for number, tree in enumerate(self.trees[: TREES // 2]):
            if tree.age > 1024 and tree.late_error > tree.long_error:
                variance = max(tree.long_error * (1 - tree.long_error), 0.01)
                risen = (tree.late_error - tree.long_error) ** 2 * 128 / variance
                if risen > most:
                    worst, most = number, risen
        if worst is not None:
            self.trees[worst] = tree = Tree(self.classes)
            for c in self.begun:
                tree.root.prior[c], tree.root.squares[c] = 0.5, single(0.01)
            self.renewed = self.rounds
