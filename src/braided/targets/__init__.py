"""Targets: label values <-> the codes that kernels see; two classes, many, and missing labels."""

from braided.targets.labels import Labels, PartialLabels
from braided.targets.many_labels import ManyLabels
from braided.targets.values import (
    first_rows,
    is_missing,
    labelled,
    plain_values,
    refuse_no_label,
)

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
