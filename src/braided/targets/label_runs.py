"""LabelRuns: whether labels come in long runs, as in a file that is sorted by them, or look odd."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import argument, warn
from braided.targets.labels import labelled, plain_values

__all__ = ["LabelRuns"]

FEWEST = 100
"""The number of rows from which on something is said."""

LONG = 10.0
"""Runs are long if they are so many times as long as in a random order."""


class LabelRuns:
    """Counts labels, and how often a label differs from the one before it."""

    def __init__(self) -> None:
        self.counts: Counter[Any] = Counter()
        self.changes = 0
        self._last: Any = None

    def add(self, labels: NDArray[Any] | None) -> None:
        """Add the labels of the next rows; missing ones do not count.

        Parameters
        ----------
        labels : ndarray or None
            The labels.
        """
        if labels is None:
            return
        values = labels[labelled(labels)]
        if not values.size:
            return
        if values.dtype.kind == "O":
            listed = plain_values(values)
            self.counts.update(listed)
            self.changes += sum(a != b for a, b in zip(listed[1:], listed[:-1], strict=True))
        else:
            different, counts = np.unique(values, return_counts=True)
            self.counts.update(dict(zip(different.tolist(), counts.tolist(), strict=True)))
            self.changes += int(np.count_nonzero(values[1:] != values[:-1]))
        first, last = plain_values(values[[0, -1]])
        if self._last is not None and first != self._last:
            self.changes += 1
        self._last = last

    def warn(self, name: str, *, shuffled: bool = False) -> None:
        """Warn of a single label, of labels in long runs, of labels that differ only in their case.

        Parameters
        ----------
        name : str
            The name of the data.
        shuffled : bool, default False
            Whether the rows will be shuffled, so that runs do not matter.
        """
        spellings: dict[str, list[str]] = {}
        for label in sorted(label for label in self.counts if isinstance(label, str)):
            spellings.setdefault(label.strip().casefold(), []).append(label)
        for alike in spellings.values():
            if len(alike) > 1:
                some = ", ".join(map(repr, alike[:5])) + ", ..." * (len(alike) > 5)
                warn(f"{name}: {some} are {len(alike)} labels; write them alike if they are one")
                break
        if "-" in self.counts and "+" not in self.counts:
            what = argument("null", "-")
            warn(f"{name}: '-' was learned as a label; if it means that there is none, say {what}")
        total = sum(self.counts.values())
        if total < FEWEST:
            return
        if len(self.counts) == 1:
            (label,) = self.counts
            warn(f"{name}: all {total} rows have the label {label!r}")
            return
        expected = total - sum(count * count for count in self.counts.values()) / total
        if not shuffled and expected > LONG * (self.changes + 1):
            warn(
                f"{name}: labels come in long runs ({self.changes + 1} runs in {total} rows); if "
                "the order of the rows is not that of time, shuffle them (train: --shuffle SEED; "
                "evaluate: --stream fixed)"
            )
