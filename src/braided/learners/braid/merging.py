"""Merging Braids: everything is brought to a form that adds up, since the base.

=============================  =================================================================
counts, means, spreads         exact sums (Chan, Golub and LeVeque's formula for spreads)
naive Bayes                    exact sums of counts
Gaussian weights               natural parameters, 1/S and w/S: sums; of AROW, which forgets, their
                               mean over the models that know the feature
AdaGrad                        squared gradients are added, and weights moved by the mean of the
                               models' moves, each weighted by the squares that it added
bins                           ``merged_bins.py``
stack and expert weights       means by rows; a product of posteriors would be far too sure
=============================  =================================================================

Births, first values and first rows are those of models that learned one after another. The mixture
settles when the merged model learns on. Experts of other packages begin anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from braided.compiled.jit import Floats
from braided.learner.state import capacity_for
from braided.learners.braid.experts.all_experts import NAMES
from braided.learners.braid.layout import (
    AROW_BIRTH,
    AROW_VARIANCE,
    AROW_WEIGHT,
    BAYES_VARIANCE,
    BAYES_WEIGHT,
    BINNED_ADAGRAD_SQUARES,
    BINNED_ADAGRAD_WEIGHT,
    BINNED_BAYES_VARIANCE,
    BINNED_BAYES_WEIGHT,
    BIRTH,
    CELL_ADAGRAD_WEIGHT,
    CELL_BAYES_WEIGHT,
    CELL_NEGATIVE,
    CELL_POSITIVE,
    COUNT,
    DISTINCT,
    INTERCEPT,
    INTERCEPT_SPREAD,
    MEAN,
    PRESENT_NEGATIVE,
    PRESENT_POSITIVE,
    RATIO_SQUARES,
    RATIO_WEIGHT,
    SPREAD,
    VALUE_1,
    VALUE_2,
)
from braided.learners.braid.merged_bins import merge_bins
from braided.learners.braid.replay import ROWS_KEPT, FirstRows, new_first_rows

if TYPE_CHECKING:
    from braided.learner.merging import Merge, Part, Read
    from braided.learners.braid.kernels import BraidState

__all__ = ["merged_state"]

_ADAGRAD = (RATIO_WEIGHT, RATIO_SQUARES), (BINNED_ADAGRAD_WEIGHT, BINNED_ADAGRAD_SQUARES)
_BAYES = (BAYES_WEIGHT, BAYES_VARIANCE), (BINNED_BAYES_WEIGHT, BINNED_BAYES_VARIANCE)
_AROW = AROW_WEIGHT, AROW_VARIANCE
_NAIVE_BAYES = NAMES.index("naive Bayes")


def merged_state(state: BraidState, merge: Merge) -> BraidState:
    """Return what all models learned; ``state`` is new, with the rounds and the features."""
    parts = [_with_one_sign(part) for part in merge.parts]
    base = None if merge.base is None else _with_one_sign(merge.base)
    merge = replace(merge, parts=parts, base=base)
    state.features.stats[:] = stats = _statistics(merge)
    widths = merge.total(lambda part: part.rounds * part.state.features.mean_width)
    state.features.mean_width[:] = widths / merge.rounds
    weights, prior = _weights(merge)
    state = merge_bins(state, merge, stats, weights, prior)
    state.experts.weights[:, : weights.shape[1]] = weights
    _own(state.experts.own, merge)
    stack, shares = state.stack, state.shares
    stack.weight[:] = merge.share(lambda part: part.state.stack.weight)
    stack.covariance[:] = merge.share(lambda part: part.state.stack.covariance)
    stack.labels[:] = parts[-1].state.stack.labels
    shares.share[:] = merge.share(lambda part: part.state.shares.share)
    shares.loss[:] = merge.total(_losses)
    return state._replace(first=_first_rows(merge))


def _stat(column: int) -> Read:
    return lambda part: part.spread(part.state.features.stats[:, column])


def _weight(column: int) -> Read:
    return lambda part: part.spread(part.state.experts.weights[:, column].astype(np.float64))


# ------------------------------------------------------------------------------ statistics


def _statistics(merge: Merge) -> Floats:
    """Counts, means and spreads, births, and up to two different values, by column."""
    count, mean, spread = n0, m0, s0 = [merge.start(_stat(c)) for c in (COUNT, MEAN, SPREAD)]
    known = merge.start(lambda part: part.knows.astype(np.float64)) > 0.0
    birth, done = merge.start(_stat(BIRTH)), merge.base.rounds if merge.base else 0
    start = done
    for part in merge.parts:
        n, m, s = (_stat(c)(part) for c in (COUNT, MEAN, SPREAD))
        added = np.where(part.knows, n - n0, 0.0)
        some = added > 0.0
        safe = np.where(some, added, 1.0)
        own = np.where(some, (n * m - n0 * m0) / safe, 0.0)  # the mean of what came since the base
        apart = n0 * added / np.where(n > 0.0, n, 1.0) * (own - m0) ** 2
        own_spread = np.where(some, np.maximum(s - s0 - apart, 0.0), 0.0)
        both = np.where(count + added > 0.0, count + added, 1.0)
        step = np.where(some, own - mean, 0.0)
        spread = spread + own_spread + step**2 * count * added / both
        mean = mean + step * added / both
        count = count + added
        new = some & ~known
        birth = np.where(new, start + _stat(BIRTH)(part) - done, birth)
        known, start = known | new, start + part.grown
    stats = np.zeros((count.size, 8))
    stats[:, COUNT], stats[:, MEAN], stats[:, SPREAD], stats[:, BIRTH] = count, mean, spread, birth
    _different(merge, stats)
    return stats


def _different(merge: Merge, stats: Floats) -> None:
    """Count different values up to three, in the order of the models."""
    distinct, one, two = (stats[:, c] for c in (DISTINCT, VALUE_1, VALUE_2))
    for part in (*([merge.base] if merge.base else []), *merge.parts):
        theirs = _stat(DISTINCT)(part)
        for number, column in ((1, VALUE_1), (2, VALUE_2)):
            value, there = _stat(column)(part), theirs >= number
            third = there & (distinct == 2) & (one != value) & (two != value)
            second = there & (distinct == 1) & (one != value)
            first = there & (distinct == 0)
            one[first], two[second] = value[first], value[second]
            distinct += first | second | third
        distinct[theirs > 2] = 3


# --------------------------------------------------------------------------------- experts


def _weights(merge: Merge) -> tuple[Floats, Floats]:
    """The experts' numbers of features, by column, and the variances with which weights began."""
    capacity = merge.parts[0].capacity
    weights = np.zeros((capacity, merge.parts[0].state.experts.weights.shape[1]))
    prior = np.zeros(capacity)
    for part in (*([merge.base] if merge.base else []), *merge.parts):
        prior = np.where(prior > 0.0, prior, _weight(AROW_BIRTH)(part))
    weights[:, AROW_BIRTH] = prior
    for w, squares in _ADAGRAD:
        weights[:, w] = merge.mean(_weight(w), merge.added(_weight(squares)))
        weights[:, squares] = merge.sum(_weight(squares))
    for w, variance in _BAYES:
        weights[:, w], weights[:, variance] = _belief(merge, w, variance, prior, None)
    learned = merge.added(_stat(COUNT))
    models = np.sum([part.knows & (learned(part) > 0.0) for part in merge.parts], axis=0)
    weights[:, list(_AROW)] = np.column_stack(
        _belief(merge, *_AROW, prior, np.maximum(1.0, models))
    )
    for column in (PRESENT_NEGATIVE, PRESENT_POSITIVE):
        weights[:, column] = merge.sum(_weight(column))
    return weights, prior


