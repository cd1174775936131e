"""Name limit: feature names that a model does not use are dropped, so that memory is bounded.

When there are more names than the limit, names that are not in use are dropped, right after the row
with the first name too many. So that the size of blocks does not matter, a block is placed and
learned in pieces that end with such a row. A name that was dropped is new if it returns, and a row
that was scored before is placed again before it is learned.

The algorithm (``LimitsNames``) says which names are in use. Engines inside a composite share its
names, and drop none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from braided.learner.algorithm import LimitsNames
from braided.rows.rows import Rows

if TYPE_CHECKING:
    from braided.learner.engine import Engine

__all__ = ["drop_names", "interleave_in_pieces", "learn_in_pieces"]

Floats = NDArray[np.float64]

LARGEST_PIECE = 8192
"""The least number of values that are placed at a time; fewer would cost more than learning."""


def drop_names(engine: Engine) -> None:
    """Drop names that are not in use, if there are more than the limit."""
    algorithm = engine.algorithm
    if len(engine.space) <= engine.most_names or not isinstance(algorithm, LimitsNames):
        return
    columns = algorithm.names_in_use(engine.state)
    dropped = len(engine.space) - columns.size
    algorithm.renumber(engine.state, columns, dropped)
    engine.space.keep(columns.tolist())
    engine.state.seen[0] = columns.size
    engine.forget_columns()


def learn_in_pieces(engine: Engine, rows: Rows, signs: Floats, weights: Floats) -> Floats:
    """Learn rows whose names may exceed the limit."""
    scores: list[Floats] = []
    done = 0
    while not scores or done < len(rows):
        piece = _next_piece(engine, rows[done:])
        own = slice(done, done + len(piece))
        scores.append(engine.learn_placed(piece, signs[own], weights[own]))
        drop_names(engine)
        done = own.stop
    engine.space.forget_sources()
    return np.concatenate(scores)


def interleave_in_pieces(
    engine: Engine, rows: Rows, learned: Rows, signs: Floats, due: NDArray[np.int64]
) -> Floats:
    """Score rows and learn others in between, whose names may exceed the limit."""
    space = engine.space
    scores, scored, done = [], 0, 0  # the scores, rows scored, rows learned
    until, weights = int(due[-1]) if due.size else 0, np.ones(len(learned))
    while done < until:
        piece = _next_piece(engine, learned[done:until])
        stop = done + len(piece)
        last = int(np.searchsorted(due, stop))  # the row after which the piece is at its end
        turn, own = slice(scored, last + 1), slice(done, stop)
        placed = space.place(rows[turn], grow=False)
        wanted = np.minimum(due[turn], stop) - done
        scores.append(engine.interleave_placed(placed, piece, signs[own], weights[own], wanted))
        drop_names(engine)
        scored, done = turn.stop, int(due[last])
        rest = slice(stop, done)
        engine.learn_accepted(learned[rest], signs[rest], weights[rest])
    scores.append(engine.score_placed(space.place(rows[scored:], grow=False)))
    space.forget_sources()
    return np.concatenate(scores)


def _next_piece(engine: Engine, rows: Rows) -> Rows:
    """The first rows, placed, up to the row with the first name too many."""
    space, most = engine.space, engine.most_names
    values = max(LARGEST_PIECE, most)
    size = int(np.searchsorted(rows.indptr, values, side="right")) - 1
    rows = rows[: max(1, size) if len(space) <= most else 1]
    try:
        placed = space.place(rows, once=True)
        beyond = np.flatnonzero(placed.indices >= most)
        if beyond.size:  # columns are numbered in order of first appearance
            row = int(np.searchsorted(placed.indptr, beyond[0], side="right"))
            placed = placed[:row]
            space.keep(range(int(placed.indices.max()) + 1))
        return placed
    finally:  # also when interrupted: every column has room
        engine.make_room()
