"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import fesl, glsc, oco, olsf

__all__ = ["fesl", "glsc", "oco", "olsf"]
