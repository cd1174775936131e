"""The same data through every door leaves the same model file, byte for byte."""

from __future__ import annotations

import csv
import io
import json
import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from braided import OLSF, evaluate
from braided.streams import read

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NAMES = [f"f{c}" for c in range(6)]
DRAWS = np.random.default_rng(5)
DENSE = np.where(DRAWS.random((300, 6)) < 0.3, np.nan, DRAWS.normal(size=(300, 6)))
DENSE[DRAWS.random((300, 6)) < 0.05] = 0.0
LABELS = np.where(np.nan_to_num(DENSE)[:, 0] > 0.1, 1, -1)


def cells():
    """Each row's cells, None where nothing was observed."""
    return [[None if math.isnan(v) else v for v in row] for row in DENSE.tolist()]


def dicts():
    return [
        {name: v for name, v in zip(NAMES, row, strict=True) if v is not None} for row in cells()
    ]


def table():
    columns = dict(zip(NAMES, zip(*cells(), strict=True), strict=True))
    return pa.table({**{name: list(c) for name, c in columns.items()}, "label": LABELS.tolist()})


def as_csv(delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow([*NAMES, "label"])
    for row, label in zip(cells(), LABELS.tolist(), strict=True):
        writer.writerow([*("" if v is None else repr(v) for v in row), label])
    return text.getvalue().encode()


def as_json():
    pairs = zip(dicts(), LABELS.tolist(), strict=True)
    return "".join(json.dumps({**x, "label": y}) + "\n" for x, y in pairs).encode()


def as_vw():
    pairs = zip(dicts(), LABELS.tolist(), strict=True)
    return "".join(
        f"{y} | " + " ".join(f"{name}:{v!r}" for name, v in x.items()) + "\n" for x, y in pairs
    ).encode()


def as_parquet():
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(table(), file, row_group_size=70)
    return file.getvalue()


def as_ipc(kind):
    file = io.BytesIO()
    with kind(file, table().schema) as writer:
        writer.write_table(table(), 77)
    return file.getvalue()


FILES = {
    "csv": as_csv(","),
    "tsv": as_csv("\t"),
    "jsonl": as_json(),
    "vw": as_vw(),
    "parquet": as_parquet(),
    "arrow": as_ipc(pa.ipc.new_file),
    "arrow stream": as_ipc(pa.ipc.new_stream),
}


def of_csr():
    observed = ~np.isnan(DENSE)
    indptr = np.concatenate(([0], np.cumsum(observed.sum(axis=1))))
    return sp.csr_matrix((DENSE[observed], np.nonzero(observed)[1], indptr), shape=DENSE.shape)


def sameness(model):
    """The bytes of its model file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.braided"
        model.save(path)
        return path.read_bytes()


@pytest.fixture(scope="module")
def expected():
    return sameness(OLSF(budget=4).partial_fit(dicts(), LABELS))


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("size", [1, 64, 1000])
def test_files_leave_the_model_that_dicts_leave(kind, size, expected):
    model = OLSF(budget=4)
    for rows in read(io.BytesIO(FILES[kind]), format=kind.split()[0]).blocks(size):
        assert len(rows) <= size
        model.partial_fit(rows)
    assert sameness(model) == expected


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame(DENSE, columns=NAMES),
        pl.DataFrame(dict(zip(NAMES, zip(*cells(), strict=True), strict=True))),
        table().drop_columns(["label"]),
    ],
    ids=["pandas", "polars", "Arrow"],
)
def test_frames_leave_the_model_that_dicts_leave(X, expected):
    assert sameness(OLSF(budget=4).partial_fit(X, LABELS)) == expected


@pytest.mark.parametrize("X", [DENSE, of_csr()], ids=["dense", "CSR"])
def test_arrays_leave_the_model_that_dicts_leave(X, expected):
    model = OLSF(budget=4).partial_fit(X, LABELS, feature_names=NAMES)
    assert sameness(model) == expected


def test_svmlight_leaves_the_model_that_dicts_of_numbers_leave():
    numbered = [{c: v for c, v in enumerate(row) if v is not None} for row in cells()]
    lines = (
        f"{y} " + " ".join(f"{c}:{v!r}" for c, v in x.items()) + "\n"
        for x, y in zip(numbered, LABELS.tolist(), strict=True)
    )
    file = io.BytesIO("".join(lines).encode())
    by_dicts = OLSF(budget=4).partial_fit(numbered, LABELS)
    for size in (1, 7, 1000):
        model = OLSF(budget=4)
        for rows in read(file, format="svmlight").blocks(size):
            model.partial_fit(rows)
        assert sameness(model) == sameness(by_dicts)


def test_prequential_evaluation_takes_a_reader():
    reader = read(io.BytesIO(FILES["csv"]), format="csv")
    result = evaluate.prequential(OLSF(), reader, block=50)
    assert result.rounds == reader.rows_read == 300
