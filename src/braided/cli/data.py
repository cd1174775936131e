"""DATA on the command line: the name of a set, or the path of an svmlight file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from braided.errors import InputError

if TYPE_CHECKING:
    from braided.datasets import Dataset
    from braided.rows import Rows

__all__ = ["blocks", "load"]

SUFFIXES = (".svm", ".svmlight", ".libsvm", ".txt", ".gz", ".bz2")


def load(data: str) -> Dataset:
    """The data of this name or in this file; a known name goes before a file of that name."""
    from braided import datasets
    from braided.streams.files import read_svmlight

    known = datasets.names()
    if data in known or not _is_path(data):
        return datasets.load(data)
    if not os.path.exists(data):
        raise InputError(
            f"{data}: no such file; DATA is the path of an svmlight file or one of "
            f"{', '.join(known)}"
        )
    rows = read_svmlight(data)
    assert rows.labels is not None  # svmlight always has labels
    return datasets.Dataset(data, replace(rows, labels=None), rows.labels, data, "not stated", "")


def _is_path(data: str) -> bool:
    looks_like_one = "/" in data or "\\" in data or data.endswith(SUFFIXES)
    return looks_like_one or os.path.exists(data)


def blocks(data: str, size: int) -> Iterator[Rows]:
    """The same data as labelled rows in their own order, so many at a time."""
    dataset = load(data)
    rows = dataset.X.with_labels(dataset.y)
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
