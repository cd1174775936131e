"""Targets: label values <-> the codes that kernels see; two classes, many, and missing labels."""

from braided.targets.growing_labels import GrowingLabels
from braided.targets.labels import (
    Labels,
    first_rows,
    is_missing,
    labelled,
    plain_values,
    refuse_no_label,
    sign_of_first,
)
from braided.targets.many_labels import NO_CLASS, ManyLabels
from braided.targets.partial_labels import Partial, PartialLabels, partial

__all__ = [
    "NO_CLASS",
    "GrowingLabels",
    "Labels",
    "ManyLabels",
    "Partial",
    "PartialLabels",
    "first_rows",
    "is_missing",
    "labelled",
    "partial",
    "plain_values",
    "refuse_no_label",
    "sign_of_first",
]
