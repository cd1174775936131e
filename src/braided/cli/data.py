"""DATA on the command line: the name of a set, the path of a file, or - for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from braided.errors import InputError

if TYPE_CHECKING:
    from braided.datasets import Dataset
    from braided.rows.rows import Rows
    from braided.streams import Reader

__all__ = ["Streamed", "blocks", "load", "reader", "tell_skipped"]

NOTHING: Mapping[str, Any] = {}
_NO_LABELS = "{}: no row has a label; say in which column labels are (--label)"


def load(data: str, options: Mapping[str, Any] = NOTHING) -> Dataset:
    """The data of this name or in this file, as a whole; ``options`` are those of ``read``."""
    from braided import datasets
    from braided.readers.whole_file import counted_from_1
    from braided.targets import labelled

    file = reader(data, options)
    if file is None:
        return datasets.load(data)
    rows = counted_from_1(file.rows())
    tell_skipped(file)
    assert rows.labels is not None  # what has no label is None among them, or was refused
    if not labelled(rows.labels).any():
        raise InputError(_NO_LABELS.format(data))
    return datasets.Dataset(data, rows.with_labels(None), rows.labels, data, "not stated", "")


def blocks(data: str, size: int, options: Mapping[str, Any] = NOTHING) -> Iterator[Rows]:
    """The same data in its own order, so many rows at a time; files are never held as a whole."""
    from braided import datasets

    file = reader(data, options)
    if file is not None:
        yield from file.blocks(size)
        tell_skipped(file)
        return
    dataset = datasets.load(data)
    rows = dataset.X.with_labels(dataset.y)
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


class Streamed:
    """The data in its own order, as a stream that is never held as a whole."""

    parameters: Mapping[str, Any] = NOTHING

    def __init__(self, data: str, options: Mapping[str, Any]) -> None:
        self._data, self._options = data, options

    def blocks(self, size: int) -> Iterator[Rows]:
        """The rows, so many at a time."""
        from braided.targets import labelled

        some_labelled = False
        for rows in blocks(self._data, size, self._options):
            assert rows.labels is not None
            some_labelled = some_labelled or bool(labelled(rows.labels).any())
            yield rows
        if not some_labelled:
            raise InputError(_NO_LABELS.format(self._data))


def reader(data: str, options: Mapping[str, Any] = NOTHING) -> Reader | None:
    """What reads the file; None if it is the name of a set, which goes before a file."""
    from braided import datasets, streams

    known = datasets.names()
    if data in known or not _is_path(data):
        if options:
            called = {"labelled": "unlabelled"}
            given = ", ".join(f"--{called.get(name, name).replace('_', '-')}" for name in options)
            raise InputError(f"{given}: only for files, and {data} is the name of a dataset")
        return None
    if data != "-" and not os.path.exists(data):
        raise InputError(
            f"{data}: no such file; DATA is the path of a file (svmlight, csv, tsv, jsonl, "
            f"parquet, arrow, vw), - or one of {', '.join(known)}"
        )
    return streams.read(data, **options)


def tell_skipped(file: Reader) -> None:
    """Say on the error stream how many lines were skipped, if any were."""
    if file.skipped:
        where = "" if file.quarantine is None else f"; they are in {os.fspath(file.quarantine)}"
        lines = "1 line" if file.skipped == 1 else f"{file.skipped} lines"
        counts = f"{lines} skipped, {file.rows_read} rows read"
        print(f"{file.name}: {counts}{where}", file=sys.stderr)


def _is_path(data: str) -> bool:
    from braided.readers.sources import PACKED
    from braided.registry import FORMATS

    suffixes = (*PACKED, *(suffix for entry in FORMATS for suffix in entry.suffixes))
    looks_like_one = "/" in data or "\\" in data or data.endswith(suffixes)
    return data == "-" or looks_like_one or os.path.exists(data)
