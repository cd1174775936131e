"""Datasets of your own: svmlight files in the folder that BRAIDED_DATA names."""

from __future__ import annotations

import gzip
import os
import zlib
from dataclasses import replace
from pathlib import Path

from braided.datasets.dataset import Dataset
from braided.errors import InputError
from braided.readers.whole_file import read_svmlight
from braided.records import as_rows
from braided.rows import Rows

__all__ = ["find", "names", "read"]

SUFFIXES = (".svm.gz", ".svm", ".svmlight.gz", ".svmlight", ".libsvm.gz", ".libsvm")


def names() -> list[str]:
    """The names of the datasets in the folder."""
    folder = _folder()
    if folder is None:
        return []
    found = {
        path.name.removesuffix(suffix)
        for path in folder.iterdir()
        for suffix in SUFFIXES
        if path.name.endswith(suffix) and path.name != suffix
    }
    return sorted(found)


def find(name: str) -> Path | None:
    """The file of this name, if the folder has one."""
    folder = _folder()
    if folder is None:
        return None
    paths = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    return next((path for path in paths if path.is_file()), None)


def read(name: str, path: Path) -> Dataset:
    """The dataset in this file, its features named by the vocabulary beside it if there is one."""
    rows = read_svmlight(path)
    for vocabulary in (path.with_name(f"{name}.vocab.gz"), path.with_name(f"{name}.vocab")):
        if vocabulary.is_file():
            rows = _named(rows, vocabulary, path)
            break
    labels = rows.labels
    assert labels is not None  # svmlight always has labels
    return Dataset(name, as_rows(rows.with_labels(None)), labels, str(path), "not stated", "")


def _folder() -> Path | None:
    given = os.environ.get("BRAIDED_DATA")
    if not given:
        return None
    folder = Path(given).expanduser()
    if not folder.is_dir():
        raise InputError(f"BRAIDED_DATA is {given!r}, which is not a folder")
    return folder


def _named(rows: Rows, vocabulary: Path, path: Path) -> Rows:
    """The rows with line k of the vocabulary as the name of feature k, counted from 1."""
    feature_names = _read_vocabulary(vocabulary)
    indices = [rows.name(column) for column in (0, rows.width - 1)] if rows.width else []
    wrong = [index for index in indices if index not in range(1, len(feature_names) + 1)]
    if wrong:
        raise InputError(
            f"{path} has feature {wrong[0]}, "
            f"but {vocabulary} names the features 1 to {len(feature_names)}"
        )
    return replace(rows, width=len(feature_names), names=feature_names)


def _read_vocabulary(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    feature_names = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    line_of: dict[str, int] = {}
    for number, feature in enumerate(feature_names, start=1):
        if not feature:
            raise InputError(f"{path}, line {number}: empty; each line must name a feature")
        if feature in line_of:
            raise InputError(
                f"{path}, line {number}: {feature!r} is already the name on line {line_of[feature]}"
            )
        line_of[feature] = number
    return feature_names
