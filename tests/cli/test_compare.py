"""``braided compare``."""

from __future__ import annotations

import csv
import io
import json

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
    assert len(rows) == 2 * 3 * 2  # sets, learner and baselines, repeats
    assert {row["learner"] for row in rows} == {"stsd", "majority class", "last label"}


def test_errors_are_one_line(capsys):
    for wrong in (
        ["--learners", "olsf-x"],
        ["--learners", "olsf:budget"],
        ["--json", "--csv"],
        ["--stream", "fixed", "--missing", "0.5"],
    ):
        assert main([*QUICK, *wrong]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