def _belief(
    merge: Merge, w: int, variance: int, prior: Floats, models: Floats | None
) -> tuple[Floats, Floats]:
    """Mean and variance of a Gaussian weight: the sum, or the mean, of what models have learned."""

    def precision(part: Part) -> Floats:
        """What was learned: 1/S less that of the weight's birth."""
        kept, born = _weight(variance)(part), _weight(AROW_BIRTH)(part)
        return np.where(kept > 0.0, 1.0 / _or_one(kept) - 1.0 / _or_one(born), 0.0)

    def moment(part: Part) -> Floats:
        kept = _weight(variance)(part)
        return np.where(kept > 0.0, _weight(w)(part) / _or_one(kept), 0.0)

    share = 1.0 if models is None else 1.0 / models
    start, pull = merge.start(precision), merge.start(moment)
    there = prior > 0.0
    least = 1.0 / _or_one(prior)
    total = np.maximum(least + start + share * (merge.sum(precision) - start), least)
    mean = (pull + share * (merge.sum(moment) - pull)) / total
    return np.where(there, mean, 0.0), np.where(there, 1.0 / total, 0.0)


def _or_one(values: Floats) -> Floats:
    return np.where(values > 0.0, values, 1.0)


def _own(own: Floats, merge: Merge) -> None:
    """The intercepts; of naive Bayes, the counts of labels."""
    for name in ("ratio AdaGrad", "binned AdaGrad"):
        e = NAMES.index(name)
        by = merge.added_in_all(_own_of(e, INTERCEPT_SPREAD))
        own[e, INTERCEPT] = merge.share(_own_of(e, INTERCEPT), by)
        own[e, INTERCEPT_SPREAD] = merge.total(_own_of(e, INTERCEPT_SPREAD))
    for name in ("Bayes", "AROW", "binned Bayes"):
        e = NAMES.index(name)
        kept, share = own[e, INTERCEPT_SPREAD], 1.0 / len(merge.parts) if name == "AROW" else 1.0
        mean, before = 0.0, kept
        if merge.base is not None:
            mean, before = merge.base.state.experts.own[e, [INTERCEPT, INTERCEPT_SPREAD]]
        theirs = np.array([p.state.experts.own[e, :2] for p in merge.parts])
        precision = 1.0 / before + share * np.sum(1.0 / theirs[:, 1] - 1.0 / before)
        moment = mean / before + share * np.sum(theirs[:, 0] / theirs[:, 1] - mean / before)
        precision = max(precision, 1.0 / kept)
        own[e, INTERCEPT], own[e, INTERCEPT_SPREAD] = moment / precision, 1.0 / precision
    own[_NAIVE_BAYES, :2] = merge.total(lambda part: part.state.experts.own[_NAIVE_BAYES, :2])


