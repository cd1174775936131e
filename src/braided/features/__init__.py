"""Features: names <-> columns, in order of first sight."""

from braided.features.space import FeatureSpace

__all__ = ["FeatureSpace"]
