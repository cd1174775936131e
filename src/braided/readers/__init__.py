"""Reading streams from files: one file per format, one way to read them all."""

from braided.readers.reader import Reader, read

__all__ = ["Reader", "read"]
