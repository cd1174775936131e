"""Platt scaling, learned online: probabilities from scores of any size, with nothing to tune.

The probability of the label +1, given a score s, is sigmoid(a s / m + b), with m the mean magnitude
of scores: so a and b do not depend on the unit of scores. A row is learned with the score that it
had before its learner saw the label, y = -1 or +1::

    m = mean |s|;  z = s / m;  u = a z + b               the log odds
    u* = u + w v y sigmoid(-y u*)                        the log odds that fit best (below)
    (a, b) = (a, b) + (u* - u) / v  P^-1 (z, 1)
    P = P + w h (z, 1) (z, 1)^T                          h = sigmoid(u*) sigmoid(-u*)

w is the weight of the row, P the precision of (a, b), and v = (z, 1) P^-1 (z, 1)^T the variance of
u. This is the Bayesian step (Laplace) with the prior N(0, I): u* minimises the loss of the row plus
the distance from what is known, so no step overshoots, whatever the score and the weight are.

A learner changes while it learns, and so does what its scores mean. So before each row m and P
forget a part 1 / (n + 2) of what they know, and at least 1 / 1000: of n rows the later half counts
most, and of a long stream the last thousand.

P is kept as the precision about the mean z: ``mass`` is the precision of the log odds at
``centre``, and ``spread`` that of a. Both are sums of positive numbers, so nothing cancels. A slope
below ``LEAST_SLOPE`` is noise: it is raised, and the log odds at ``centre`` stay.

References
----------
Platt, "Probabilistic Outputs for Support Vector Machines", 1999. Spiegelhalter and Lauritzen,
"Sequential Updating of Conditional Probabilities on Directed Graphical Structures", 1990.
"""

from __future__ import annotations

import math

import numpy as np

from braided.compiled.jit import Floats, cached, compiled
from braided.kernels.logistic import sigmoid

__all__ = ["LEAST_SLOPE", "are_sound", "learn_scores", "log_odds", "new_table", "prequential_odds"]

LONGEST_MEMORY = 1000.0
"""So many rows count at least, and not many more."""

LEAST_SLOPE = 1e-3
"""The smallest slope a: a larger score never means a smaller probability."""

SLOPE, OFFSET, MASS, CENTRE, SPREAD, COUNT, MAGNITUDE, ROWS = range(8)
"""The columns of a table: a, b, P in three numbers, how many rows m is a mean of, m, and n."""

LARGEST = 1e150
"""Numbers in a table stay far below, and scores beyond are not learned."""


def new_table(classes: int = 1) -> Floats:
    """Make the scalings of scores that have not been learned from.

    Parameters
    ----------
    classes : int, default 1
        How many scores a row has: one for two labels, else one for each class.

    Returns
    -------
    ndarray of float
        A line for each scaling.
    """
    table = np.zeros((classes, 8))
    table[:, [MASS, SPREAD]] = 1.0  # the prior
    table[:, SLOPE] = LEAST_SLOPE
    return table


def are_sound(table: Floats) -> bool:
    """Check that a table from a file, in which all numbers are finite, can be learned from.

    Parameters
    ----------
    table : ndarray of float
        The table.

    Returns
    -------
    bool
        Whether no number in it is impossible.
    """
    precise = (table[:, [MASS, SPREAD]] >= 0.5).all()
    counts = table[:, [COUNT, MAGNITUDE, ROWS]]
    small = (np.abs(table) <= LARGEST).all()
    return bool(precise and small and (counts >= 0.0).all() and (table[:, SLOPE] > 0.0).all())


@compiled
def _log_odds(known: Floats, score: float) -> float:
    if math.isinf(score):  # of a class that is not known yet
        return score
    if math.isnan(score) or known[MAGNITUDE] == 0.0:
        odds: float = known[OFFSET]
    else:
        odds = known[SLOPE] * (score / known[MAGNITUDE]) + known[OFFSET]
    return odds


@compiled
def _add(known: Floats, z: float, mass: float) -> None:
    """Add mass at z to the precision (Welford)."""
    known[MASS] += mass
    apart = z - known[CENTRE]
    known[CENTRE] += apart * (mass / known[MASS])
    known[SPREAD] += mass * apart * (z - known[CENTRE])


