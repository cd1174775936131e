"""Warnings: one line each, once, with the flag that helps; in the report as well."""

from __future__ import annotations

import json

import pytest

import braided as package
from braided.cli import shuffling
from braided.targets.label_runs import LabelRuns


def write(path, header, rows):
    path.write_text("\n".join([header, *rows]) + "\n")


def warnings_of(ran):
    lines = ran.err.splitlines()
    assert all(line.startswith("warning: ") for line in lines), ran.err
    return [line.removeprefix("warning: ") for line in lines]


def test_an_orderly_file_warns_of_nothing(braided, tmp_path):
    write(
        tmp_path / "a.csv", "age,pet,label", [f"{t},{'cd'[t % 2]},{t % 3 % 2}" for t in range(200)]
    )
    assert braided("evaluate", "a.csv").err == ""


def test_labels_in_long_runs(braided, tmp_path):
    write(tmp_path / "a.csv", "age,label", [f"{t % 7},{t // 100}" for t in range(200)])
    for command in (("evaluate", "a.csv"), ("train", "a.csv", "--model", "m.braided")):
        (told,) = warnings_of(braided(*command))
        assert "labels come in long runs (2 runs in 200 rows)" in told
        assert "--shuffle SEED" in told
    assert braided("train", "a.csv", "--model", "s.braided", "--shuffle", "1").err == ""


def test_labels_that_differ_only_in_their_case(braided, tmp_path):
    rows = [f"{t % 7},{('yes', 'no', 'YES')[t % 3]}" for t in range(60)]
    write(tmp_path / "a.csv", "age,label", rows)
    (told,) = warnings_of(braided("evaluate", "a.csv"))
    assert "'YES', 'yes' are 2 labels; write them alike if they are one" in told


def test_a_single_label(braided, tmp_path):
    write(tmp_path / "a.csv", "age,label", [f"{t % 7},yes" for t in range(200)])
    (told,) = warnings_of(braided("train", "a.csv", "--model", "m.braided"))
    assert "all 200 rows have the label 'yes'" in told


def test_fields_that_are_ids_values_that_do_not_fit_and_names_that_never_came(braided, tmp_path):
    rows = [f"u{t},{'x' if t == 150 else t},{t % 3 % 2}" for t in range(200)]
    write(tmp_path / "a.csv", "user,age,label", rows)
    told = warnings_of(braided("evaluate", "a.csv", "--text", "usr"))
    assert len(told) == 3
    assert "1 in 'age'" in told[0]
    assert "nearly every value of 'user' is new" in told[1]
    assert "(--ignore)" in told[1]
    assert told[2] == "--text: no row has a field 'usr' (did you mean 'user'?)"


def test_lines_without_a_label_short_lines_and_other_encodings(braided, tmp_path):
    lines = [b"pet,age,label", b"caf\xe9,1,yes", b"dog,2,no", b"cat,3", b"dog,4,NULL"]
    (tmp_path / "a.csv").write_bytes(b"\n".join(lines))
    told = " ".join(warnings_of(braided("train", "a.csv", "--model", "m.braided")))
    assert "2 rows without a label were left out" in told
    assert "1 lines are not UTF-8" in told
    assert "1 lines have fewer fields than the header" in told
    assert "pet=café" in package.load(tmp_path / "m.braided").engine.space


def test_fields_that_the_model_does_not_know(braided, tmp_path):
    write(tmp_path / "a.csv", "age,pet,label", ["1,cat,yes", "2,dog,no"])
    write(tmp_path / "b.csv", "age,animal,label", ["1,cat,yes", "2,dog,no"])
    braided("train", "a.csv", "--model", "m.braided")
    (told,) = warnings_of(braided("predict", "m.braided", "b.csv"))
    assert "m.braided has learned no such fields and ignores them: 'animal'" in told
    assert not warnings_of(braided("predict", "m.braided", "a.csv"))
    assert not warnings_of(braided("predict", "m.braided", "b.csv", "--ignore", "animal"))


