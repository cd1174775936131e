"""Targets: label values <-> the codes that kernels see; two classes, many, and missing labels."""

from braided.targets.labels import (
    Labels,
    PartialLabels,
    first_rows,
    is_missing,
    labelled,
    plain_values,
    refuse_no_label,
)
from braided.targets.many_labels import ManyLabels

__all__ = [
    "Labels",
    "ManyLabels",
    "PartialLabels",
    "first_rows",
    "is_missing",
    "labelled",
    "plain_values",
    "refuse_no_label",
]
