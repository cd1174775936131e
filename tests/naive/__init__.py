"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import oco, olsf

__all__ = ["oco", "olsf"]
