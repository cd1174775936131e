"""Files as people have them: any encoding, separator and header; and six real ones."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from braided import Braid, DataWarning, InputError
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
        TABLE.replace("cat", ' "cat" ').encode(),
        ("sep=;\r\n" + TABLE.replace(",", ";").replace("\n", "\r\n")).encode(),
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
        "padded-quotes",
        "Excel",
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


def test_a_quote_that_encloses_no_whole_field_swallows_no_lines():
    data = b'label\tnote\nham\t"ok then\nspam\t"win" a prize\nham\t"two\nlines" \nspam\twin "now"\n'
    data += b'ham\t"the end'
    counts = [sorted(x) for x, _ in found(data, format="tsv", text="note")]
    assert counts == [
        ["note:ok", "note:then"],
        ["note:a", "note:prize", "note:win"],
        ["note:lines", "note:two"],
        ["note:now", "note:win"],
        ["note:end", "note:the"],
    ]
    reader = read(io.BytesIO(data), format="tsv", text="note", on_error="skip", strict=True)
    assert len(reader.rows()) < 5
    assert reader.skipped > 0


@given(st.lists(st.lists(st.text('xy," \n'), min_size=3, max_size=3), min_size=1, max_size=4))
def test_fields_are_those_of_python_where_quotes_are_in_order(table):
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([["a", "b", "c"], *table])
    python = csv.reader(io.StringIO(file.getvalue()), skipinitialspace=True)
    expected = [
        {
            f"{name}={cell.strip()}": 1.0
            for name, cell in zip("abc", row, strict=True)
            if cell.strip()
        }
        for row in [*python][1:]
    ]
    reader = read(
        io.BytesIO(file.getvalue().encode()), format="csv", labelled=False, category=["a", "b", "c"]
    )
    assert [*reader.rows().dicts()] == expected


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


@pytest.mark.parametrize("text", ["", "NULL", "null", "NA", "N/A", "nan", "None", "?", r"\N"])
def test_missing_fields_and_labels(text):
    reader = read(io.BytesIO(f"a,b,label\n1,{text},1\n{text},x,0\n2,y,{text}\n".encode()))
    rows = reader.rows()
    assert [*rows.dicts()] == [{"a": 1.0}, {"b=x": 1.0}]
    assert (rows.labels.tolist(), reader.unlabelled) == ([1, 0], 1)


def test_minus_is_a_label_and_no_value():
    data = b"a,label\n1,+\n-,-\n"
    rows = read(io.BytesIO(data)).rows()
    assert list(zip(rows.dicts(), rows.labels.tolist(), strict=True)) == [
        ({"a": 1.0}, "+"),
        ({}, "-"),
    ]
    assert read(io.BytesIO(data), null="-").rows().labels.tolist() == ["+"]


def test_labels_by_number_or_in_other_capitals_are_known_again_by_a_model():
    data = b"age,pet,Sick\n31,cat,yes\n5,dog,no\n"
    for label in ("3", "sick", "SICK"):
        with pytest.warns(DataWarning, match=f"no column '{label}': .*'Sick'.* is taken"):
            model = Braid().partial_fit(read(io.BytesIO(data), label=label).rows())
        assert sorted(model.schema.kinds) == ["pet"]
        for more in (b"age,pet\n31,cat\n", b"id,age,pet\n7,31,cat\n", b"age,id,pet\n31,7,cat\n"):
            rows = read(io.BytesIO(more), schema=model.schema, labelled=False).rows()
            assert {"age": 31.0, "pet=cat": 1.0}.items() <= next(iter(rows.dicts())).items()
    with pytest.raises(InputError, match="no column 'sick'"):
        read(io.BytesIO(data), label="sick", strict=True).rows()


def test_a_label_by_number_tells_that_there_is_no_header():
    data = b"a title\n31,cat,yes\n5,dog,no\n"
    for some in (data, data[8:]):
        rows = read(io.BytesIO(some), label="3", header=False).rows()
        assert list(rows.dicts()) == [{"1": 31.0, "2=cat": 1.0}, {"1": 5.0, "2=dog": 1.0}]
        again = read(io.BytesIO(some), label="3").rows()
        assert list(again.dicts()) == list(rows.dicts())
    numbers = b",0,1,2\n0,3,4,1\n1,5,6,0\n"  # how pandas writes columns that have only numbers
    assert list(found(numbers, label="2")) == [
        ({"column 1": 0.0, "0": 3.0, "1": 4.0}, 1),
        ({"column 1": 1.0, "0": 5.0, "1": 6.0}, 0),
    ]


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


@pytest.mark.parametrize(
    "before",
    [
        "Report of May\n",
        "Report;of;\n\n",
        "# made by x, y\n# unit: mm\n#\n",
        "Report,,,\n,,,\n",
    ],
)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_lines_before_the_names_are_left_out(before, separator):
    data = (before.replace(",", separator) + TABLE.replace(",", separator)).encode()
    assert found(data) == ROWS
    with pytest.raises(InputError, match="no column"):
        found(data, strict=True)


def test_what_comes_before_the_names_is_told_and_known_again_without_a_label():
    reader = read(io.BytesIO(b"Report\n1 May\n\n" + TABLE.encode()))
    with pytest.warns(DataWarning, match="2 lines before the names of the columns were left out"):
        rows = reader.rows()
    model = Braid().partial_fit(rows)
    data = b"Report\n\nage,pet,note\n31,cat,a big dog\n"
    again = read(io.BytesIO(data), schema=model.schema, labelled=False, keep_unlabelled=True)
    assert list(again.rows().dicts()) == [ROWS[0][0]]


def test_a_cell_that_says_the_name_of_the_label_is_no_header():
    with pytest.raises(InputError, match="no column 'cat'"):
        found(TABLE.encode(), label="cat")


@pytest.mark.parametrize("text", ["1 2 yes\n3 4 no\n", "  1   2 yes \n 3.0 4 no\n"])
def test_white_space_separates_where_nothing_else_does(text):
    assert found(text.encode(), label="3", header=False) == [
        ({"1": 1.0, "2": 2.0}, "yes"),
        ({"1": 3.0, "2": 4.0}, "no"),
    ]


def test_a_single_column_of_texts_is_not_cut():
    data = b"my note\na big dog\nno\n"
    rows = read(io.BytesIO(data), labelled=False, keep_unlabelled=True, format="csv").rows()
    assert next(iter(rows.dicts())) == {"my note=a big dog": 1.0}


def test_lines_that_end_with_a_return_alone():
    assert found(TABLE.replace("\n", "\r").encode()) == ROWS


def test_the_only_file_of_a_zip_archive(tmp_path):
    path = tmp_path / "rows.csv.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/rows.csv", TABLE)
        archive.writestr("__MACOSX/data/._rows.csv", "x")
    rows = read(path).rows()
    assert list(zip(rows.dicts(), rows.labels.tolist(), strict=True)) == ROWS
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", TABLE)
    with pytest.raises(InputError, match=r"holds 2 files, not one \(data/rows.csv, more.csv\)"):
        read(path).rows()
    path.write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(InputError, match="not a whole zip file"):
        read(path).rows()


def test_a_list_on_one_line_may_be_longer_than_a_line():
    data = json.dumps([{"a": i, "t": "é" * 50, "label": i % 2} for i in range(5000)]).encode()
    rows = read(io.BytesIO(data), format="jsonl", max_line_bytes=1000).rows()
    assert len(rows) == 5000
    with pytest.raises(InputError, match="object 1: the line is longer than 100 bytes"):
        read(io.BytesIO(data), format="jsonl", max_line_bytes=100).rows()
    with pytest.raises(InputError, match="object 5000: not JSON"):
        read(io.BytesIO(data[:-20]), format="jsonl").rows()


def test_a_class_that_is_called_none_is_told():
    data = b"a,label\n1,None\n2,big\n3,None\n4,\n"
    with pytest.warns(DataWarning, match="2 labels are 'None', which means missing"):
        assert len(read(io.BytesIO(data)).rows()) == 1


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


def test_the_header_of_each_joined_file_is_left_out(tmp_path):
    day = "x,town,label\n" + "1,a,yes\n-1,b,no\n" * 40_000
    for name, text in {"small": day[: day.index("no") + 3], "large": day}.items():
        (tmp_path / f"{name}.csv").write_text(text)
        (tmp_path / f"{name}-joined.csv").write_text(text * 3)
        one = read(tmp_path / f"{name}.csv").rows()
        reader = read(tmp_path / f"{name}-joined.csv")
        with pytest.warns(DataWarning, match="2 lines that repeat the names"):
            joined = reader.rows()
        assert list(joined.dicts()) == [x for _ in range(3) for x in one.dicts()]
        assert reader.repeated == 2


def test_without_a_header_every_line_is_a_row(tmp_path):
    (tmp_path / "rows.csv").write_text("1,2\n1,2\n1,2\n")
    rows = read(tmp_path / "rows.csv", header=False, label="2").rows()
    assert len(rows) == 3


def test_comments_between_rows_are_left_out_if_there_are_some_before(tmp_path):
    lines = [f"{x},town {x % 3},{'yes' if x % 2 else 'no'}" for x in range(50_000)]
    lines[12345:12345] = ['# a "note, and more']
    text = "x,town,label\n" + "\n".join(lines) + "\n"
    (tmp_path / "commented.csv").write_text("# from somewhere\n" + text)
    reader = read(tmp_path / "commented.csv")
    with pytest.warns(DataWarning, match="1 lines that repeat"):
        assert len(reader.rows()) == 50_000
    (tmp_path / "other.csv").write_text(text.replace("town 0", "#1"))
    other = read(tmp_path / "other.csv")
    with pytest.warns(DataWarning, match="fewer fields"):
        assert len(other.rows()) == 50_000
    assert (other.unlabelled, other.repeated) == (1, 0)


def test_what_fuzzing_found(tmp_path):
    odd_name = b"age,\0pet,label\n31,7,1\n5,8,0\n"
    assert next(iter(read(io.BytesIO(odd_name), format="csv").rows().dicts()))["\0pet"] == 7.0
    long_title = b"x" * 500 + b"\nage,pet,label\n31,cat,1\n5,dog,0\n"
    with pytest.warns(DataWarning, match="before the names"):
        rows = read(io.BytesIO(long_title), format="csv", max_line_bytes=400).rows()
    assert len(rows) == 2


def test_dates_with_points_among_dates_with_slashes():
    texts = ["03/22/2024", "17.08.2024", "2024-02-03", "12/31/2024", "01/02/2024"]
    model = Braid().partial_fit([{"when": t} for t in texts * 20], [0, 1] * 50)
    assert not model.explain({"when": "17.08.2024"}).keys() & {"when=17.08.2024"}


@pytest.mark.parametrize("count", [3, 20_000])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_list_of_objects_in_a_field_of_an_object(tmp_path, count, indent):
    objects = [{"x": x, "of": [{"p": x}], "label": x % 2} for x in range(count)]
    whole = {"status": "ok, ü", "n": count, "page": {"next": 2}, "data": objects, "more": True}
    (tmp_path / "answer.json").write_text(json.dumps(whole, indent=indent, ensure_ascii=False))
    rows = read(tmp_path / "answer.json").rows()
    assert rows.labels.tolist() == [x % 2 for x in range(count)]
    assert next(iter(rows.dicts())) == {"x": 0.0, "of.p": 0.0}
    # A row with such a list is a row.
    (tmp_path / "row.json").write_text(json.dumps(objects[1], indent=indent))
    assert list(read(tmp_path / "row.json").rows().dicts()) == [{"x": 1.0, "of.p": 1.0}]
    (tmp_path / "rows.jsonl").write_text(
        "".join(json.dumps({"of": [{"p": 1}], "label": 1}) + "\n" * 2)
    )
    assert len(read(tmp_path / "rows.jsonl").rows()) == 1
