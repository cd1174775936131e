"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import fesl, oco, olsf

__all__ = ["fesl", "oco", "olsf"]
