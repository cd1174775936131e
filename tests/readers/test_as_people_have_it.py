"""Files as people have them: any encoding, separator and header; and six real ones."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

from braided import Braid, InputError
from braided.compose import OneVsRest
from braided.streams import read

TABLE = "age,pet,note,label\n31,cat,a big dog,yes\n64,dog,no idea,no\n"
ROWS = [
    ({"age": 31.0, "note:a": 1.0, "note:big": 1.0, "note:dog": 1.0, "pet=cat": 1.0}, "yes"),
    ({"age": 64.0, "note:idea": 1.0, "note:no": 1.0, "pet=dog": 1.0}, "no"),
]


def found(data, **options):
    reader = read(io.BytesIO(data), **options)
    rows = reader.rows()
    return list(zip(rows.dicts(), rows.labels.tolist(), strict=True))


@pytest.mark.parametrize(
    "data",
    [
        TABLE.encode(),
        TABLE.encode("utf-8-sig"),
        TABLE.replace("\n", "\r\n").encode(),
        TABLE.encode("utf-16"),
        TABLE.encode("utf-16-le").join([b"\xff\xfe", b""]),
        TABLE.replace(",", ";").encode(),
        TABLE.replace(",", "\t").encode(),
        TABLE.replace(",", "|").encode(),
        TABLE.replace(",", ", ").encode(),
        TABLE.rstrip("\n").encode(),
        ("\n\n" + TABLE + "\n\n").encode(),
        TABLE.replace("cat", '"cat"').replace("a big dog", '"a big\ndog"').encode(),
        TABLE.replace("yes\n", "yes,,\n").encode(),
        TABLE.replace("31", " 31 ").replace("cat", "cat  ").encode(),
    ],
    ids=[
        "plain",
        "BOM",
        "CRLF",
        "UTF-16",
        "UTF-16-LE",
        "semicolons",
        "tabs",
        "pipes",
        "spaces",
        "no-newline",
        "blank-lines",
        "line-breaks",
        "trailing-commas",
        "padded",
    ],
)
def test_the_same_table_however_it_is_written(data):
    assert found(data, format="csv") == ROWS
    assert found(data) == ROWS  # its content tells that it is CSV


def test_latin_1_is_read_line_by_line():
    reader = read(io.BytesIO("pet,label\nKätzchen,1\nHündchen,0\n".encode("latin-1")), format="csv")
    assert [*reader.rows().dicts()] == [{"pet=Kätzchen": 1.0}, {"pet=Hündchen": 1.0}]
    assert reader.recoded == 2


def test_quotes_in_the_middle_and_long_fields():
    data = b'a,b,label\n5" pipe,"say ""hi""",1\nx,%s,0\n' % (b"word " * 50_000)
    (first, _), (second, _) = found(data, format="csv", category="a", text="b")
    assert first == {'a=5" pipe': 1.0, "b:say": 1.0, "b:hi": 1.0}
    assert second == {"a=x": 1.0, "b:word": 50_000.0}


def test_names_that_are_empty_or_there_twice():
    rows = found(b"a,a,,a,label\n1,2,3,4,1\n", format="csv")
    assert rows == [({"a": 1.0, "a.2": 2.0, "3": 3.0, "a.3": 4.0}, 1)]


def test_short_lines_are_filled_and_long_ones_refused():
    reader = read(io.BytesIO(b"label,a,b\n1,2\n0,1,5\n"), format="csv")
    assert [*reader.rows().dicts()] == [{"a": 2.0}, {"a": 1.0, "b": 5.0}]
    assert reader.short == 1
    with pytest.raises(InputError, match="line 2: 4 fields; the header has 3"):
        found(b"label,a,b\n1,2,3,4\n", format="csv")
    with pytest.raises(InputError, match="line 2: 2 fields; the header has 3"):
        found(b"label,a,b\n1,2\n", format="csv", strict=True)


def test_no_header():
    assert found(b"39, cat, yes\n50, dog, no\n", header=False, label="3") == [
        ({"1": 39.0, "2=cat": 1.0}, "yes"),
        ({"1": 50.0, "2=dog": 1.0}, "no"),
    ]
    assert found(b"39,cat,yes\n", columns=["age", "pet", "label"]) == [
        ({"age": 39.0, "pet=cat": 1.0}, "yes")
    ]
    with pytest.raises(InputError, match="3 fields; 2 columns are named"):
        found(b"39,cat,yes\n", columns=["age", "label"])
    with pytest.raises(InputError, match=r"no column 'label'.*header"):
        found(b"39,cat,yes\n50,dog,no\n")


