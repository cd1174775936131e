"""The shapes of streams: which features are observed in each round.

============  =========================================================================
given         all values, rows in their own order
fixed         all values, rows shuffled
trapezoidal   the first features only, then more and more of them
capricious    each row loses features at random
evolvable     one generation of features after another, with an overlap
============  =========================================================================

Every shape but ``given`` shuffles the rows by its seed; with the same seed and number of rows, all
shapes shuffle alike. Values that are not hidden stay as they are, and an observed zero stays
observed. The features that a shape adds or hides are the columns that have a value in some row, in
the order of the columns; for dicts, in order of first appearance.
"""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.parameters import check_choice, check_seed, check_share, check_whole
from braided.records import as_rows
from braided.rows import Rows
from braided.streams.chunks import checked_shares, equal_chunks, first_rounds, listed_chunks
from braided.streams.hidden_values import hide_at_random, hide_outside_spans
from braided.streams.mapped_generations import with_mapped_generations
from braided.streams.random_numbers import Draws, Purpose
from braided.streams.stream import Shape, Stream, hide_nothing

__all__ = ["VANISHINGS", "capricious", "evolvable", "fixed", "from_river", "given", "trapezoidal"]

VANISHINGS = ("abrupt", "gradual")
MAPS = ("split", "gaussian")

Names = Sequence[Hashable] | None


def given(X: Any, y: Any = None, *, feature_names: Names = None) -> Stream:
    """Make a stream of all values, with the rows in their own order.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows (see ``braided.as_rows``).
    y : array-like, optional
        A label for each row; may be left out when X is Rows with labels.
    feature_names : sequence, optional
        Names for the columns of a sparse matrix or an array.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If there are no rows or no labels, or an argument is not allowed.

    Examples
    --------
    >>> list(given([{"a": 1.0}, {"b": 0.0}], [True, False]).pairs())
    [({'a': 1.0}, True), ({'b': 0.0}, False)]
    """
    return Stream("given", _labelled(X, y, feature_names))


def fixed(X: Any, y: Any = None, *, seed: int = 0, feature_names: Names = None) -> Stream:
    """Make a stream of all values, with the rows shuffled.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows (see ``braided.as_rows``).
    y : array-like, optional
        A label for each row; may be left out when X is Rows with labels.
    seed : int, at least 0, default 0
        The seed of the order of the rows.
    feature_names : sequence, optional
        Names for the columns of a sparse matrix or an array.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If there are no rows or no labels, or an argument is not allowed.

    Examples
    --------
    >>> stream = fixed([{"a": 1.0}, {"b": 2.0}, {"c": 3.0}], [0, 1, 0], seed=1)
    >>> sorted(name for x, _ in stream.pairs() for name in x)
    ['a', 'b', 'c']
    """
    return _permuted("fixed", _labelled(X, y, feature_names), hide_nothing, seed)


def trapezoidal(
    X: Any,
    y: Any = None,
    *,
    chunks: int = 10,
    shares: Sequence[float] | None = None,
    late: bool = False,
    seed: int = 0,
    feature_names: Names = None,
) -> Stream:
    """Make a stream whose features are added in steps and then stay.

    Round t = 0, 1, ... of n is in chunk ``c = floor(t * chunks / n) + 1`` and observes the first
    ``max(1, floor(c * d / chunks))`` of the d columns. So chunks differ in size by one round at
    most. With ``shares`` there is a chunk for each of them, which observes this share of the
    columns.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows (see ``braided.as_rows``).
    y : array-like, optional
        A label for each row; may be left out when X is Rows with labels.
    chunks : int, at least 1, default 10
        The number of steps in which features are added; not used with ``shares``.
    shares : sequence of float, above 0 to 1, optional
        The share of the columns that each chunk observes, in rising order; the number of columns is
        rounded down, to at least 1.
    late : bool, default False
        Whether each chunk but the first begins one chunk late, and the last one is what is left:
        with chunks of ``floor(n / chunks)`` rounds, round t is in chunk ``max(1, t // that)``. So
        were the streams of the papers on OLSF (see ``docs/reproduction.md``).
    seed : int, at least 0, default 0
        The seed of the order of the rows.
    feature_names : sequence, optional
        Names for the columns of a sparse matrix or an array.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If there are no rows or no labels, or an argument is not allowed.

    Examples
    --------
    >>> stream = trapezoidal([[1, 2, 3, 4]] * 4, [0, 1, 0, 1], chunks=2)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [[0, 1], [0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]
    >>> stream = trapezoidal([[1, 2, 3, 4]] * 4, [0, 1, 0, 1], shares=[0.25, 1.0])
    >>> [len(x) for x, _ in stream.pairs()]
    [1, 1, 4, 4]
    """
    check_whole("chunks", chunks, 1)
    check_choice("late", late, (False, True))
    rows = _labelled(X, y, feature_names)
    columns = _columns(rows)
    n, d = len(rows), columns.size
    settings: dict[str, Any]
    if shares is None:
        settings = {"chunks": int(chunks)}
        first = first_rounds(equal_chunks(d, int(chunks)), n, int(chunks), late)
    else:
        settings = {"shares": checked_shares(shares)}
        first = first_rounds(listed_chunks(d, settings["shares"]), n, len(settings["shares"]), late)
    if late:
        settings["late"] = True
    shape = hide_outside_spans(rows, columns, first, np.full(d, n, np.int64))
    return _permuted("trapezoidal", rows, shape, seed, **settings)


