"""Appearances: which features came lately, and which were frequent and are gone.

For the live page only: nothing of it is kept in a file.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from braided.learner.engine import Engine
    from braided.rows.rows import Rows

__all__ = ["Appearances"]

GONE = 1000
"""A feature that was not seen in so many records is gone."""

_WINDOW = 500
_STRANGE = 0.5
_ENOUGH = 200


class Appearances:
    """When each feature was seen, by its column; of models without a limit of names."""

    def __init__(self) -> None:
        self._first = np.zeros(0, np.int64)
        self._last = np.zeros(0, np.int64)
        self._times = np.zeros(0, np.int64)
        # Of the last pieces: values, values of new features, records.
        self._recent: deque[tuple[int, int, int]] = deque()
        self._in_recent = 0

    def add(self, placed: list[Rows], rounds: int, new: int) -> None:
        """Add rows that were learned.

        Parameters
        ----------
        placed : list of Rows
            The rows in their columns; none if the model drops names.
        rounds : int
            How many rows the model has learned.
        new : int
            How many features were new.
        """
        for rows in placed:
            columns = rows.indices
            if columns.size:
                self._make_room(int(columns.max()) + 1)
                record = rounds - len(rows) + 1 + rows.row_of_entry()
                np.add.at(self._times, columns, 1)
                self._last[columns] = record
                unseen = self._first[columns] == 0
                self._first[columns[unseen][::-1]] = record[unseen][::-1]
            self._recent.append((columns.size, max(0, new), len(rows)))
            self._in_recent += len(rows)
            while self._in_recent - self._recent[0][2] >= _WINDOW:
                self._in_recent -= self._recent.popleft()[2]

    def _make_room(self, size: int) -> None:
        if size > self._first.size:
            room = max(64, 2 * size)
            for name in ("_first", "_last", "_times"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros(room - old.size, np.int64))))

    def summary(self, engine: Engine | None, most: int = 12) -> dict[str, Any]:
        """Return which features came, and which are gone.

        Parameters
        ----------
        engine : Engine or None
            The engine of the model.
        most : int, default 12
            How many names at most.

        Returns
        -------
        dict
            Names, and the record in which they were seen first or last.
        """
        if engine is None:
            return {"arrived": [], "gone": []}
        seen = min(len(engine.space), self._first.size)
        first, last, times = self._first[:seen], self._last[:seen], self._times[:seen]
        arrived = np.arange(seen)[::-1][:most]  # columns are numbered by first sight
        frequent = np.flatnonzero((last < engine.rounds - GONE) & (times >= 3))
        gone = frequent[np.argsort(-times[frequent], kind="stable")[:most]]
        name = engine.space.name
        return {
            "arrived": [
                {"feature": str(name(c)), "record": int(first[c])}
                for c in arrived.tolist()
                if first[c]
            ],
            "gone": [
                {"feature": str(name(c)), "record": int(last[c]), "times": int(times[c])}
                for c in gone.tolist()
            ],
        }

    def strangers(self, rounds: int) -> str | None:
        """Say whether recent records share few features with the model.

        Parameters
        ----------
        rounds : int
            How many rows the model has learned.

        Returns
        -------
        str or None
            A warning; None if they do not.
        """
        recent = list(self._recent)  # a copy: records are added meanwhile
        values, new, records = (sum(each[i] for each in recent) for i in range(3))
        if records < _ENOUGH or rounds < 2 * records or not values or new / values < _STRANGE:
            return None
        return f"of the values in the last {records} records {new / values:.0%} are of new features"
