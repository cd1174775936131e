"""The shipped datasets: compressed CSV files beside this module, described in sources.json."""

from __future__ import annotations

import csv
import io
import json
import lzma
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from braided.datasets.dataset import Dataset
from braided.records import Schema, as_rows
from braided.records.columns import rows_of_columns
from braided.records.convert import Converter
from braided.rows import Rows

__all__ = ["about", "names", "read"]


@cache
def about() -> dict[str, dict[str, Any]]:
    """What sources.json says of each shipped dataset."""
    text = files("braided.datasets").joinpath("sources.json").read_text(encoding="utf-8")
    described: dict[str, dict[str, Any]] = json.loads(text)
    return described


def names() -> list[str]:
    """The names of the shipped datasets."""
    return sorted(about())


def read(name: str) -> Dataset:
    """A shipped dataset."""
    facts = about()[name]
    X, y = _read_wdbc() if name == "wdbc" else _read_csv(name, set(facts["categorical"]))
    source = f"{facts['source']} ({facts['copy']})"
    return Dataset(name, X, y, source, facts["licence"], facts["note"])


def _read_csv(name: str, categorical: set[str]) -> tuple[Rows, NDArray[Any]]:
    """Rows and labels of a shipped file; an empty cell is unobserved."""
    packed = files("braided.datasets").joinpath("files", f"{name}.csv.xz").read_bytes()
    header, *lines = csv.reader(io.StringIO(lzma.decompress(packed).decode()))
    columns = dict(zip(header, zip(*lines, strict=True), strict=True))
    labels = np.array(columns.pop("label"))
    # Which columns are categories is written down, not guessed: some codes look like numbers.
    schema = Schema(category=categorical, number=columns.keys() - categorical)
    rows = rows_of_columns(columns, len(labels), Converter(schema), by_name=False)
    return rows.with_arrays(schema=None), labels


def _read_wdbc() -> tuple[Rows, NDArray[Any]]:
    """The set that scikit-learn already ships."""
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer()
    feature_names = [str(feature) for feature in bunch.feature_names]
    labels = np.array([str(label) for label in bunch.target_names])[bunch.target]
    return as_rows(bunch.data, feature_names=feature_names), labels
