"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import fesl, fobos, glsc, oco, ofs, olsf, sol

__all__ = ["fesl", "fobos", "glsc", "oco", "ofs", "olsf", "sol"]
