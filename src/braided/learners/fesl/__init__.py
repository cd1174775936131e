"""FESL, for streams in which a generation of features gives way to the next."""

from braided.learners.fesl.fesl import FESL

__all__ = ["FESL"]
