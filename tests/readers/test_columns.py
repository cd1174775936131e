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
        ({"ignore": ["aeg"]}, r"argument 'ignore': .* no column 'aeg' \(did you mean 'age'\?\)"),
        (
            {"ignore": ["age", "colour"]},
            r"argument 'ignore': .* no column 'colour': 'age', 'pet', 'zip'",
        ),
        ({"categorical": ["zpi"]}, r"argument 'categorical': .* \(did you mean 'zip'\?\)"),
        ({"label": "lable"}, r"no column 'lable' \(did you mean 'label'\?\).*argument 'label'"),
        ({"label": "lable", "labelled": False}, r"did you mean 'label'"),
        ({"label": "bought"}, r"no column 'bought'; say which"),
    ],
)
def test_a_mistyped_column_is_named_with_near_matches(options, told):
    with pytest.raises(InputError, match=told):
        rows(**options)


def test_rows_to_predict_need_no_label():
    assert len(rows(label="bought", labelled=False)[0]) == 2


def test_of_several_files_some_may_lack_a_column():
    other = io.BytesIO(b"age,colour,label\n1,red,no\n")
    reader = read([io.BytesIO(TABLE), other], format="csv", ignore=["colour"])
    names = {name for block in reader.blocks() for row in block.dicts() for name in row}
    assert names == {"age", "pet=cat", "pet=dog", "zip"}
    with pytest.raises(InputError, match="did you mean 'colour'"):
        list(read([other, io.BytesIO(TABLE)], format="csv", ignore=["color"]).blocks())


def test_a_mistyped_column_of_parquet_is_named():
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pa.table({"age": [1, 2], "label": [0, 1]}), file)
    with pytest.raises(InputError, match="did you mean 'age'"):
        list(read(file, format="parquet", ignore=["agee"]).blocks())


def test_a_text_among_numbers_names_the_options():
    data = io.BytesIO(b"age,label\n1,0\n2,1\nn/a,1\n")
    with pytest.raises(InputError, match="argument 'null' if this text means unobserved"):
        list(read(data, format="csv").blocks())
