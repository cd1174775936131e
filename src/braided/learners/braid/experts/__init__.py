"""The experts of Braid, one file for each; ``braided.registry.EXPERTS`` lists them."""

from braided.learners.braid.experts.expert import Expert
from braided.learners.braid.layout import reserve_bin_columns, reserve_feature_columns

__all__ = ["Expert", "reserve_bin_columns", "reserve_feature_columns"]
