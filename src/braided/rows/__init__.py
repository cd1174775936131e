"""Rows: the one form that kernels see, and how every kind of input becomes it."""

from braided.rows.frames import from_columns
from braided.rows.inputs import as_rows
from braided.rows.rows import Rows, joined, offsets
from braided.rows.sparse import MOST_COLUMNS

__all__ = ["MOST_COLUMNS", "Rows", "as_rows", "from_columns", "joined", "offsets"]
