"""Datasets to try things on: a few that ship with Braided, your own, and those of OpenML."""

from braided.datasets.catalogue import load, names
from braided.datasets.dataset import Dataset

__all__ = ["Dataset", "load", "names"]
