"""FESL, for generations of features that give way to one another, part by part."""

from braided.learners.fesl.fesl import FESL

__all__ = ["FESL"]
