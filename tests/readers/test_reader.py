"""Readers: several files, where a pass goes on, compressed files, and bad lines."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys

import pytest

from braided import InputError
from braided.streams import read


def rows_of(text, kind, size=1024, skip=0, **options):
    data = text.encode() if isinstance(text, str) else text
    reader = read(io.BytesIO(data), format=kind, **options)
    found = []
    for rows in reader.blocks(size, skip=skip):
        found += zip(rows.dicts(), rows.labels.tolist(), strict=True)
    return found


SVM = "".join(f"{(-1) ** i} {i}:{i / 7!r}\n" for i in range(1, 200))


@pytest.mark.parametrize("size", [1, 3, 50, 198, 5000])
def test_blocks_can_start_after_any_row(size):
    everything = rows_of(SVM, "svmlight")
    for skip in (0, 1, 49, 50, 198, 199):
        assert rows_of(SVM, "svmlight", size, skip) == everything[skip:]
    with pytest.raises(InputError, match=r"skip=200, but .* has only 199 rows"):
        rows_of(SVM, "svmlight", size, 200)


def test_bad_lines_do_not_count_as_rows_that_are_skipped_over():
    text = "age,label\n1,a\n2,a,more\n3,b\n4,a\n"
    assert rows_of(text, "csv", skip=2, on_error="skip") == [({"age": 4.0}, "a")]


def test_columns_differ_from_file_to_file(tmp_path):
    (tmp_path / "a.csv").write_text("age,pet,label\n31,cat,1\n")
    (tmp_path / "b.csv").write_text("label,height,age\n0,1.8,40\n")
    (tmp_path / "c.jsonl").write_text('{"pet": "dog", "label": 1}\n')
    reader = read([tmp_path / "a.csv", tmp_path / "b.csv", str(tmp_path / "c.jsonl")])
    expected = [{"age": 31.0, "pet=cat": 1.0}, {"height": 1.8, "age": 40.0}, {"pet=dog": 1.0}]
    for _ in range(2):  # each pass reads the files anew
        (rows,) = reader.blocks(10)
        assert list(rows.dicts()) == expected
        assert rows.labels.tolist() == [1, 0, 1]
    assert reader.rows_read == 3
    assert list(reader.rows().dicts()) == expected


@pytest.mark.parametrize(
    ("end", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_compressed_files_are_read(tmp_path, monkeypatch, kind, end, pack):
    text = b"a,label\n1,x\n" if kind == "csv" else b'{"a": 1, "label": "x"}\n'
    path = tmp_path / f"rows.{kind}{end}"
    path.write_bytes(pack(text))
    assert list(read(path).rows().dicts()) == [{"a": 1.0}]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(pack(text)))))
    reader = read("-", format=kind)
    assert len(reader.rows()) == 1
    with pytest.raises(InputError, match="only once"):
        reader.rows()
    path.write_bytes(pack(text * 1000)[:-9])
    with pytest.raises(InputError, match=f"is not a whole {end[1:]} file"):
        read(path).rows()


def test_zstd_files_are_read(tmp_path):
    zstd = pytest.importorskip(
        "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    )
    path = tmp_path / "rows.svm.zst"
    path.write_bytes(zstd.compress(SVM.encode()))
    assert len(read(path).rows()) == 199
    path.write_bytes(zstd.compress(SVM.encode())[:-9])
    with pytest.raises(InputError, match="is not a whole zst file"):
        read(path).rows()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,label\n1,x\n", ({"a": 1.0}, "x")),
        ("a;label\n1;x\n", ({"a": 1.0}, "x")),
        ('{"a": 1, "label": "x"}\n', ({"a": 1.0}, "x")),
        ("1 3:0.5\n", ({3: 0.5}, 1)),
        ("1 |u a:0.5\n", ({"u^a": 0.5}, 1)),
    ],
)
def test_without_a_suffix_the_content_tells_the_format(monkeypatch, tmp_path, text, expected):
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    )
    path = tmp_path / "rows"
    path.write_text(text)
    for source in ("-", path, io.BytesIO(text.encode())):
        rows = read(source).rows()
        assert (next(rows.dicts()), rows.labels.tolist()) == (expected[0], [expected[1]])


BAD = [
    ("svmlight", "1 1:2\n1 1:x\n0 2:1\n", 2, "'1:x'"),
    ("csv", "a,label\n1,x\n1,x,9\n", 3, "3 fields; the header has 2"),
    ("tsv", "a\tlabel\n1\tx\n1\tx\t9\n", 3, "3 fields; the header has 2"),
    ("jsonl", '{"a": 1, "label": 1}\n{"a": 1, "label": 1\n', 2, "not JSON"),
    ("jsonl", '{"a": 1, "label": 1}\n\n{"a": 1e400, "label": 1}\n', 3, "feature 'a': inf"),
    ("jsonl", '{"label": 1}\n{"a": [1, 1e400], "label": 1}\n', 2, "feature 'a': inf is not"),
    ("jsonl", '{"label": 1}\n{"a": 1, "a": 2, "label": 1}\n', 2, "field 'a' is there twice"),
    ("jsonl", '{"label": 1}\n{"a\\ud800": 1, "label": 1}\n', 2, "not valid text"),
    ("jsonl", '{"label": 1}\n' + "[" * 9999 + "\n", 2, "nested too deeply"),
    ("jsonl", '{"label": 1}\n[1]\n', 2, "'[1]' is not an object"),
    ("vw", "1 | a\n1 | a:x\n", 2, "the value in 'a:x' is 'x', not a finite number"),
    ("vw", "1 | a\n1 -2.0 | a\n", 2, "the importance '-2.0' is not from 0 to"),
    ("vw", "1 | a\n1 1 0.5 | a\n", 2, "only a label and an importance are allowed"),
    ("vw", "1 | a\n1 a\n", 2, "the line has no |"),
]
STRICT = [
    ("csv", "a,b,label\n1,2,x\n1,2,x\n1,z,x\n", 4, "feature 'b': 'z' is not a number"),
    ("csv", "a,b,label\n1,2,x\n1,2\n", 3, "2 fields; the header has 3"),
    ("csv", "a,label\n1,x\n2,x\ninf,x\n", 4, "feature 'a': 'inf' is not a number"),
    ("csv", 'a,label\n1,x\n"1"2,x\n', 3, "',' expected after '\"'"),
    ("tsv", "a\tlabel\n1\tx\n2\tx\n1e101\tx\n", 4, "feature 'a': '1e101' is not a number"),
    ("jsonl", '{"a": 1, "label": 1}\n{"a": [1], "label": 1}\n', 2, "feature 'a': a list is not"),
]


@pytest.mark.parametrize(
    ("kind", "text", "line", "why", "options"),
    [*((*bad, {}) for bad in BAD), *((*bad, {"strict": True}) for bad in STRICT)],
)
def test_a_fault_names_file_line_field_and_value(kind, text, line, why, options, tmp_path):
    path = tmp_path / "rows"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read(path, format=kind, **options).rows()
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert why in str(error.value)
    quarantine = tmp_path / "bad.jsonl"
    reader = read(path, format=kind, on_error="quarantine", quarantine=quarantine, **options)
    for _ in range(2):
        assert len(reader.rows()) == reader.rows_read > 0
        assert reader.skipped == 1
        (told,) = map(json.loads, quarantine.read_text().splitlines())
        assert (told["file"], told["line"]) == (str(path), line)
        assert why in told["reason"]
        assert told["text"] == text.split("\n")[line - 1]


@pytest.mark.parametrize(
    ("kind", "text", "features"),
    [
        ("csv", "a,b,label\n1,2,x\n1,2,x\n1,z,x\n", {"a": 1.0, "b=z": 1.0}),
        ("csv", "b,label,a\n1,x,2\n1,x\n", {"b": 1.0}),
        ("csv", "a,label\n1,x\n2,x\ninf,x\n", {"a=inf": 1.0}),
        ("csv", 'a,label\n1,x\n2,x\n"1"2,x\n', {'a="1"2': 1.0}),
        ("tsv", "a\tlabel\n1\tx\n2\tx\n1e101\tx\n", {"a=1e101": 1.0}),
        ("jsonl", '{"a": 1, "label": "x"}\n{"a": [1], "label": "x"}\n', {"a.0": 1.0}),
        ("jsonl", '{"label": "x"}\n{"a": [1, "z"], "label": "x"}\n', {"a=1": 1.0, "a=z": 1.0}),
    ],
)
def test_what_is_a_fault_only_if_files_are_read_strictly(kind, text, features):
    assert rows_of(text, kind)[-1] == (features, "x")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("csv", "a,label\n1,1\n2,\n3,NA\n4,0\n"),
        ("jsonl", '{"a":1,"label":1}\n{"a":2}\n{"a":3,"label":null}\n{"a":4,"label":0}\n'),
        ("vw", "1 | a:1\n| a:2\n | a:3\n0 | a:4\n"),
    ],
)
def test_rows_without_a_label_are_left_out_and_counted(kind, text):
    reader = read(io.BytesIO(text.encode()), format=kind)
    for size in (1, 3, 1024):
        found = [row for rows in reader.blocks(size) for row in rows.dicts()]
        assert found == [{"a": 1.0}, {"a": 4.0}]
        assert (reader.rows_read, reader.unlabelled, reader.skipped) == (2, 2, 0)
    labels = [label for _, label in rows_of(text, kind, keep_unlabelled=True)]
    assert labels == [1, None, None, 0]
    nothing = {"csv": "a,label\n1,\n", "jsonl": '{"a": 1}\n', "vw": "| a:1\n"}[kind]
    with pytest.raises(InputError, match=r"holds no rows with a label \(field 'label'\)"):
        rows_of(nothing, kind)


def test_the_importance_of_a_line_is_the_weight_of_its_row():
    reader = read(io.BytesIO(b"1 2.5 | a\n0 | b\n1 0 'tag | c\n"), format="vw")
    assert reader.rows().weights.tolist() == [2.5, 1.0, 0.0]
    assert read(io.BytesIO(b"1 | a\n"), format="vw").rows().weights is None


def test_bytes_that_are_no_text_can_be_had_back_from_quarantine(tmp_path):
    line = b'{"a": "caf\xe9", "label": 1}'
    quarantine = tmp_path / "bad.jsonl"
    assert rows_of(
        b'{"label": 1}\n' + line, "jsonl", on_error="quarantine", quarantine=quarantine
    ) == [({}, 1)]
    told = json.loads(quarantine.read_text())
    assert told["text"].encode(errors="surrogateescape") == line


@pytest.mark.parametrize("kind", ["svmlight", "csv", "jsonl", "vw"])
def test_lines_that_are_too_long_are_bad_lines(kind):
    good = {"svmlight": "1 1:1", "csv": "1,2", "jsonl": '{"label": 1}', "vw": "1 | a"}[kind]
    header = "a,label\n" if kind == "csv" else ""
    long = "9" * 3_000_000
    for text in (f"{header}{good}\n{long}\n{good}\n", f"{header}{good}\n{good}\n{long}"):
        for limit in (50, 1_000_000):
            assert len(rows_of(text, kind, on_error="skip", max_line_bytes=limit)) == 2
            with pytest.raises(InputError, match=f"longer than {limit} bytes"):
                rows_of(text, kind, max_line_bytes=limit)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("svmlight", "1 1:1 2:1 3:1"),
        ("jsonl", '{"a": 1, "b": 2, "c": 3, "label": 1}'),
        ("vw", "1 | a b c"),
    ],
)
def test_rows_with_too_many_features_are_bad_lines(kind, line):
    assert len(rows_of(line, kind, max_features=3)) == 1
    with pytest.raises(InputError, match="3 features; a row has at most 2"):
        rows_of(line, kind, max_features=2)


def test_an_index_far_away_takes_no_room():
    text = "1 5:1 2147483647:2\n0 7:1\n"
    assert rows_of(text, "svmlight") == [({5: 1.0, 2147483647: 2.0}, 1), ({7: 1.0}, 0)]


def test_how_a_column_of_texts_is_decided():
    text = "zip,ok,when,label\n123,true,gone,yes\n99,False,,no\n7,NA,3,yes\n"
    assert rows_of(text, "csv", category=["zip"], null=["gone"]) == [
        ({"zip=123": 1.0, "ok": 1.0}, "yes"),
        ({"zip=99": 1.0, "ok": 0.0}, "no"),
        ({"zip=7": 1.0, "when": 3.0}, "yes"),
    ]
    assert rows_of(text, "csv", ignore=["zip", "when", "label"], label="ok", on_error="skip") == [
        ({}, True),
        ({}, False),
    ]


def test_rows_without_a_label():
    assert rows_of('{"a": 1}\n', "jsonl", labelled=False) == [({"a": 1.0}, None)]
    assert rows_of("a\n1\n", "csv", labelled=False) == [({"a": 1.0}, None)]
    with pytest.raises(InputError, match="has no column 'label'; say which"):
        rows_of("a\n1\n", "csv")


def test_options_that_do_not_fit_are_refused():
    for options in ({"label": "y"}, {"category": "zip"}, {"ignore": ["a"]}):
        (name,) = options
        with pytest.raises(InputError, match=f"argument '{name}': not for the format svmlight"):
            read("a.svm", **options)
    for options in ({"separator": ";"}, {"header": False}, {"columns": ["a", "label"]}):
        with pytest.raises(InputError, match="'columns' are not for the format jsonl"):
            read("a.jsonl", **options)
    with pytest.raises(InputError, match="'categorical': not all of these are arguments"):
        read("a.csv", categorical=["a"])
    with pytest.raises(InputError, match="belong together"):
        read("a.svm", on_error="quarantine")
    with pytest.raises(InputError, match="on_error"):
        read("a.svm", on_error="ignore")


def test_parquet_with_structs_and_lists_is_as_json(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"user": {"age": 31, "pet": "cat"}, "words": ["a", "a"], "label": 1},
        {"user": {"age": None, "pet": None}, "words": None, "label": 0},
    ]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "rows.parquet")
    text = "".join(json.dumps(row) + "\n" for row in rows)
    found = read(tmp_path / "rows.parquet").rows()
    assert list(zip(found.dicts(), found.labels.tolist(), strict=True)) == rows_of(text, "jsonl")