def capricious(
    X: Any, y: Any = None, *, missing: float = 0.5, seed: int = 0, feature_names: Names = None
) -> Stream:
    """Make a stream whose rows each lose a share of their values, drawn from [0, missing].

    The share s of a row with k values is drawn uniformly, and s k is rounded up or down at random,
    so that its mean is s k. So a value is hidden with probability ``missing / 2`` in rows of any
    length, and no row loses ``missing * k + 1`` values or more. All values of a row are equally
    likely to be hidden. A row may lose all its values.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows (see ``braided.as_rows``).
    y : array-like, optional
        A label for each row; may be left out when X is Rows with labels.
    missing : float, 0 to 1, default 0.5
        The largest share of a row that is hidden.
    seed : int, at least 0, default 0
        The seed of the order of the rows, and of what is hidden.
    feature_names : sequence, optional
        Names for the columns of a sparse matrix or an array.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If there are no rows or no labels, or an argument is not allowed.

    Examples
    --------
    >>> stream = capricious([[1, 2, 3, 4]] * 4, [0, 1, 0, 1], missing=1.0, seed=2)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [[], [0, 1, 2], [0, 3], []]
    """
    check_share("missing", missing)
    check_seed(seed)
    rows = _labelled(X, y, feature_names)
    shape = partial(hide_at_random, missing=float(missing), seed=seed)
    return _permuted("capricious", rows, shape, seed, missing=missing)


def evolvable(
    X: Any,
    y: Any = None,
    *,
    generations: int = 2,
    overlap: float = 0.05,
    vanish: str = "abrupt",
    map: str = "split",
    seed: int = 0,
    feature_names: Names = None,
) -> Stream:
    """Make a stream in which one generation of features replaces another.

    The columns are split into ``generations`` contiguous parts of nearly equal size, the rounds
    into as many periods. A period observes its own generation, and at its end the next one as well.
    With ``map="gaussian"`` all columns are the first generation, and each next one describes the
    last one anew.

    Parameters
    ----------
    X : list of dict, sparse matrix, array, frame or Rows
        The rows (see ``braided.as_rows``).
    y : array-like, optional
        A label for each row; may be left out when X is Rows with labels.
    generations : int, at least 1, default 2
        The number of generations; at most the number of rows and the number of columns.
    overlap : float from 0 to 1 or int, default 0.05
        How long two generations are both observed, at the end of each period but the last: a float
        is a share of the period, rounded to whole rounds, an int a number of rounds.
    vanish : "abrupt" or "gradual", default "abrupt"
        With ``"abrupt"``, all old features end with the overlap. With ``"gradual"``, each old
        feature ends after 1, 2, ... or all rounds of the overlap, drawn uniformly.
    map : "split" or "gaussian", default "split"
        What a generation is. With ``"split"``, it is a part of the columns. With ``"gaussian"``,
        each of its features is a sum of those of the last generation with random normal weights, as
        in the experiments of the paper on FESL; values that are not observed add nothing. They
        are named after generation and number, as in ``"map2.0"``.
    seed : int, at least 0, default 0
        The seed of the order of the rows, of when old features end, and of the maps.
    feature_names : sequence, optional
        Names for the columns of a sparse matrix or an array.

    Returns
    -------
    Stream
        The stream.

    Raises
    ------
    InputError
        If there are no rows or no labels, or an argument is not allowed.

    Examples
    --------
    >>> stream = evolvable([[1, 2, 3, 4]] * 6, [0, 1] * 3, overlap=1)
    >>> [sorted(x) for x, _ in stream.pairs()]
    [[0, 1], [0, 1], [0, 1, 2, 3], [2, 3], [2, 3], [2, 3]]
    """
    check_choice("vanish", vanish, VANISHINGS)
    check_choice("map", map, MAPS)
    check_seed(seed)
    rows = _labelled(X, y, feature_names)
    if map == "gaussian":
        check_whole("generations", generations, 1, len(rows), f" ({len(rows)} rows)")
        rows = with_mapped_generations(rows, _columns(rows), int(generations), seed)
    columns = _columns(rows)
    n, d = len(rows), columns.size
    because = f" ({n} rows, {d} columns that hold a value)"
    check_whole("generations", generations, 1, min(n, d), because)
    generations = int(generations)
    starts = -(-np.arange(generations + 1, dtype=np.int64) * n // generations)
    overlaps = _overlaps(overlap, np.diff(starts))
    first = starts[:-1] - np.concatenate(([0], overlaps[:-1]))
    generation = np.arange(d, dtype=np.int64) * generations // d
    end = starts[1:][generation]
    if vanish == "gradual":
        moments = Draws(seed, Purpose.MOMENTS).uniform(d)
        end -= np.floor(moments * overlaps[generation]).astype(np.int64)
    shape = hide_outside_spans(rows, columns, first[generation], end)
    settings = {"generations": generations, "overlap": overlap, "vanish": vanish}
    if map != "split":
        settings["map"] = map
    return _permuted("evolvable", rows, shape, seed, **settings)


def from_river(dataset: Iterable[tuple[Mapping[Hashable, Any], Any]]) -> Stream:
    """Make a stream of a data set of river, with the rows in their own order.

    Parameters
    ----------
    dataset : iterable of pairs
        A data set of river, or other pairs of a dict and a label.

    Returns
    -------
    Stream
        The stream.

    Examples
    --------
    >>> from_river([({"a": 1.0}, True), ({"b": 2.0, "a": None}, False)])
    <given stream: 2 rounds, 2 columns>
    """
    pairs = list(dataset)
    return given([x for x, _ in pairs], [y for _, y in pairs])


def _overlaps(overlap: float, periods: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each period, the number of its rounds that observe the next generation, too."""
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
    """The columns that have a value in some row, ascending."""
    occurs = np.zeros(rows.width, np.bool_)
    occurs[rows.indices] = True
    return np.flatnonzero(occurs).astype(np.int64, copy=False)
