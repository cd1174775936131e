"""Rows from svmlight files: ``label index:value index:value ...``, one row per line."""

from __future__ import annotations

import bz2
import gzip
import math
import os
import zlib
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from braided.errors import InputError
from braided.inputs import as_rows
from braided.rows import LARGEST, Rows

__all__ = ["read_svmlight"]

ALLOWED = "allowed: label index:value index:value ..., indices ascending whole numbers from 0"
LARGEST_INDEX = 2**31 - 1
SHOWN_CHARACTERS = 60


def read_svmlight(path: str | os.PathLike[str]) -> Rows:
    """The rows of an svmlight file (``.gz`` and ``.bz2`` are unpacked), with their labels.

    A feature's name is its index as the file has it, whether the file counts from 1 or from 0.
    A written zero is observed, ``nan`` is unobserved. Text after ``#`` and ``qid`` are skipped.
    Labels are ints if all of them are whole numbers.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "two.svm"
    ...     _ = path.write_text("+1 3:0.5 7:0\\n-1 4:2\\n")
    ...     rows = read_svmlight(path)
    >>> list(rows.dicts()), rows.labels.tolist()
    ([{3: 0.5, 7: 0.0}, {4: 2.0}], [1, -1])
    """
    from sklearn.datasets import load_svmlight_file

    path = Path(path)
    try:
        with _open(path) as file:
            X, y = load_svmlight_file(file, zero_based=True)
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from None
    except (ValueError, OverflowError) as error:
        raise _first_fault(path) or InputError(f"{path}: {error}; {ALLOWED}") from None
    if y.size == 0:
        raise InputError(f"{path} holds no rows; {ALLOWED}")
    # A NaN value compares as False here, as it should: it means unobserved.
    if not np.isfinite(y).all() or (np.abs(X.data) > LARGEST).any():
        raise _first_fault(path) or InputError(f"{path} has a value that is not finite")
    return _counted_from_1(as_rows(X, _labels(y)))


def _counted_from_1(rows: Rows) -> Rows:
    """Without a column 0, if the file does not use it: it would pass for a feature."""
    if rows.width == 0 or (rows.indices == 0).any():
        return rows
    indices = (rows.indices - 1).astype(np.int32)
    return replace(rows, indices=indices, width=rows.width - 1, names=range(1, rows.width))


def _labels(y: NDArray[np.float64]) -> NDArray[Any]:
    whole = y.astype(np.int64) if (np.abs(y) < 2**53).all() else None
    return whole if whole is not None and (whole == y).all() else y


def _open(path: Path) -> IO[bytes] | gzip.GzipFile | bz2.BZ2File:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")
    if path.suffix == ".bz2":
        return bz2.open(path, "rb")
    return path.open("rb")


def _unreadable(path: Path, error: Exception) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: no such file")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a folder, not a file")
    if isinstance(error, PermissionError):
        return InputError(f"{path} may not be read (permission denied)")
    reason = str(error) or type(error).__name__
    if path.suffix in (".gz", ".bz2"):
        return InputError(f"{path} is not a whole {path.suffix[1:]} file: {reason}")
    return InputError(f"{path} cannot be read: {reason}")


def _first_fault(path: Path) -> InputError | None:
    """What is wrong with the first faulty line.

    The reader in scikit-learn is fast but does not say where it stopped, so a file that it
    refused is read once more, slowly.
    """
    with _open(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1 and line.startswith(b"\x1f\x8b"):
                return InputError(f"{path} is gzip data; its name must end in .gz")
            try:
                line.decode()
            except UnicodeDecodeError as error:
                what = f"{line[error.start : error.end]!r} is not UTF-8 text"
                return InputError(f"{path}, line {number}: {what}; {ALLOWED}")
            what = _fault(line.partition(b"#")[0].split())
            if what:
                return InputError(f"{path}, line {number}: {what}; {ALLOWED}")
    return None


def _fault(words: list[bytes]) -> str:
    """What is wrong with the words of a line; nothing if all is well."""
    if not words:
        return ""
    label, *features = words
    if (value := _float(label)) is None or not math.isfinite(value):
        return f"the label {_shown(label)} is not a finite number"
    if features and features[0].startswith(b"qid:"):
        features = features[1:]
    last = -1
    for word in features:
        index_text, colon, value_text = word.partition(b":")
        if not colon:
            return f"{_shown(word)} is not index:value"
        try:
            index = int(index_text)
        except ValueError:
            return f"the index in {_shown(word)} is not a whole number"
        if not 0 <= index <= LARGEST_INDEX:
            return f"the index in {_shown(word)} is not between 0 and {LARGEST_INDEX}"
        if index == last:
            return f"{_shown(word)} repeats the index {index}"
        if index < last:
            return f"{_shown(word)} comes after index {last}"
        if (value := _float(value_text)) is None:
            return f"the value in {_shown(word)} is not a number"
        if abs(value) > LARGEST:
            return f"the value in {_shown(word)} is not a finite number up to {LARGEST:g}"
        last = index
    return ""


def _float(text: bytes) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _shown(word: bytes) -> str:
    text = word.decode()
    return repr(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "...")
