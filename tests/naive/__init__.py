"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import fobos, olsf, sol

__all__ = ["fobos", "olsf", "sol"]
from tests.naive import oco, olsf
from tests.naive import fesl, oco, olsf
from tests.naive import fesl, glsc, oco, olsf

__all__ = ["fesl", "glsc", "oco", "olsf"]
