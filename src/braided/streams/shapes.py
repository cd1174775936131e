"""The shapes of streams: which features each round observes.

============  =========================================================================
given         everything, in the set's own order
fixed         everything, permuted
trapezoidal   the first features at first, then more and more of them
capricious    each round loses features of its own
evolvable     one generation of features after another, with some rounds of both between
============  =========================================================================

Every shape but ``given`` permutes the rows by its seed; shapes with the same seed and number of
rows permute alike. Hiding takes an entry away: what is left keeps its value, and an observed zero
stays observed. The columns that a shape speaks of are those that hold a value in some row, in the
set's own order; for dicts, that is the order of first sight.

``X`` and ``feature_names`` are as in :func:`braided.as_rows`. ``y`` may be left out if ``X``
is labelled ``Rows``. A set without rows is refused: nobody streams nothing on purpose.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.parameters import check_choice, check_seed, check_share, check_whole
from braided.rows import Rows, as_rows
from braided.streams.hidden_values import lives, losing
from braided.streams.random_numbers import Draws, Purpose
from braided.streams.stream import Shape, Stream, everything

__all__ = ["VANISHINGS", "capricious", "evolvable", "fixed", "given", "trapezoidal"]

VANISHINGS = ("abrupt", "gradual")

Names = Sequence[Hashable] | None


def given(X: Any, y: Any = None, *, feature_names: Names = None) -> Stream:
    """Everything, in the set's own order: what a real stream is. Nothing is random.

    >>> list(given([{"a": 1.0}, {"b": 0.0}], [True, False]).pairs())
    [({'a': 1.0}, True), ({'b': 0.0}, False)]
    """
    return Stream("given", _labelled(X, y, feature_names))


def fixed(X: Any, y: Any = None, *, seed: int = 0, feature_names: Names = None) -> Stream:
    """Everything, permuted by the seed."""
    return _permuted("fixed", _labelled(X, y, feature_names), everything, seed)


def trapezoidal(
    X: Any, y: Any = None, *, chunks: int = 10, seed: int = 0, feature_names: Names = None
) -> Stream:
    """Features are added chunk by chunk and stay.

    Round t = 0, 1, ... of n is in chunk ``c = floor(t * chunks / n) + 1`` and sees the first
    ``max(1, floor(c * d / chunks))`` of the d columns. So every round is in a chunk, and chunks
    differ in size by one round at most.

    >>> stream = trapezoidal([[1, 2, 3, 4]] * 4, [0, 1, 0, 1], chunks=2)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [[0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]
    """
    check_whole("chunks", chunks, 1)
    rows = _labelled(X, y, feature_names)
    columns = _columns(rows)
    n, d, chunks = len(rows), columns.size, int(chunks)
    # The rule from the columns' side: the first chunk that sees a column, and its first round.
    chunk = _ceil(np.arange(1, d + 1, dtype=np.int64) * chunks, d)
    chunk[:1] = 1
    born = _ceil((chunk - 1) * n, chunks)
    shape = lives(rows, columns, born, np.full(d, n, np.int64))
    return _permuted("trapezoidal", rows, shape, seed, chunks=chunks)


def capricious(
    X: Any, y: Any = None, *, missing: float = 0.5, seed: int = 0, feature_names: Names = None
) -> Stream:
    """Every round loses a share of its entries, drawn uniformly from [0, missing].

    A share s of k entries is a whole number by chance: floor(s k) or one more, with s k as its
    mean. So an entry is lost with probability ``missing / 2`` however long its row is, where
    rounding to the nearest would never take the only entry of a row; and no row loses
    ``missing * k + 1`` entries or more. Which entries are lost is drawn uniformly for each row. A
    row may lose all it has.
    """
    check_share("missing", missing)
    check_seed(seed)
    rows = _labelled(X, y, feature_names)
    shape = partial(losing, missing=float(missing), seed=seed)
    return _permuted("capricious", rows, shape, seed, missing=missing)


def evolvable(
    X: Any,
    y: Any = None,
    *,
    generations: int = 2,
    overlap: float = 0.05,
    vanish: str = "abrupt",
    seed: int = 0,
    feature_names: Names = None,
) -> Stream:
    """One generation of features after another, with some rounds of both in between.

    The columns are split into ``generations`` contiguous parts of nearly equal size, the rounds
    into as many periods. A period shows its own generation, and at its end the next one as well.

    Parameters
    ----------
    generations
        their number; at most the number of rows and that of columns.
    overlap
        how long two generations are seen together at the end of each period but the last. A
        float is a share of the period (to the nearest round), an int a number of rounds.
    vanish
        ``"abrupt"``: old features are gone when the overlap ends. ``"gradual"``: each old
        feature is gone after 1, 2, ... or all of the overlap's rounds, drawn uniformly by the seed.

    Examples
    --------
    >>> stream = evolvable([[1, 2, 3, 4]] * 6, [0, 1] * 3, overlap=1)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [[0, 1], [0, 1], [0, 1, 2, 3], [2, 3], [2, 3], [2, 3]]
    """
    check_choice("vanish", vanish, VANISHINGS)
    check_seed(seed)
    rows = _labelled(X, y, feature_names)
    columns = _columns(rows)
    n, d = len(rows), columns.size
    because = f" ({n} rows, {d} columns that hold a value)"
    check_whole("generations", generations, 1, min(n, d), because)
    generations = int(generations)
    starts = _ceil(np.arange(generations + 1, dtype=np.int64) * n, generations)
    overlaps = _overlaps(overlap, np.diff(starts))
    born = starts[:-1] - np.concatenate(([0], overlaps[:-1]))
    generation = np.arange(d, dtype=np.int64) * generations // d
    gone = starts[1:][generation]
    if vanish == "gradual":
        moments = Draws(seed, Purpose.MOMENTS).uniform(d)
        gone -= np.floor(moments * overlaps[generation]).astype(np.int64)
    shape = lives(rows, columns, born[generation], gone)
    settings = {"generations": generations, "overlap": overlap, "vanish": vanish}
    return _permuted("evolvable", rows, shape, seed, **settings)


def _overlaps(overlap: float, periods: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each period, how many of its rounds show the next generation too."""
    if isinstance(overlap, numbers.Integral):
        shortest = int(periods.min())
        check_whole("overlap", overlap, 0, shortest, " rounds, the shortest period (or a float)")
        overlaps: NDArray[np.int64] = np.full(periods.size, int(overlap), np.int64)
    else:
        check_share("overlap", overlap)
        overlaps = np.floor(float(overlap) * periods + 0.5).astype(np.int64)
    overlaps[-1] = 0
    return overlaps


def _labelled(X: Any, y: Any, feature_names: Names) -> Rows:
    rows = as_rows(X, y, feature_names=feature_names)
    if rows.labels is None:
        raise InputError("a stream needs a label per row: give y, or Rows that are labelled")
    if len(rows) == 0:
        raise InputError("a stream needs at least one row")
    return rows


def _permuted(name: str, rows: Rows, shape: Shape, seed: int, **parameters: Any) -> Stream:
    check_seed(seed)
    order = Draws(seed, Purpose.ORDER).order(len(rows))
    return Stream(name, rows, shape, order, parameters, seed)


def _columns(rows: Rows) -> NDArray[np.int64]:
    """The columns that hold a value in some row, ascending."""
    occurs = np.zeros(rows.width, np.bool_)
    occurs[rows.indices] = True
    return np.flatnonzero(occurs).astype(np.int64, copy=False)


def _ceil(numerators: NDArray[np.int64], denominator: int) -> NDArray[np.int64]:
    whole: NDArray[np.int64] = -(-numerators // denominator)
    return whole
