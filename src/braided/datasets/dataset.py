"""What ``load`` returns: rows, their labels, and where they come from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.rows.rows import Rows

__all__ = ["Dataset"]

SHOWN_LABELS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Rows with a label each.

    Parameters
    ----------
    name
        the name that ``load`` knows it by.
    X
        the rows, without labels.
    y
        the labels, in the order of the rows.
    source, licence, note
        where the data comes from, on what terms, and what to know before using it.
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
