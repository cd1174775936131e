"""What a format is told about the pass over a stream that it serves."""

from __future__ import annotations

from typing import NamedTuple

from braided.readers.columns import Fields
from braided.readers.faults import Faults
from braided.readers.limits import Limits

__all__ = ["Job"]


class Job(NamedTuple):
    """How many rows are wanted at a time, of which fields, and what is done about faults.

    ``types`` are what the columns of text files were found to hold, in the files before too.
    """

    size: int
    fields: Fields
    faults: Faults
    limits: Limits
    types: dict[str, str]
