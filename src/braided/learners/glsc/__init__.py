"""GLSC, which learns what features tell of one another, part by part."""

from braided.learners.glsc.glsc import GLSC

__all__ = ["GLSC"]
