"""The formats by name, and which one the end of a file's name stands for."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from braided.errors import InputError
from braided.parameters import check_choice
from braided.readers.job import Job
from braided.readers.sources import PACKED, STDIN, Source, name_of
from braided.rows.rows import Rows

__all__ = ["FORMATS", "format_of", "rows_of"]

# What the name of a file of each format ends in.
FORMATS = {
    "svmlight": (".svm", ".svmlight", ".libsvm", ".txt"),
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "vw": (".vw",),
}
# The function that reads each; imported when it is needed, as some need packages of their own.
_READERS = {
    "svmlight": "svmlight.read_rows",
    "csv": "csv.read_csv",
    "tsv": "csv.read_tsv",
    "jsonl": "json_lines.read_rows",
    "parquet": "arrow.read_parquet",
    "arrow": "arrow.read_ipc",
    "vw": "vw.read_rows",
}


def format_of(source: Source, given: str | None) -> str:
    """The format that was given, or that of the file's name, or svmlight if that tells nothing.

    Examples
    --------
    >>> format_of("rows.csv.gz", None), format_of("-", "jsonl")
    ('csv', 'jsonl')
    """
    if given is not None:
        check_choice("format", given, tuple(FORMATS))
        return given
    if source != STDIN and not hasattr(source, "read"):
        path = Path(source)
        suffix = Path(path.stem).suffix if path.suffix in PACKED else path.suffix
        for name, suffixes in FORMATS.items():
            if suffix.lower() in suffixes:
                return name
        return "svmlight"  # whose files often have names without an end
    raise InputError(
        f"the format of {name_of(source)} is not told by a name: give one, {', '.join(FORMATS)}"
    )


def rows_of(kind: str, file: Any, job: Job) -> Iterator[Rows]:
    """The rows of a file of this format."""
    module, function = _READERS[kind].split(".")
    reader = getattr(import_module(f"braided.readers.{module}"), function)
    rows: Iterator[Rows] = reader(file, job)
    return rows
