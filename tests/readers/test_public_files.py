"""Files in the manner of well-known public ones are learned, told the label and nothing else."""

import io
import json
import re

import pytest

from braided import DataWarning
from braided.cli import main
from braided.errors import InputError
from braided.readers.formats import format_by_content
from braided.readers.reader import read
from tests.support.both_readers import found
from tests.support.public_files import FILES, FOREIGN, N


@pytest.mark.filterwarnings("ignore::braided.DataWarning")
@pytest.mark.parametrize("name", FILES)
def test_fields_and_labels_are_what_a_person_sees(name, tmp_path):
    path = tmp_path / FILES[name].name
    path.write_bytes(FILES[name].data)
    reader = read(path, label=FILES[name].label)
    rows = reader.rows()
    assert abs(len(rows) - N) <= N // 20
    assert sorted(set(rows.labels.tolist())) == list(FILES[name].labels)
    decided = reader.schema.copy()
    decided.adopt(rows.schema)
    kinds = {field: decided.kind(field) for field in reader.observed.every_field}
    assert {field: kind for field, kind in kinds.items() if kind != "ignore"} == FILES[name].kinds


@pytest.mark.parametrize("name", FILES)
def test_the_command_learns_and_says_little(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BRAIDED_QUIET", "1")
    path = tmp_path / FILES[name].name
    path.write_bytes(FILES[name].data)
    assert main(["evaluate", str(path), "--label", FILES[name].label, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["error_rate_mean"] < 0.3  # of the majority class: 0.43
    assert err.count("\n") <= FILES[name].warnings


@pytest.mark.parametrize("name", FILES)
def test_compiled_code_reads_them_as_the_plain_reader(name):
    data, label = FILES[name].data, FILES[name].label
    if FILES[name].name.endswith((".gz", ".bz2", ".xz", ".zip")):
        pytest.skip("what is packed is read as what is in it")
    if format_by_content(data).name != "csv":
        pytest.skip("not a CSV file")
    for size in (7, 1024):
        fast, plain = (found(data, size, fast=fast, label=label, format="csv") for fast in (1, 0))
        assert fast == plain


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_named_and_told_what_to_do_with(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BRAIDED_QUIET", "1")
    file, data, told = FOREIGN[name]
    path = tmp_path / file
    path.write_bytes(data)
    assert main(["evaluate", str(path), "--label", "sick"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"error: .*{re.escape(file)}.*{told}.*\n", err)


@pytest.mark.parametrize("first", ["orchid", "ORCHID", "rar", "Objects", "xml", "html", "matlab"])
def test_names_of_columns_are_not_taken_for_another_format(first):
    rows = f"{first},note,label\n".encode() + b"1,custard\tand ustar,a\n2,x,b\n" * 20
    assert len(read(io.BytesIO(rows), label="label").rows()) == 40


def test_real_orc_is_named(tmp_path):
    orc = pytest.importorskip("pyarrow.orc")
    path = tmp_path / "a.orc"
    orc.write_table(pytest.importorskip("pyarrow").table({"a": [1, 2], "label": ["x", "y"]}), path)
    with pytest.raises(InputError, match="is ORC: in Python, pandas"):
        read(path).rows()


def test_longer_lines_are_left_out_of_what_is_learned_and_of_nothing_else():
    data = b"age,pet,label\n" + b"31,cat,yes\n" * 5 + b"31,cat,or,dog,yes\n" + b"5,dog,no\n" * 5
    reader = read(io.BytesIO(data))
    with pytest.warns(DataWarning, match="1 lines with more fields than the header"):
        assert len(reader.rows()) == 10
    assert reader.long == 1
    for options in ({"strict": True}, {"labelled": False}):
        with pytest.raises(InputError, match="line 7: 5 fields; the header has 3"):
            read(io.BytesIO(data), **options).rows()
    skipping = read(io.BytesIO(data), on_error="skip")
    assert (len(skipping.rows()), skipping.skipped, skipping.long) == (10, 1, 0)
    with pytest.raises(InputError, match="line 2: 4 fields; the header has 2"):
        read(io.BytesIO(b"a,label\n1,2,3,4\n1,2,3,5\n")).rows()


def test_a_backslash_before_a_quote_may_be_the_end_of_a_path():
    data = b'path,label\n"C:\\dir\\",1\n"D:\\dir\\",0\n'
    rows = read(io.BytesIO(data), category="path").rows()
    assert list(rows.dicts()) == [{"path=C:\\dir\\": 1.0}, {"path=D:\\dir\\": 1.0}]


@pytest.mark.parametrize("name", [name for name in FILES if "JSON" in name])
def test_compiled_code_reads_json_as_the_plain_reader(name, tmp_path):
    file, data, label, *_ = FILES[name]
    path = tmp_path / file
    path.write_bytes(data)
    plain = read(path, format="jsonl", label=label).rows()  # it is small
    compiled = read(io.BytesIO(data), format="jsonl", label=label).rows()
    assert list(compiled.dicts()) == list(plain.dicts())
    assert compiled.labels.tolist() == plain.labels.tolist()


@pytest.mark.parametrize("ending", [",", " ,", ",\r"])
def test_commas_between_lines_of_json(ending):
    data = f'{{"a": 1, "label": 1}}{ending}\n{{"a": 2, "label": 0}}\n'.encode()
    assert [*read(io.BytesIO(data), format="jsonl").rows().dicts()] == [{"a": 1.0}, {"a": 2.0}]
    with pytest.raises(InputError, match="line 1: not JSON"):
        read(io.BytesIO(data), format="jsonl", strict=True).rows()
    with pytest.raises(InputError, match="line 1: not JSON"):
        read(io.BytesIO(b'{"a": 1, "label": 1},,\n'), format="jsonl").rows()
