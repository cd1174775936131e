"""Columns that the caller names and the file does not have."""

import io

import pytest

from braided import InputError
from braided.streams import read

TABLE = b"age,pet,zip,label\n31,cat,10115,yes\n,dog,20095,no\n"


def rows(**options):
    return list(read(io.BytesIO(TABLE), format="csv", **options).blocks())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"ignore": ["aeg"]},
            ["argument 'ignore': no row has a field 'aeg' (did you mean 'age'?)"],
        ),
        ({"ignore": ["age", "colour"]}, ["argument 'ignore': no row has a field 'colour'"]),
        (
            {"category": ["zpi"], "text": "utm_*"},
            [
                "argument 'category': no row has a field 'zpi' (did you mean 'zip'?)",
                "argument 'text': no row has a field 'utm_*'",
            ],
        ),
        ({"ignore": ["age", "p*"], "category": "zip"}, []),
    ],
)
def test_a_declared_column_that_no_row_has_is_named_with_near_matches(options, told):
    reader = read(io.BytesIO(TABLE), format="csv", **options)
    for _ in range(2):
        assert len(reader.rows()) == 2
        assert reader.never_seen() == told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"label": "lable"}, r"no column 'lable' \(did you mean 'label'\?\).*argument 'label'"),
        ({"label": "lable", "labelled": False}, r"did you mean 'label'"),
        ({"label": "bought"}, r"no column 'bought'; say which"),
    ],
)
def test_a_mistyped_label_is_named_with_near_matches(options, told):
    with pytest.raises(InputError, match=told):
        rows(**options)


def test_rows_to_predict_need_no_label():
    assert len(rows(label="bought", labelled=False)[0]) == 2


def test_of_several_files_some_may_lack_a_column():
    other = io.BytesIO(b"age,colour,label\n1,red,no\n")
    reader = read([io.BytesIO(TABLE), other], format="csv", ignore=["colour"])
    names = {name for block in reader.blocks() for row in block.dicts() for name in row}
    assert names == {"age", "pet=cat", "pet=dog", "zip"}
    assert reader.never_seen() == []
    reader = read([other, io.BytesIO(TABLE)], format="csv", ignore=["color"])
    assert len(reader.rows()) == 3
    (told,) = reader.never_seen()
    assert told.endswith("no row has a field 'color' (did you mean 'colour'?)")


def test_a_mistyped_column_of_parquet_is_named():
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pa.table({"age": [1, 2], "label": [0, 1]}), file)
    reader = read(file, format="parquet", ignore=["agee"])
    assert len(reader.rows()) == 2
    assert reader.never_seen() == [
        "argument 'ignore': no row has a field 'agee' (did you mean 'age'?)"
    ]


def test_a_text_among_numbers_is_counted_and_if_strict_refused():
    data = io.BytesIO(b"age,label\n1,0\n2,1\n3,0\nn/a,1\nold,1\nold,1\n")
    reader = read(data, format="csv")
    numbers = [{"age": 1.0}, {"age": 2.0}, {"age": 3.0}]
    assert list(reader.rows().dicts()) == [*numbers, {}, {"age=old": 1.0}, {"age=old": 1.0}]
    assert reader.observed.surprises == {"age": 2}
    with pytest.raises(InputError, match="argument 'null' tells which texts mean unobserved"):
        read(data, format="csv", strict=True).rows()
    assert len(read(data, format="csv", strict=True, null="old").rows()) == 6
