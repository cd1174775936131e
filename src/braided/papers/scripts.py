"""OLSF as its authors' scripts compute it, which made the printed figures; not what the text says.

Zhang et al. 2015 and 2016. Where the scripts differ from the papers' text:

- a step is made when y f <= 1, and its length is loss / |x|, not loss / |x|^2; that of OLSF-II is
  1 - y f / (|x| + 1 / (2 C)): a bracket is in the wrong place;
- new features get tau y x in rounds without a step, too, with the tau of the last step;
- k = floor(B d + 0.5) weights are kept of the d features so far, which may be none at all;
- the perceptron (-per) steps by 1 when y f <= 1; random selection (-rand) and all features (-all)
  are not projected;
- the radius is 1 / sqrt(0.001) = 31.62, not 30;
- the first share of the features lasts for two chunks, and the last one is hardly reached (``late``
  of ``streams.trapezoidal``).

This belongs to the papers, not among the learners: nobody should learn with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from braided import streams
from braided.compiled.jit import Index, cached
from braided.papers import sets
from braided.papers.experiment import Floats
from braided.papers.trial import points_of
from braided.streams.random_numbers import Draws, Purpose

__all__ = ["FROM_HALF", "FROM_TENTH", "GRID", "RULES", "TENTHS", "ScriptRun", "mistakes"]

FROM_TENTH = (0.1, 0.4, 0.7, 1.0)
FROM_HALF = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TENTHS = tuple(k / 10 for k in range(1, 11))
"""The shares of the features that the scripts give their learners, one chunk each."""

GRID = tuple(10.0**k for k in range(-4, 5))
RADIUS = 1 / math.sqrt(0.001)
RULES = ("hard", "I", "II", "perceptron", "random", "everything")


@dataclass(frozen=True, eq=False)
class ScriptRun:
    """One of the authors' algorithms over a set, in their order where it is known.

    Parameters
    ----------
    data : str
        The set, by its name in the paper.
    rule : str
        One of ``RULES``.
    budget : float, default 1.0
        B.
    steps : sequence of float
        The values of C; the one with the fewest mistakes over all reported seeds counts.
    shares : sequence of float
        The share of the features in each chunk; all but the first come one chunk late.
    what : str, default "mistakes"
        ``"mistakes"``, ``"per cent"`` or ``"error curve"``.
    """

    data: str
    rule: str
    budget: float = 1.0
    steps: Sequence[float] = GRID
    shares: Sequence[float] = FROM_TENTH
    what: str = "mistakes"

    def prepare(self) -> None:
        """Load the set and compile the pass."""
        sets.load(self.data)
        one = np.ones(1)
        mistakes(np.arange(2), one, one, 1, self.rule, self.budget, 1.0, one)

    def __call__(self, seed: int) -> Sequence[float]:
        """Measure for each C, one after the other."""
        rows, labels = sets.load(self.data)
        stream = streams.trapezoidal(rows, labels, shares=self.shares, late=True, seed=seed)
        order = sets.authors_order(self.data, seed)
        if order is not None:
            stream = replace(stream, order=order)
        seen = next(stream.blocks(len(rows)))
        assert seen.labels is not None
        signs = np.where(seen.labels == max(seen.labels), 1.0, -1.0)
        chance = self._chance(len(rows) * rows.width, seed)
        return [
            height
            for step in self._distinct_steps
            for height in self._heights(mistakes(
                seen.indptr, seen.values, signs, rows.width, self.rule, self.budget, step, chance
            ))
        ]  # fmt: skip

    def settled(self, values: Floats) -> Floats:
        """Of what was measured for each C, a row for each seed, that of the best C."""
        by_step = values.reshape(len(values), len(self._distinct_steps), -1)
        best = int(np.argmin(by_step[:, :, -1].mean(axis=0)))
        return by_step[:, best]

    @property
    def _distinct_steps(self) -> Sequence[float]:
        """Hard steps and perceptrons know no C."""
        return self.steps[:1] if self.rule in ("hard", "perceptron") else self.steps

    def _chance(self, count: int, seed: int) -> Floats:
        """What random selection draws from."""
        return Draws(seed, Purpose.LOSSES).uniform(count if self.rule == "random" else 1)

    def _heights(self, wrong: NDArray[np.bool_]) -> list[float]:
        if self.what == "mistakes":
            return [float(wrong.sum())]
        if self.what == "per cent":
            return [100 * float(wrong.mean())]
        assert self.what == "error curve"
        return points_of(100 * np.cumsum(wrong) / np.arange(1, wrong.size + 1))


def mistakes(
    indptr: NDArray[np.int64],
    values: Floats,
    signs: Floats,
    width: int,
    rule: str,
    budget: float,
    c: float,
    chance: Floats,
) -> NDArray[np.bool_]:
    """Mark the rounds that are mistakes; row t observes the first columns, as many as it has.

    ``chance`` holds a number of [0, 1) for each row and column, for random selection alone.
    """
    number = RULES.index(rule)
    return _mistakes(indptr, values, signs, width, number, budget, c, RADIUS, chance)


@cached
def _mistakes(
    indptr: NDArray[np.int64],
    values: NDArray[np.float64],
    signs: NDArray[np.float64],
    width: int,
    rule: int,
    budget: float,
    c: float,
    radius: float,
    chance: NDArray[np.float64],
) -> NDArray[np.bool_]:
    n = indptr.size - 1
    wrong = np.zeros(n, np.bool_)
    w = np.zeros(width)
    known, tau = 0, 0.0
    for t in range(n):
        x, label = values[indptr[t] : indptr[t + 1]], signs[t]
        f, square = 0.0, 0.0
        for j in range(x.size):
            f += w[j] * x[j]  # new features weigh 0
            square += x[j] * x[j]
        wrong[t] = not label * f > 0.0
        stepped, length = label * f <= 1.0, math.sqrt(square)
        if stepped:
            if rule == 0:
                tau = (1.0 - label * f) / length
            elif rule == 2:
                tau = 1.0 - label * f / (length + 1.0 / (2.0 * c))
            elif rule == 3:
                tau = 1.0
            else:
                tau = min(c, (1.0 - label * f) / length)
        for j in range(0 if stepped else known, x.size):
            w[j] += tau * label * x[j]
        if not stepped and x.size <= known:
            continue
        known = max(known, x.size)
        if rule <= 3:
            total = 0.0
            for j in range(known):
                total += abs(w[j])
            if total > radius:
                for j in range(known):
                    w[j] *= radius / total
        kept = math.floor(budget * known + 0.5)
        if rule == 4:
            _keep_random(w, known, kept, chance[t * width : (t + 1) * width])
        elif rule <= 3:
            _keep_largest(w, known, kept)
    return wrong


@cached
def _keep_largest(w: NDArray[np.float64], known: int, kept: int) -> None:
    """On a tie the earlier column stays."""
    held = 0
    for j in range(known):
        held += w[j] != 0.0
    if held > kept:
        order = np.argsort(-np.abs(w[:known]), kind="mergesort")
        for place in range(kept, known):
            w[order[place]] = 0.0


@cached
def _keep_random(
    w: NDArray[np.float64], known: int, kept: int, chance: NDArray[np.float64]
) -> None:
    """Selection sampling: every choice of so many of the known columns is equally likely."""
    left = kept
    for j in range(known):
        if chance[Index(j)] * (known - j) < left:
            left -= 1
        else:
            w[j] = 0.0
