"""Rows: the one form that kernels see, and how every kind of input becomes it."""

from braided.rows.convert import as_rows
from braided.rows.rows import Rows, joined, offsets

__all__ = ["Rows", "as_rows", "joined", "offsets"]
