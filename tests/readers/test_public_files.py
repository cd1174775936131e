"""Files in the manner of well-known public ones are learned, told the label and nothing else."""

import json

import pytest

from braided.cli import main
from braided.readers.formats import format_by_content
from braided.readers.reader import read
from tests.support.both_readers import found
from tests.support.public_files import FILES, N


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
