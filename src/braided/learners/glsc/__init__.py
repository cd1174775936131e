"""GLSC, which learns a graph of features and reconstructs those that are not observed."""

from braided.learners.glsc.glsc import GLSC

__all__ = ["GLSC"]