def _own_of(expert: int, column: int) -> Read:
    return lambda part: part.state.experts.own[expert, column]


def _losses(part: Part) -> Floats:
    losses: Floats = part.state.shares.loss.copy()
    losses[:-1] -= np.log(part.state.shares.luck)
    return losses


# ------------------------------------------------------------------------ first rows, signs


def _first_rows(merge: Merge) -> FirstRows:
    """The first rows of the base, then those of the first models since."""
    done = 0
    indptr: list[int] = [0]
    columns: list[NDArray[Any]] = []
    values: list[Floats] = []
    labels: list[float] = []
    weights: list[float] = []
    for part in (*([merge.base] if merge.base else []), *merge.parts):
        first, is_base = part.state.first, part is merge.base
        for row in range(0 if is_base else done, min(part.rounds, ROWS_KEPT)):
            if len(labels) == ROWS_KEPT:
                break
            own = slice(first.indptr[row], first.indptr[row + 1])
            columns.append(part.columns[first.columns[own]])
            values.append(first.values[own])
            labels.append(first.labels[row])
            weights.append(first.weights[row])
            indptr.append(indptr[-1] + values[-1].size)
        done = min(part.rounds, ROWS_KEPT) if is_base else done
    merged = new_first_rows(max(64, capacity_for(indptr[-1])))
    merged.indptr[: len(indptr)] = indptr
    merged.columns[: indptr[-1]] = np.concatenate(columns)
    merged.values[: indptr[-1]] = np.concatenate(values)
    merged.labels[: len(labels)], merged.weights[: len(weights)] = labels, weights
    return merged


def _with_one_sign(part: Part) -> Part:
    """The same model with the signs that labels have in the merged one."""
    if part.side > 0.0:
        return part
    state = part.state
    weights, cells = state.experts.weights.copy(), state.experts.cells.copy()
    own, labels = state.experts.own.copy(), -state.first.labels
    weights[:, [w for w, _ in (*_ADAGRAD, *_BAYES, _AROW)]] *= -1.0
    weights[:, [PRESENT_NEGATIVE, PRESENT_POSITIVE]] = weights[
        :, [PRESENT_POSITIVE, PRESENT_NEGATIVE]
    ]
    cells[:, [CELL_BAYES_WEIGHT, CELL_ADAGRAD_WEIGHT]] *= -1.0
    cells[:, [CELL_NEGATIVE, CELL_POSITIVE]] = cells[:, [CELL_POSITIVE, CELL_NEGATIVE]]
    own[:_NAIVE_BAYES, INTERCEPT] *= -1.0
    own[_NAIVE_BAYES, :2] = own[_NAIVE_BAYES, 1::-1]
    signs = np.ones(state.stack.weight.size)
    signs[len(NAMES)] = -1.0  # the intercept: of all inputs it alone keeps its sign
    stack = state.stack._replace(
        weight=state.stack.weight * signs,
        covariance=state.stack.covariance * np.outer(signs, signs),
        labels=-state.stack.labels,
    )
    experts = state.experts._replace(weights=weights, cells=cells, own=own)
    first = state.first._replace(labels=labels)
    return replace(part, state=state._replace(experts=experts, stack=stack, first=first), side=1.0)
