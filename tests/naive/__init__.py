"""The papers' algorithms, transcribed plainly: O(d) a round and obvious."""

from tests.naive import olsf

__all__ = ["olsf"]
