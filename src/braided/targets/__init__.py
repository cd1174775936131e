"""Labels: any two values <-> the signs that kernels see, and what a label is at all."""

from braided.targets.labels import Labels
from braided.targets.values import (
    first_rows,
    is_missing,
    labelled,
    plain_values,
    refuse_no_label,
)

__all__ = [
    "Labels",
    "first_rows",
    "is_missing",
    "labelled",
    "plain_values",
    "refuse_no_label",
]
