"""Strangers: rows that share no feature with the model, which then says the same of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from braided.errors import warn

if TYPE_CHECKING:
    from braided.learner.learner import Learner
    from braided.rows.rows import Rows

__all__ = ["Strangers"]

SAMPLE = 1000
"""The number of rows that are looked at."""


class Strangers:
    """Counts rows that share no feature with a model.

    Parameters
    ----------
    model : Learner
        A model that has learned something.
    """

    def __init__(self, model: Learner) -> None:
        self._model = model
        self.rows = self.strangers = 0

    def add(self, rows: Rows) -> None:
        """Look at the next rows, if not enough were seen.

        Parameters
        ----------
        rows : Rows
            The rows.
        """
        if self.rows >= SAMPLE or self._model.engine is None:
            return
        known = self._model.engine.space.place(rows, grow=False)
        self.rows += len(rows)
        self.strangers += int(np.count_nonzero(np.diff(known.indptr) == 0))

    def warn(self, name: str) -> None:
        """Warn if most rows share no feature with the model.

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
