"""Records: how the fields of a record become features; one converter for every door."""

from braided.records.columns import from_columns
from braided.records.inputs import as_rows
from braided.records.kinds import KINDS, FieldKind
from braided.records.schema import Schema

__all__ = ["KINDS", "FieldKind", "Schema", "as_rows", "from_columns"]