@compiled
def _best_margin(margin: float, reach: float) -> float:
    """The root r of r = margin + reach sigmoid(-r), by Newton's steps between two bounds."""
    low, high = margin, min(margin + reach, max(margin, math.log1p(reach)) + 1.0)
    r = low
    for _ in range(100):
        share = sigmoid(-r)
        over = r - margin - reach * share
        if over > 0.0:
            high = r
        else:
            low = r
        after = r - over / (1.0 + reach * share * (1.0 - share))
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - r) <= 1e-15 * max(1.0, abs(r)):
            return after
        r = after
    return r


@compiled
def _learn(known: Floats, sign: float, score: float, weight: float) -> None:
    if not abs(score) <= LARGEST:
        return
    forgotten = max(1.0 / (known[ROWS] + 2.0), 1.0 / LONGEST_MEMORY)
    known[ROWS] += 1.0
    known[COUNT] = (1.0 - forgotten) * known[COUNT] + 1.0
    known[MAGNITUDE] += (abs(score) - known[MAGNITUDE]) / known[COUNT]
    known[MASS] *= 1.0 - forgotten
    known[SPREAD] = (1.0 - forgotten) * known[SPREAD] + forgotten
    _add(known, 0.0, forgotten)  # with the line before: the prior comes back
    z = score / known[MAGNITUDE] if known[MAGNITUDE] > 0.0 else 0.0
    odds = known[SLOPE] * z + known[OFFSET]
    apart = z - known[CENTRE]
    variance = apart * apart / known[SPREAD] + 1.0 / known[MASS]
    best = sign * _best_margin(sign * odds, weight * variance)
    step = (best - odds) / variance
    slope = step * apart / known[SPREAD]
    known[SLOPE] += slope
    known[OFFSET] += step / known[MASS] - slope * known[CENTRE]
    _add(known, z, weight * sigmoid(best) * sigmoid(-best))
    if known[SLOPE] < LEAST_SLOPE:
        known[OFFSET] += (known[SLOPE] - LEAST_SLOPE) * known[CENTRE]
        known[SLOPE] = LEAST_SLOPE


@cached
def log_odds(table: Floats, scores: Floats) -> Floats:
    """Compute the log odds of scores.

    Parameters
    ----------
    table : ndarray of float
        The scalings, one for each column of ``scores``.
    scores : ndarray of float
        A line for each row, a column for each class; one column for two labels.

    Returns
    -------
    ndarray of float
        The log odds, as ``scores`` are.
    """
    odds = np.empty_like(scores)
    for row in range(scores.shape[0]):
        for number in range(scores.shape[1]):
            odds[row, number] = _log_odds(table[number], scores[row, number])
    return odds


@cached
def learn_scores(
    table: Floats, signs: Floats, scores: Floats, weights: Floats, many_classes: bool
) -> None:
    """Learn what scores meant.

    Parameters
    ----------
    table : ndarray of float
        The scalings, one for each column of ``scores``; they are changed.
    signs : ndarray of float
        The label of each row, -1 or +1, and 0 for no label; or the number of its class.
    scores : ndarray of float
        The scores, from before the rows were learned.
    weights : ndarray of float
        The weight of each row.
    many_classes : bool
        Whether ``signs`` are numbers of classes.
    """
    for row in range(signs.size):
        if many_classes:
            for number in range(scores.shape[1]):
                sign = 1.0 if signs[row] == number else -1.0
                _learn(table[number], sign, scores[row, number], weights[row])
        elif signs[row] != 0.0:
            _learn(table[0], signs[row], scores[row, 0], weights[row])


@cached
def prequential_odds(table: Floats, signs: Floats, scores: Floats, delay: int) -> Floats:
    """Compute the log odds of each round with what was known then, and learn on the way.

    Parameters
    ----------
    table : ndarray of float
        The scaling, in one line; it is changed.
    signs : ndarray of float
        The label of each round, -1 or +1; NaN for no label.
    scores : ndarray of float
        The score of each round.
    delay : int
        After round t, the label of round t - delay is known.

    Returns
    -------
    ndarray of float
        The log odds.
    """
    odds = np.empty_like(scores)
    for row in range(scores.size):
        odds[row] = _log_odds(table[0], scores[row])
        known = row - delay
        if known >= 0 and not math.isnan(signs[known]):
            _learn(table[0], signs[known], scores[known], 1.0)
    return odds
