"""Readers: labelled rows from files and pipes, block by block; a file for each format."""

from braided.readers.reader import Reader, read

__all__ = ["Reader", "read"]