def test_rows_that_the_model_does_not_know(braided, tmp_path):
    write(tmp_path / "a.csv", "age,label", ["1,yes", "2,no"])
    write(tmp_path / "b.csv", "size,colour", ["1,red", "2,blue"])
    braided("train", "a.csv", "--model", "m.braided")
    (told,) = warnings_of(braided("predict", "m.braided", "b.csv"))
    assert "2 of 2 rows share no feature with m.braided" in told


def test_a_dataset_that_is_hidden(monkeypatch, tmp_path):
    (tmp_path / "german.svm").write_text("1 1:1\n-1 2:1\n")
    monkeypatch.setenv("BRAIDED_DATA", str(tmp_path))
    with pytest.warns(package.DataWarning, match="in place of the dataset german"):
        assert len(package.datasets.load("german").X) == 2


def test_the_report_of_a_training_shows_them(braided, tmp_path):
    pytest.importorskip("plotly")
    rows = [f"{t % 5},{'x' if t == 150 else t},{'abc'[t % 3]}" for t in range(200)]
    write(tmp_path / "a.csv", "size,age,label", rows)
    assert braided("train", "a.csv", "--model", "m.braided", "--html", "m.html").code == 0
    page = (tmp_path / "m.html").read_text()
    assert "were read as categories: 1 in" in page
    assert "Confusion matrix" in page
    assert "share of the rows" in page
    shown = json.loads(braided("inspect", "m.braided", "--json").out)
    fields = {field["field"]: (field["kind"], field["observed"]) for field in shown["schema"]}
    assert fields == {"age": ("number", 200), "size": ("number", 200)}
    assert "size" in braided("inspect", "m.braided").out
    again = braided("train", "a.csv", "--model", "m.braided", "--resume", "--html", "again.html")
    assert again.code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--html", "m.html", "--predictions", "-"), "--html goes with neither"),
        (("--remember", "3"), "have a --key"),
        (("--key", "k", "--remember", "soon"), "--remember 'soon' is not allowed"),
        (("--key", "k", "--remember", "1.5"), "--remember '1.5' is not allowed"),
        (("--key", "k", "--resume"), "--continue goes on"),
        (("--json", "--csv"), "choose one"),
        (("--separator", "ab"), "expected one character"),
        (("--category", "age", "--text", "age"), "can not be both"),
    ],
)
def test_options_that_are_not_allowed(refused, tmp_path, options, told):
    write(tmp_path / "a.csv", "age,label", ["1,yes", "2,no"])
    assert told in refused("train", "a.csv", "--model", "m.braided", *options)


def test_shuffling_in_bounded_memory(monkeypatch):
    rows = package.as_rows([{"a": t, f"f{t % 9}": 1.0} for t in range(500)], list(range(500)))
    blocks = [rows[start : start + 64] for start in range(0, 500, 64)]
    orders = []
    for most in (2**24, 50):  # in memory, and through files
        monkeypatch.setattr(shuffling, "MOST_ENTRIES", most)
        shuffled = list(shuffling.shuffled(blocks, 3, 100))
        assert max(map(len, shuffled)) <= 100
        pairs = [p for b in shuffled for p in zip(b.labels.tolist(), b.dicts(), strict=True)]
        assert all(x["a"] == label for label, x in pairs)
        orders.append([label for label, _ in pairs])
    assert orders[0] == orders[1] != sorted(orders[0])
    assert sorted(orders[0]) == list(range(500))
    other = [label for b in shuffling.shuffled(blocks, 4, 100) for label in b.labels.tolist()]
    assert other != orders[0]


def test_runs_of_labels_do_not_depend_on_blocks():
    labels = package.as_rows([{}] * 6, ["a", "a", None, "b", "b", "a"]).labels
    whole, parts = LabelRuns(), LabelRuns()
    whole.add(labels)
    for start in range(6):
        parts.add(labels[start : start + 1])
    parts.add(None)
    assert (whole.changes, whole.counts) == (parts.changes, parts.counts) == (2, {"a": 3, "b": 2})
