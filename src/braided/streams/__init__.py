"""Streams: rows in an order, with features that come and go."""

from braided.streams.files import read_svmlight
from braided.streams.shapes import capricious, evolvable, fixed, given, trapezoidal
from braided.streams.stream import Stream

__all__ = [
    "Stream",
    "capricious",
    "evolvable",
    "fixed",
    "given",
    "read_svmlight",
    "trapezoidal",
]
