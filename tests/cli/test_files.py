"""DATA in every format, and lines that can not be read."""

import io
import json
import sys

import pytest

CSV = "age,pet,id,label\n" + "".join(
    f"{i % 7},{'cat' if i % 2 else 'dog'},{i},{'yes' if i % 2 else 'no'}\n" for i in range(60)
)


@pytest.fixture
def result(braided):
    def run(*args):
        code, out, err = braided(*args, "--json")
        assert code == 0, err
        return json.loads(out), err

    return run


def test_the_same_rows_from_every_format(result, tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.read_csv(io.StringIO(CSV))
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "a.tsv.gz", index=False, sep="\t")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_feather(tmp_path / "a.arrow")
    mistakes = [
        result("evaluate", name, "--ignore", "id")[0]["mistakes_mean"]
        for name in ("a.csv", "a.tsv.gz", "a.jsonl", "a.parquet", "a.arrow")
    ]
    assert len(set(mistakes)) == 1
    assert mistakes[0] < 30  # of 60: better than a coin


def test_all_commands_read_files(result, tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    found, _ = result("compare", "a.csv", "--repeats", 2, "--ignore", "id")
    assert {cell["data"] for cell in found["cells"]} == {"a.csv"}
    found, _ = result("tune", "a.csv", "--grid", "aggressiveness=0.1|1", "--label", "pet")
    assert found["chosen"]


def test_standard_input(result, monkeypatch):
    def give():
        data = io.BufferedReader(io.BytesIO(CSV.encode()))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))

    give()
    assert result("evaluate", "-", "--format", "csv")[0]["rounds"] == 60
    give()
    assert result("evaluate", "-")[0]["rounds"] == 60  # the content tells the format


def test_lines_that_can_not_be_read(result, refused, tmp_path):
    (tmp_path / "a.csv").write_text(CSV + "old,cat,3,yes\n1,2\n")
    told = refused("evaluate", "a.csv", "--strict")
    assert told.startswith("a.csv, line 62: feature 'age': 'old' is not a number")
    found, err = result("evaluate", "a.csv")
    (repeat,) = found["repeats"]
    assert (found["rounds"], repeat["unlabelled"]) == (62, 1)
    assert all(line.startswith("warning: ") for line in err.splitlines())
    found, err = result("evaluate", "a.csv", "--strict", "--on-error", "skip")
    assert found["rounds"] == 60
    assert err == "a.csv: 2 lines skipped, 60 rows read\n"
    strict = ("evaluate", "a.csv", "--strict")
    found, err = result(*strict, "--on-error", "quarantine", "bad.jsonl")
    assert found["rounds"] == 60
    assert err == "a.csv: 2 lines skipped, 60 rows read; they are in bad.jsonl\n"
    told = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [(fault["line"], fault["text"]) for fault in told] == [
        (62, "old,cat,3,yes"),
        (63, "1,2"),
    ]
    assert "belong together" in refused("evaluate", "a.csv", "--on-error", "quarantine")


def test_options_for_files_with_the_name_of_a_set(refused):
    assert refused("evaluate", "german", "--label", "x").startswith("--label: only for files")


def test_a_stream_in_its_own_order_is_never_held_as_a_whole(braided, tmp_path, monkeypatch):
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1\n-1 2:1\n" * 50)
    loaded = braided("evaluate", str(path), "--repeats", "2")  # a second pass needs all rows
    assert "100 rounds" in loaded[1]

    def fail(self):
        raise AssertionError

    monkeypatch.setattr("braided.streams.Reader.rows", fail)
    code, out, _ = braided("evaluate", str(path))
    assert (code, "100 rounds" in out) == (0, True)
