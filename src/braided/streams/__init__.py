"""Streams: labelled rows in an order, whose features come and go by one of several shapes."""

from braided.readers import Reader, read
from braided.readers.whole_file import read_svmlight
from braided.streams.shapes import capricious, evolvable, fixed, from_river, given, trapezoidal
from braided.streams.stream import Stream
from braided.streams.synthetic import FactorModel, linear_switch

__all__ = [
    "FactorModel",
    "Reader",
    "Stream",
    "capricious",
    "evolvable",
    "fixed",
    "from_river",
    "given",
    "linear_switch",
    "read",
    "read_svmlight",
    "trapezoidal",
]
