"""Rows: the one form that kernels see; arrays and sparse matrices as rows."""

from braided.rows.rows import Rows, joined, offsets
from braided.rows.sparse import MOST_COLUMNS

__all__ = ["MOST_COLUMNS", "Rows", "joined", "offsets"]
