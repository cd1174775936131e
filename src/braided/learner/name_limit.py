"""Forgetting: names that a learner has no more use for, so that memory is limited by a budget.

Whenever there are more names than may be remembered, those that lead nowhere are forgotten, right
after the row that brought one too many. So it does not matter how rows come in blocks: a block is
placed and learned in pieces that end with such a row. A name that is forgotten is new if it
returns, and a row that was scored before it was forgotten is placed again before it is learned.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from braided.learner.core import Floats
from braided.learner.passes import Passes
from braided.rows.rows import Rows

__all__ = ["Forgetting"]

LARGEST_PIECE = 8192
"""Values that are placed at a time, at least: to place fewer would take longer than to learn."""


class Forgetting(Passes):
    """A learner may limit the names that are remembered. Then it has

    - ``_most_names_wanted()``: how many they may become before some are forgotten;
    - ``_names_in_use()``: the columns that must stay, at most half as many;
    - ``_renumber(columns)``: to call these columns 0, 1, ... from now on.

    Learners inside a learner share its names, and forget none.
    """

    _most_names: float = math.inf
    _in_force: Forgetting

    def _most_names_wanted(self) -> float:
        return math.inf

    def _names_in_use(self) -> NDArray[np.intp]:
        raise NotImplementedError

    def _renumber(self, columns: NDArray[np.intp]) -> None:
        raise NotImplementedError

    def _settle_parameters(self) -> None:
        super()._settle_parameters()
        self._most_names = self._in_force._most_names_wanted()

    def _forget_names(self) -> None:
        """Forget names if there are too many."""
        if len(self._space) <= self._most_names:
            return
        columns = self._names_in_use()
        self._renumber(columns)
        self._space.keep(columns.tolist())
        self._state.seen[0] = columns.size
        for row in self._one_rows:
            row.forget_names()

    def _learn_accepted(self, rows: Rows, signs: Floats, weights: Floats) -> Floats:
        if len(self._space) + rows.width <= self._most_names:
            return super()._learn_accepted(rows, signs, weights)
        scores, done = [np.empty(0)], 0
        while done < len(rows):
            piece = self._next_piece(rows[done:])
            turn = slice(done, done + len(piece))
            scores.append(self._learn_placed(piece, signs[turn], weights[turn]))
            self._forget_names()
            done = turn.stop
        self._space.forget_sources()
        return np.concatenate(scores)

    def _interleave_accepted(
        self, rows: Rows, learned: Rows, signs: Floats, due: NDArray[np.int64]
    ) -> Floats:
        if len(self._space) + learned.width <= self._most_names:
            return super()._interleave_accepted(rows, learned, signs, due)
        scores, scored, done = [], 0, 0  # the scores, rows scored, rows learned
        until, weights = int(due[-1]) if due.size else 0, np.ones(len(learned))
        while done < until:
            piece = self._next_piece(learned[done:until])
            stop = done + len(piece)
            last = int(np.searchsorted(due, stop))  # the row after which the piece is at its end
            turn = slice(scored, last + 1)
            placed, own = self._space.place(rows[turn], grow=False), slice(done, stop)
            wanted = np.minimum(due[turn], stop) - done
            scores.append(self._interleave_placed(placed, piece, signs[own], weights[own], wanted))
            self._forget_names()
            scored, done = turn.stop, int(due[last])
            rest = slice(stop, done)
            self._learn_accepted(learned[rest], signs[rest], weights[rest])
        scores.append(self._score_placed(self._space.place(rows[scored:], grow=False)))
        self._space.forget_sources()
        return np.concatenate(scores)

    def _next_piece(self, rows: Rows) -> Rows:
        """The first rows, in their columns, up to the one that brings a name too many."""
        space, most = self._space, self._most_names
        values = max(LARGEST_PIECE, most)
        size = int(np.searchsorted(rows.indptr, values, side="right")) - 1
        rows = rows[: max(1, size) if len(space) <= most else 1]
        try:
            placed = space.place(rows)
            beyond = np.flatnonzero(placed.indices >= most)
            if beyond.size:  # columns are numbered by first sight
                row = int(np.searchsorted(placed.indptr, beyond[0], side="right"))
                placed = placed[:row]
                space.keep(range(int(placed.indices.max()) + 1))
            return placed
        finally:  # also when interrupted: what has a column has room
            self._make_room()