@pytest.mark.parametrize("text", ["", "NULL", "null", "NA", "N/A", "nan", "None", "?", "-", r"\N"])
def test_missing_fields_and_labels(text):
    reader = read(io.BytesIO(f"a,b,label\n1,{text},1\n{text},x,0\n2,y,{text}\n".encode()))
    rows = reader.rows()
    assert [*rows.dicts()] == [{"a": 1.0}, {"b=x": 1.0}]
    assert (rows.labels.tolist(), reader.unlabelled) == ([1, 0], 1)


OBJECTS = [
    {"a": 1, "user": {"pet": "cat"}, "items": [{"n": 1}, {"n": 3}], "label": "yes"},
    {"a": None, "tags": ["x", "y"], "label": "no"},
]
OBJECT_ROWS = [
    ({"a": 1.0, "items.n": 2.0, "user.pet=cat": 1.0}, "yes"),
    ({"tags=x": 1.0, "tags=y": 1.0}, "no"),
]


@pytest.mark.parametrize(
    "text",
    [
        "".join(json.dumps(x) + "\n" for x in OBJECTS),
        json.dumps(OBJECTS),
        json.dumps(OBJECTS, indent=2),
        "\n".join(json.dumps(x, indent=2) for x in OBJECTS),
        "[" + ",\n".join(json.dumps(x) for x in OBJECTS) + "]\n",
        "".join(json.dumps(x) + "\r\n\r\n" for x in OBJECTS),
    ],
    ids=["lines", "array", "pretty array", "pretty objects", "array of lines", "CRLF"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_objects_however_they_are_written(text, encoding):
    assert found(text.encode(encoding), format="jsonl") == OBJECT_ROWS
    for size in (1, 2):
        reader = read(io.BytesIO(text.encode(encoding)), format="jsonl")
        assert sum(map(len, reader.blocks(size))) == 2


def test_the_content_tells_the_format_of_a_file_with_an_unknown_suffix(tmp_path):
    for text in (TABLE, json.dumps({"a": 1, "label": 1}), "1 3:0.5\n", "1 |user age:31\n"):
        path = tmp_path / "rows.unknown"
        path.write_text(text)
        assert len(read(path).rows()) >= 1


# --------------------------------------------------------------------------- six real files

RAW = Path(os.environ.get("BRAIDED_DATA", Path(__file__).parents[3] / "shared" / "data")) / "raw"
ADULT = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education_num",
    "marital",
    "occupation",
    "relationship",
    "race",
    "sex",
    "gain",
    "loss",
    "hours",
    "country",
    "label",
]
REAL = {
    "titanic.csv.gz": ({"label": "Survived", "ignore": "PassengerId"}, 0.10),
    "adult.data.gz": ({"columns": ADULT, "format": "csv"}, 0.06),
    "bank-additional.csv.gz": ({"label": "y"}, 0.005),
    "airbnb_boston_first1000.csv.gz": ({"label": "host_is_superhost"}, 0.05),
    "wikiticker_first15000.jsonl.gz": ({"label": "isRobot"}, 0.15),
    "github_events_30.jsonl.gz": ({"label": "type"}, None),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files_are_learned_better_than_the_majority_class(name):
    path = RAW / name
    if not path.exists():
        pytest.skip(f"{path} is not there (set BRAIDED_DATA)")
    options, margin = REAL[name]
    reader = read(path, **options)
    if margin is None:  # thirty rows of many types: they can be read and learned
        model = OneVsRest(Braid()).partial_fit(reader.rows())
        assert reader.rows_read == 30
        assert len(model.classes_) > 2
        return
    rows = reader.rows()
    rows = rows[np.random.default_rng(0).permutation(len(rows))]  # one file is sorted by label
    labels = rows.labels.tolist()
    majority = min(map(labels.count, set(labels))) / len(labels)
    model = Braid()
    positive = model.prequential(rows) > 0.0
    error = (np.where(positive, model.classes_[1], model.classes_[0]) != rows.labels).mean()
    print(f"error {error:.4f}, of the majority class {majority:.4f}")
    assert error < majority - margin
