"""Candidates: possible splits of a leaf, drawn from its rows, and how well they tell classes apart.

A candidate is a feature and a threshold, both from a row that came to the leaf. Each row that comes
later is counted by its branch and class. The strength of a candidate is the chi-square of that
table for each row. The importance of a feature is the mean strength of its candidates in all trees:
of two entries of a row, that with the more important feature becomes a candidate, and a feature
that was never tested comes first.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, Index, Ints, Whole, compiled, inlined
from braided.kernels.memory import prefetch, vector_on_stack
from braided.kernels.numerics import LARGEST_VALUE
from braided.kernels.rng import next_word
from braided.learners.braid.forest.layout import (
    BRANCHES,
    CANDIDATES,
    UNKNOWN,
    Forest,
    place_of,
)

__all__ = ["best_and_weakest", "count_row", "draw", "drop_candidate", "prefetch_candidates"]

CRITICAL = 8.0
"""The chi-square, of two classes, from which on a leaf is split."""

FEWEST_ROWS = 8
ROWS_TO_BE_DROPPED = 32
IMPORTANCE_RATE = 0.02
DRAWN_AT_ONCE = 2

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@inlined
def count_row(forest: Forest, tree: Whole, slot: Whole, drawn: Whole, label: Whole) -> None:
    """Count the row whose values are shown, in all candidates of a leaf."""
    feature, cut = forest.candidate[tree, slot], forest.cut[tree, slot]
    tested, value = forest.tested[tree, slot, label], forest.value
    for i in range(drawn):
        x = value[place_of(feature[i])]
        tested[Index(x > cut[i]) + Index(x > LARGEST_VALUE), Index(i)] += 1


@inlined
def prefetch_candidates(forest: Forest, tree: Whole, slot: Whole, label: Whole) -> None:
    """Prefetch all that ``count_row`` reads."""
    feature, cut = forest.candidate[tree], forest.cut[tree]
    tested = forest.tested[tree, slot, label]
    for i in range(0, CANDIDATES, 16):
        prefetch(feature, slot, i)
    for i in range(0, CANDIDATES, 8):
        prefetch(cut, slot, i)
    for branch in range(BRANCHES):
        prefetch(tested, branch, 0)
        prefetch(tested, branch, CANDIDATES - 1)


@inlined
def draw(
    forest: Forest, features: Ints, values: Floats, tree: Whole, slot: Whole, drawn: Whole
) -> Whole:
    """Draw candidates from the row if there is room; return how many there are then."""
    for _ in range(DRAWN_AT_ONCE):
        if drawn < CANDIDATES:
            word, size = next_word(forest.rng), np.uint64(features.size)
            i, j = ((word >> _HALF) * size) >> _HALF, ((word & _LOW) * size) >> _HALF
            if forest.importance[place_of(features[j])] > forest.importance[place_of(features[i])]:
                i = j
            forest.candidate[tree, slot, drawn] = features[i]
            forest.cut[tree, slot, drawn] = values[i]
            for c in range(forest.tested.shape[2]):
                for branch in range(BRANCHES):
                    forest.tested[tree, slot, c, branch, drawn] = 0
            drawn += 1
    return drawn


@compiled
def best_and_weakest(forest: Forest, tree: Whole, slot: Whole, drawn: Whole) -> tuple[int, int]:
    """Return the candidate to split by, and the one to drop, or -1; importances are updated."""
    table = vector_on_stack((BRANCHES + 3) * CANDIDATES)
    rows, kinds = table[:CANDIDATES], table[CANDIDATES : 2 * CANDIDATES]
    strengths, of_branch = table[2 * CANDIDATES : 3 * CANDIDATES], table[3 * CANDIDATES :]
    _strengths(forest, tree, slot, drawn, rows, kinds, strengths, of_branch)
    best, most, weakest, least = -1, 0.0, -1, math.inf
    for i in range(drawn):
        if rows[i] < FEWEST_ROWS or kinds[i] < 2.0:
            continue
        strength, j = strengths[i], place_of(forest.candidate[tree, slot, i])
        known = forest.importance[j]
        if known >= UNKNOWN:
            forest.importance[j] = strength
        else:
            forest.importance[j] = known + IMPORTANCE_RATE * (strength - known)
        beyond = strength * rows[i] / critical(kinds[i])
        if beyond > most:
            most, best = beyond, i
        if strength < least and rows[i] >= ROWS_TO_BE_DROPPED:
            least, weakest = strength, i
    weakest = weakest if weakest != best else -1
    return best if most > 1.0 else -1, weakest


@compiled
def critical(classes: float) -> float:
    """Return the chi-square that chance exceeds as seldom as CRITICAL with two classes.

    By the approximation of Wilson and Hilferty (PNAS 1931); degrees of freedom are 2 (classes - 1).
    """
    if classes == 2.0:
        return CRITICAL
    degrees = 2.0 * (classes - 1.0)
    ninth = 2.0 / (9.0 * degrees)
    return float(degrees * (1.0 - ninth + 2.1 * math.sqrt(ninth)) ** 3)


@inlined
def _strengths(
    forest: Forest,
    tree: Whole,
    slot: Whole,
    drawn: Whole,
    rows: Floats,
    kinds: Floats,
    strengths: Floats,
    of_branch: Floats,
) -> None:
    """Compute chi-square / rows = sum of n_bc^2 / (n_b n_c) - 1 of each candidate."""
    tested = forest.tested[tree, slot]
    a0, a1, a2 = of_branch[:CANDIDATES], of_branch[CANDIDATES:], of_branch[2 * CANDIDATES :]
    for i in range(drawn):
        a0[i] = a1[i] = a2[i] = kinds[i] = 0.0
        strengths[i] = -1.0
    for c in range(tested.shape[0]):
        for i in range(drawn):
            a0[i] += tested[c, 0, i]
            a1[i] += tested[c, 1, i]
            a2[i] += tested[c, 2, i]
    for i in range(drawn):
        rows[i] = a0[i] + a1[i] + a2[i]
        a0[i] = 1.0 / max(1.0, a0[i])
        a1[i] = 1.0 / max(1.0, a1[i])
        a2[i] = 1.0 / max(1.0, a2[i])
    for c in range(tested.shape[0]):
        for i in range(drawn):
            n0, n1, n2 = float(tested[c, 0, i]), float(tested[c, 1, i]), float(tested[c, 2, i])
            total = n0 + n1 + n2
            kinds[i] += min(1.0, total)
            strengths[i] += (n0 * n0 * a0[i] + n1 * n1 * a1[i] + n2 * n2 * a2[i]) / max(1.0, total)


@inlined
def drop_candidate(forest: Forest, tree: Whole, slot: Whole, weakest: Whole, last: Whole) -> None:
    """Put the last candidate in the place of another."""
    forest.candidate[tree, slot, weakest] = forest.candidate[tree, slot, last]
    forest.cut[tree, slot, weakest] = forest.cut[tree, slot, last]
    tested = forest.tested[tree, slot]
    for c in range(tested.shape[0]):
        for branch in range(BRANCHES):
            tested[c, branch, weakest] = tested[c, branch, last]
