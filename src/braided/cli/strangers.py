"""Strangers: rows and fields that a model does not know, so that it can say nothing of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from braided.errors import warn
from braided.records.kinds import IGNORE

if TYPE_CHECKING:
    from braided.learner.learner import Learner
    from braided.rows.rows import Rows

__all__ = ["Strangers"]

SAMPLE = 1000
"""The number of rows that are looked at."""

NAMED = 5
"""The most fields that a warning names."""


class Strangers:
    """Counts rows that share no feature with a model, and notes fields that it has not learned.

    Parameters
    ----------
    model : Learner
        A model that has learned something.
    """

    def __init__(self, model: Learner) -> None:
        self._model = model
        self.rows = self.strangers = 0
        self._new_fields: dict[str, None] = {}

    def add(self, rows: Rows) -> None:
        """Look at the next rows, if not enough were seen.

        Parameters
        ----------
        rows : Rows
            The rows.
        """
        if self.rows >= SAMPLE or self._model.engine is None:
            return
        if rows.schema is not None:
            kind = self._model.schema.kind
            for field, found in rows.schema.kinds.items():
                if found != IGNORE and kind(field) is None:
                    self._new_fields[str(field)] = None
        known = self._model.engine.space.place(rows, grow=False)
        self.rows += len(rows)
        self.strangers += int(np.count_nonzero(np.diff(known.indptr) == 0))

    def warn(self, name: str) -> None:
        """Warn if most rows share no feature with the model, or if fields are new to it.

        Parameters
        ----------
        name : str
            The name of the model.
        """
        if 2 * self.strangers > self.rows:
            warn(
                f"{self.strangers} of {self.rows} rows share no feature with {name}: are they of "
                "the data that it has learned?"
            )
        elif self._new_fields:
            fields = sorted(self._new_fields)
            some = ", ".join(map(repr, fields[:NAMED])) + (", ..." if fields[NAMED:] else "")
            warn(f"{name} has learned no such fields and ignores them: {some} (was one renamed?)")
