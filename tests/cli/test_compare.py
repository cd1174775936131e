"""``braided compare``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from braided.cli import main

QUICK = ["compare", "wisconsin", "ionosphere", "--repeats", "2"]


def test_table_names_all(capsys):
    assert main([*QUICK, "--learners", "olsf-i,olsf-ii:budget=3"]) == 0
    shown = capsys.readouterr().out
    for word in ("olsf-i", "budget=3", "majority class", "last label", "wisconsin", "±", "won"):
        assert word in shown


def test_json_is_the_same_for_any_number_of_jobs(capsys):
    outputs = []
    for jobs in ("1", "2"):
        assert main([*QUICK, "--stream", "capricious", "--json", "--jobs", jobs]) == 0
        comparison = json.loads(capsys.readouterr().out)
        for cell in comparison["cells"]:
            for run in cell["runs"]:
                del run["seconds"]
        outputs.append(json.dumps(comparison))
    assert outputs[0] == outputs[1]


def test_csv_has_a_line_for_each_run(capsys):
    assert main([*QUICK, "--csv", "--learners", "stsd"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 2 * 4 * 2  # sets, learners and baselines, repeats
    assert {row["learner"] for row in rows} == {"stsd", "braid", "majority class", "last label"}


@pytest.mark.parametrize("chosen", [["--no-braid"], ["--learners", "olsf-i,braid"]])
def test_braid_is_added_once_and_unless_told_otherwise(capsys, chosen):
    assert main([*QUICK, "--csv", *chosen]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    braids = [row for row in rows if row["learner"] == "braid"]
    assert len(braids) == (0 if chosen == ["--no-braid"] else 2 * 2)


def test_errors_are_one_line(capsys):
    for wrong in (
        ["--learners", "olsf-x"],
        ["--learners", "olsf:budget"],
        ["--json", "--csv"],
        ["--stream", "fixed", "--missing", "0.5"],
    ):
        assert main([*QUICK, *wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_delay_and_metrics(capsys):
    more = ["--learners", "olsf", "--no-braid", "--delay", "20", "--metrics", "auc,log_loss"]
    found = []
    for jobs in ("1", "2"):
        assert main([*QUICK, *more, "--json", "--jobs", jobs]) == 0
        found.append(json.loads(capsys.readouterr().out))
        for cell in found[-1]["cells"]:
            for run in cell["runs"]:
                del run["seconds"]
    assert found[0] == found[1]
    assert found[0]["delay"] == 20
    assert {cell["learner"] for cell in found[0]["cells"]} == {
        "olsf",
        "majority class",
        "last label",
    }
    assert all(0 <= run["metrics"]["auc"] <= 1 for c in found[0]["cells"] for run in c["runs"])
    assert main([*QUICK, *more, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert all(row["auc"] and 0 < float(row["log_loss"]) < 1 for row in rows)
    assert main([*QUICK, *more]) == 0
    assert "auc, mean" in capsys.readouterr().out
