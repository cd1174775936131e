"""Wrong and strange input through every door: a sensible reading, or one line that says what to do.

Never another exception than InputError, and a model that refused something is as it was before.
"""

from __future__ import annotations

import io
import math
from datetime import datetime
from types import SimpleNamespace

import numpy as np
import pytest

from braided import OLSF, InputError
from braided.streams import read
from tests.records.every_door import file_of

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

DEEP: dict = {"a": 1}
for _ in range(2000):
    DEEP = {"a": DEEP}
LOOP: list = []
LOOP.append(LOOP)


DICTS = [
    {"a": math.inf}, {"a": b"bytes"}, {"a": object()}, {"a": 10**400}, {"a": "\ud800"}, DEEP,
    {"a": LOOP}, {math.nan: 1}, {"a": {"b": 1}, "a.b": 2}, {None: 1, 3: "x", ("t",): True}, {},
    {"a": [[], [[]]]}, {"a": [1, [2, "x", {"y": 1}]]}, {"a": datetime.max}, {"a": datetime.min},
    {"": 1}, {"a": SimpleNamespace(b=1)}, {"a": 1j}, {"a": np.zeros((2, 2))},
    {"a": {1: {2: {"x"}}}}, {"a": float}, {"a": np.array(5)}, {"a": iter([1])}, {"a": "x" * 10**6},
]  # fmt: skip
LISTS = [
    [], [{}], [7], [None], [{"a": 1}, 7], "text", {"a": 1}, [[1, 2], {"a": 1}], [("a", 1)], 7, None,
    [{"a": 1}, None], [{"a": [1]}, {"a": "x"}, {"a": True}], ({"a": 1},), [{"a": 1},
    {"a": math.inf}],
    np.array([{"a": 1}], object), [{1: 1}, {"1": 1}], {"a", "b"}, b"bytes", [[]], [DEEP],
]  # fmt: skip
JSON = [
    b"", b"null", b"7", b'"x"', b"[]", b"[[1]]", b"{}", b'{"label": 1}', b'{"a": NaN, "label": 1}',
    b'{"a": 1e999, "label": 1}', b'{"a": 1, "a": 2, "label": 1}', b'{"a": "\\ud800", "label": 1}',
    b"{" * 5000, b'{"a": [' * 3000, b'{"a": 1, "label": [1]}', b'{"a": 1, "label": {"b": 1}}',
    b'{"a": 1 "label": 1}', b"\xff\xfe", b'{"a": "\xff", "label": 1}', b'[{"a": 1, "label": 1}',
    b'{"a": {"b": 1}, "a.b": 2, "label": 1}', b"{\n", b"[7, 8]", b'{"label": 1}{"label": 0}',
    b'{"a": ' + b"9" * 5000 + b', "label": 1}',
]  # fmt: skip
CSV = [
    b"", b"\n\n", b"label", b"label\n", b"a,b\n1,2\n", b"a,label\n1", b"a,label\n1,\n",
    b'"a,label\n1,1\n',
    b"a,label\n1,2,3\n", b"a,label\n\x00,1\n", b"label,label\n1,2\n", b"\xff\xfea", b",,,\n,,,\n",
    b"a,label\n1e999,1\n", b"a,label\ninf,1\n", b"a;b,label\n1;2,3\n", b"label\n1\n0\n",
    b"a,label\n" + b"[" * 3000 + b",1\n", b"\xef\xbb\xbf", b"a,label\n1,\xe4\n", b"a,label\r1,1\r",
    b'a,label\n"x"y,1\n', b"PK\x03\x04binary\x00\x01\x02", b"a,a=x,label\nx,1,1\n", b"la bel\n1\n",
]  # fmt: skip
SVMLIGHT = [
    b"", b"\n", b"#", b"x", b"1", b"1 1", b"1 1:", b"1 :1", b"1 1:nan", b"1 1:inf", b"1 -1:1",
    b"1 99999999999:1", b"nan 1:1", b"1 1:1 1:2", b"1 2:1 1:1", b"1 1:1e999", b"\xff 1:1",
    b"1,2 1:1",
    b"1 1:1\x00", b"1 qid:x 1:1",
]  # fmt: skip
VW = [
    b"", b"|", b"1", b"1 |", b"x | a", b"1 2 3 | a", b"1 -5 | a", b"1 | a:nan", b"1 | a:x",
    b"1 | :1",
    b"1 |n:inf a", b"1 | a:1e200", b"\xff | a", b"1 | a a a", b"nan | a", b"1 |a |b |c",
    b"| a:1e999",
    b"1 1e99 | a", b"1 'tag | a", b"1 | a:1e100 a:1e100",
]  # fmt: skip


def frame_columns():
    """Columns of every strange type, each alone."""
    return [
        [b"x"], [math.inf], [None], [[None]], [{"a": {"b": 1}}], [[{"x": 1}, {"x": 2}]], ["\x00"],
        [datetime(9999, 12, 31)], [[[1.0], [2.0]]], [[]], [{}], [10**18], [True, None], [1e200],
    ]  # fmt: skip


