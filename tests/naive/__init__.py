"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import braid, fesl, fobos, glsc, glsc_letter, oco, ofs, olsf, sol

__all__ = ["braid", "fesl", "fobos", "glsc", "glsc_letter", "oco", "ofs", "olsf", "sol"]
