"""DATA on the command line: the name of a dataset, the path of a file, or - for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from braided.errors import InputError, argument
from braided.registry import FORMATS

if TYPE_CHECKING:
    from braided.datasets import Dataset
    from braided.rows.rows import Rows
    from braided.streams import Reader

__all__ = ["DataSource", "FileStream", "is_file", "is_journal"]

_JOURNAL = b"SQLite format 3\x00"

_FETCHED = ("http", "https", "ftp", "s3", "gs", "hdfs")
"""How addresses begin of files that other programs fetch."""


@dataclass(frozen=True)
class DataSource:
    """Where rows come from; made by ``ReadingOptions.open``.

    Parameters
    ----------
    name : str
        The name of a dataset, the path of a file, or ``-``.
    reader : Reader, optional
        What reads the file; None for a dataset.
    shuffle : int, optional
        The seed by which ``blocks`` shuffles the rows; by default they are in their own order.
    """

    name: str
    reader: Reader | None = None
    shuffle: int | None = None

    def load(self, *, shuffled: bool = False) -> Dataset:
        """Read all rows.

        Parameters
        ----------
        shuffled : bool, default False
            Whether the rows will be shuffled.

        Returns
        -------
        Dataset
            The rows and their labels.

        Raises
        ------
        InputError
            If the file can not be read, or no row has a label.
        """
        from braided import datasets
        from braided.readers.whole_file import counted_from_1
        from braided.targets import labelled
        from braided.targets.label_runs import LabelRuns

        if self.reader is None:
            return datasets.load(self.name)
        rows = counted_from_1(self.reader.rows())
        _tell_skipped(self.reader)
        runs = LabelRuns()
        runs.add(rows.labels)
        runs.warn(self.name, shuffled=shuffled)
        assert rows.labels is not None  # what has no label is None among them, or was refused
        if not labelled(rows.labels).any():
            raise _no_labels(self.name, self.reader)
        about = (self.name, "not stated", "")
        return datasets.Dataset(self.name, rows.with_labels(None), rows.labels, *about)

    def blocks(self, size: int) -> Iterator[Rows]:
        """Read rows in their own order; a file is never held as a whole.

        Parameters
        ----------
        size : int
            Rows of a block, at least 1; the last block may be shorter.

        Returns
        -------
        iterator of Rows
            The rows, with their labels.
        """
        from braided.cli.shuffling import shuffled
        from braided.targets.label_runs import LabelRuns

        if self.shuffle is not None:
            yield from shuffled(self._in_order(size), self.shuffle, size)
            return
        runs = LabelRuns()
        for rows in self._in_order(size):
            runs.add(rows.labels)
            yield rows
        runs.warn(self.name)

    def _in_order(self, size: int) -> Iterator[Rows]:
        from braided import datasets

        if self.reader is not None:
            yield from self.reader.blocks(size)
            _tell_skipped(self.reader)
            return
        dataset = datasets.load(self.name)
        rows = dataset.X.with_labels(dataset.y)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


@dataclass(frozen=True)
class FileStream:
    """The rows of a file in their own order, as a stream that is never held as a whole.

    Parameters
    ----------
    source : DataSource
        The file.
    parameters : mapping, default {}
        Those of the shape: it has none.
    """

    source: DataSource
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def blocks(self, size: int) -> Iterator[Rows]:
        """Read the rows, as ``DataSource.blocks`` does; refuse a file without any label."""
        from braided.targets import labelled

        some_labelled = False
        for rows in self.source.blocks(size):
            assert rows.labels is not None
            some_labelled = some_labelled or bool(labelled(rows.labels).any())
            yield rows
        if not some_labelled:
            raise _no_labels(self.source.name, self.source.reader)


def is_file(data: str) -> bool:
    """Tell whether DATA means a file; a dataset of that name goes before it.

    Parameters
    ----------
    data : str
        What was given.

    Returns
    -------
    bool
        False for the name of a dataset, known or not.

    Raises
    ------
    InputError
        If it means a file that does not exist.
    """
    from braided import datasets
    from braided.readers.sources import COMPRESSED

    has_folder = "/" in data or "\\" in data  # which no name of a dataset has
    if not has_folder and data in datasets.names():
        return False
    if data == "-" or os.path.exists(data):
        return True
    refuse_web_address(data)
    suffixes = (*COMPRESSED, *(suffix for entry in FORMATS for suffix in entry.suffixes))
    if has_folder or data.endswith(suffixes):
        raise InputError(
            f"{data}: no such file; DATA is the path of a file ({', '.join(FORMATS.names())}), "
            f"- or one of {', '.join(datasets.names())}"
        )
    return False


def refuse_web_address(data: str) -> None:
    """Refuse the address of a file that another program has to fetch.

    Parameters
    ----------
    data : str
        What was given.

    Raises
    ------
    InputError
        If it is one.
    """
    scheme, separator, _ = data.partition("://")
    if separator and scheme.lower() in _FETCHED:
        raise InputError(
            f"{data} is not fetched: download the file, or pipe it, as in "
            "curl -Ls ADDRESS | braided evaluate - --label NAME"
        )


def _tell_skipped(reader: Reader) -> None:
    """Say on the error stream how many lines were skipped, if any were."""
    if reader.skipped:
        where = "" if reader.quarantine is None else f"; they are in {os.fspath(reader.quarantine)}"
        lines = "1 line" if reader.skipped == 1 else f"{reader.skipped} lines"
        counts = f"{lines} skipped, {reader.rows_read} rows read"
        print(f"{reader.name}: {counts}{where}", file=sys.stderr)


def _no_labels(data: str, reader: Reader | None) -> InputError:
    label = None if reader is None else reader.schema.label
    empty = "" if label is None else f": field {label!r} is missing or empty in all of them"
    if reader is not None and label is not None:
        inside = [str(field) for field in reader.observed.every_field]
        meant = [field for field in inside if field.casefold().split(".")[-1] == label.casefold()]
        empty += f" (did you mean {meant[0]!r}?)" if meant else ""
    return InputError(
        f"{data}: no row has a label{empty}; say in which field labels are ({argument('label')})"
    )


def is_journal(data: str) -> bool:
    """Whether DATA is the journal of a service, by its first bytes.

    Parameters
    ----------
    data : str
        The name of a dataset, the path of a file, or ``-``.

    Returns
    -------
    bool
        True for files of SQLite.
    """
    if data == "-" or not os.path.isfile(data):
        return False
    with open(data, "rb") as file:
        return file.read(len(_JOURNAL)) == _JOURNAL
