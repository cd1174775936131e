"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import fobos, olsf, sol

__all__ = ["fobos", "olsf", "sol"]
from tests.naive import oco, olsf

__all__ = ["oco", "olsf"]