def tables():
    """Tables of Arrow, of all types that it has and we may not."""
    import decimal

    made = [pa.table({"a": column}) for column in frame_columns()]
    made += [
        pa.table({"a": pa.array([1], pa.decimal128(5, 2))}),
        pa.table({"a": pa.array([decimal.Decimal("1.5")])}),
        pa.table({"a": pa.array([5], pa.duration("s"))}),
        pa.table({"a": pa.array([5], pa.time32("s"))}),
        pa.table({"a": pa.array(["x", None]).dictionary_encode()}),
        pa.table({"a": pa.array([[("k", 1)]], pa.map_(pa.string(), pa.int64()))}),
        pa.table({"a": pa.nulls(2)}),
        pa.table({"a": pa.array([1.5], pa.float16())}),
        pa.table({"a": pa.array([b"xy"], pa.binary(2))}),
        pa.table({"a": pa.array([[1, 2]], pa.list_(pa.int8(), 2))}),
        pa.table({}),
        pa.table({"a": pa.array([], pa.int64())}),
        pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]),
        pa.table({"a": pa.array([2**63], pa.uint64())}),
        pa.table({"a": pa.array([10**9], pa.timestamp("s", "Europe/Berlin"))}),
        pa.table({"a": pa.array([2**62], pa.timestamp("s"))}),
    ]
    return made


def pandas_frames():
    made = [pd.DataFrame({"a": column}) for column in frame_columns()]
    return [
        *made,
        pd.DataFrame({"a": ["x", None]}, dtype="category"),
        pd.DataFrame({"a": [1j]}),
        pd.DataFrame({"a": [pd.Period("2020-01")]}),
        pd.DataFrame({"a": [pd.Interval(0, 1)]}),
        pd.DataFrame({"a": [pd.Timedelta("1s"), pd.NaT]}),
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])),
        pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0])}),
        pd.DataFrame(),
        pd.DataFrame({0: [1], "b": ["x"]}),
        pd.DataFrame({"a": [object()]}),
        pd.Series([1, 2]),
    ]


def polars_frames():
    made = [pl.from_arrow(table) for table in tables()[: len(frame_columns())]]
    return [
        *made,
        pl.DataFrame(),
        pl.DataFrame({"a": [1]}).lazy(),
        pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Categorical)}),
        pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum(["x"]))}),
        pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}),
        pl.DataFrame({"a": pl.Series([5], dtype=pl.Duration)}),
        pl.DataFrame({"a": pl.Series([5], dtype=pl.Time)}),
        pl.DataFrame({"a": pl.Series([[1, 2]], dtype=pl.Array(pl.Int8, 2))}),
    ]


def refusal(action):
    """What an InputError said, if there was one; no other error is caught."""
    try:
        action()
    except InputError as error:
        return str(error)
    return None


def answered(action):
    """It goes well, or is refused in one line."""
    said = refusal(action)
    assert said is None or 0 < len(said) < 1000
    assert said is None or "\n" not in said
    return said


def tried(model, action):
    """As ``answered``; if it is refused the model is as it was before."""
    before = file_of(model)
    if answered(action) is not None:
        assert file_of(model) == before


def known_model():
    return OLSF().partial_fit([{"a": 1.0, "b": "x"}, {"a": 2.0}], [0, 1])


def learns(X):
    """The input is learned and predicted, or refused and then changes nothing."""
    model, count = known_model(), len(X) if hasattr(X, "__len__") else 1
    tried(model, lambda: model.partial_fit(X, [0] * count))
    tried(model, lambda: model.predict(X))


@pytest.mark.parametrize("x", DICTS, ids=range(len(DICTS)))
def test_dicts(x):
    model = known_model()
    tried(model, lambda: model.predict_one(x))
    tried(model, lambda: model.learn_one(x, 1))
    learns([x])
    answered(lambda: OLSF().learn_one(x, 1))


@pytest.mark.parametrize("X", LISTS, ids=range(len(LISTS)))
def test_lists_of_dicts(X):
    learns(X)


@pytest.mark.parametrize("make", [pandas_frames, polars_frames, tables])
def test_frames(make):
    for frame in make():
        learns(frame)


@pytest.mark.parametrize(
    ("format", "files"),
    [("jsonl", JSON), ("csv", CSV), ("tsv", CSV), ("svmlight", SVMLIGHT), ("vw", VW)],
)
def test_files_of_text(format, files):
    for data in [*files, *(file + b"\n" for file in files)]:
        for options in ({"format": format}, {"format": format, "on_error": "skip"}, {}):
            answered(lambda d=data, o=options: OLSF().partial_fit(read(io.BytesIO(d), **o).rows()))


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_files_of_columns(format):
    from pyarrow import ArrowException, parquet

    for table in tables():
        if "label" not in table.column_names:
            table = table.append_column("label", pa.array([1] * len(table)))
        file = io.BytesIO()
        try:
            if format == "parquet":
                parquet.write_table(table, file)
            else:
                with pa.ipc.new_file(file, table.schema) as writer:
                    writer.write_table(table)
        except (ArrowException, ValueError):  # which the format can not hold
            continue
        for cut in (None, 20, -5):
            data = file.getvalue()[:cut]
            answered(lambda d=data: OLSF().partial_fit(read(io.BytesIO(d), format=format).rows()))
