"""Dataset, which ``load`` returns: rows, their labels, and where they come from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.rows.rows import Rows

__all__ = ["Dataset"]

SHOWN_LABELS = 4
"""How many different labels are listed; of more, only their number is shown."""


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Rows with a label each.

    Parameters
    ----------
    name : str
        The name that ``load`` finds it by.
    X : Rows
        The rows, without labels.
    y : ndarray
        A label for each row.
    source : str
        Where the data comes from.
    licence : str
        The terms on which it may be used.
    note : str
        What to know before using it.

    Examples
    --------
    >>> from braided import datasets
    >>> german = datasets.load("german")
    >>> german
    <Dataset german: 1000 rows, 61 features, labels 'good' (700), 'bad' (300)>
    >>> len(german.X), german.licence
    (1000, 'CC BY 4.0')
    """

    name: str
    X: Rows
    y: NDArray[Any]
    source: str
    licence: str
    note: str

    def __repr__(self) -> str:
        features = np.unique(self.X.indices).size
        counts = Counter(self.y.tolist()).most_common()
        if len(counts) <= SHOWN_LABELS:
            labels = "labels " + ", ".join(f"{label!r} ({n})" for label, n in counts)
        else:
            labels = f"{len(counts)} labels"
        return f"<Dataset {self.name}: {len(self.X)} rows, {features} features, {labels}>"
