"""Streams from the data sets of river."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from braided.streams.shapes import given
from braided.streams.stream import Stream

__all__ = ["from_river"]


def from_river(dataset: Iterable[tuple[Mapping[Hashable, Any], Any]]) -> Stream:
    """A stream of the rows of a data set of river, or of any pairs of a dict and a label.

    Examples
    --------
    >>> from_river([({"a": 1.0}, True), ({"b": 2.0, "a": None}, False)])
    <given stream: 2 rounds, 2 columns>
    """
    pairs = list(dataset)
    return given([x for x, _ in pairs], [y for _, y in pairs])
