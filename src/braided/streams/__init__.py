"""Streams: rows in an order, with features that come and go."""

from braided.streams.files import read_svmlight
from braided.streams.reading import Reader, read
from braided.streams.shapes import capricious, evolvable, fixed, given, trapezoidal
from braided.streams.stream import Stream
from braided.streams.synthetic import FactorModel, linear_switch

__all__ = [
    "FactorModel",
    "Reader",
    "Stream",
    "capricious",
    "evolvable",
    "fixed",
    "given",
    "linear_switch",
    "read",
    "read_svmlight",
    "trapezoidal",
]
