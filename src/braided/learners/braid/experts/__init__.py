"""The experts of a Braid: a file for each, and one table of them."""

from braided.learners.braid.experts.table import Expert, experts, register
from braided.learners.braid.layout import reserve_bin_columns, reserve_feature_columns

__all__ = ["Expert", "experts", "register", "reserve_bin_columns", "reserve_feature_columns"]
