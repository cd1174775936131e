"""Whole files: read_svmlight reads a whole svmlight file at once."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from braided.readers import read
from braided.rows.rows import Rows

__all__ = ["counted_from_1", "read_svmlight"]


def read_svmlight(path: str | os.PathLike[str]) -> Rows:
    r"""Read a whole svmlight file.

    The name of a feature is its index in the file, whether the file counts from 1 or from 0. A
    written zero is observed, ``nan`` is unobserved. ``qid`` and text after ``#`` are skipped.

    Parameters
    ----------
    path : str or path
        The file. It is decompressed if its name ends in ``.gz``, ``.bz2``, ``.xz`` or ``.zst``.

    Returns
    -------
    Rows
        The rows with their labels, which are ints if all are whole numbers.

    Raises
    ------
    InputError
        If the file or one of its lines can not be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.svm"
    ...     _ = path.write_text("+1 3:0.5 7:0\n-1 4:2\n")
    ...     rows = read_svmlight(path)
    >>> list(rows.dicts()), rows.labels.tolist()
    ([{3: 0.5, 7: 0.0}, {4: 2.0}], [1, -1])
    """
    rows = read(path, format="svmlight").rows()
    assert rows.labels is not None  # svmlight always has labels
    if rows.labels.dtype.kind == "O":
        rows = rows.with_labels(rows.labels.astype(np.float64))
    return counted_from_1(rows)


def counted_from_1(rows: Rows) -> Rows:
    """Remove column 0 of numbered columns, if no row uses it.

    Else it would count as a feature of the data set.
    """
    if rows.names != range(rows.width) or rows.width == 0:
        return rows
    if (rows.indices == 0).any():
        return replace(rows, names=None)
    indices = (rows.indices - 1).astype(np.int32)
    return replace(rows, indices=indices, width=rows.width - 1, names=range(1, rows.width))
