"""``braided train`` goes on: tomorrow's file, a crash, Ctrl-C; and never overwrites by itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import braided as package
from braided.model_files import Training
from tests.support.daily_files import records, write_days

OPTIONS = ("--label", "bought", "--ignore", "id")


@pytest.fixture(autouse=True)
def days(braided, tmp_path):
    return write_days(tmp_path)


@pytest.mark.parametrize("learner", [(), ("--learner", "olsf", "--set", "budget=20")])
def test_day_after_day_leaves_the_model_of_all_days_at_once(braided, days, tmp_path, learner):
    assert braided("train", *days, "--model", "all.braided", *OPTIONS, *learner).code == 0
    assert braided("train", days[0], "--model", "m.braided", *OPTIONS, *learner).code == 0
    for day in days[1:]:
        assert braided("train", day, "--model", "m.braided", "--continue").code == 0
    whole = (tmp_path / "all.braided").read_bytes()
    assert (tmp_path / "m.braided").read_bytes() == whole
    model = package.load(tmp_path / "m.braided")
    assert model.rounds == 300
    assert model.schema.label == "bought"
    kinds = {name: model.schema.kind(name) for name in ("age", "plan", "note", "signup", "price")}
    expected = {"age": "number", "plan": "category", "note": "text"}
    assert kinds == {**expected, "signup": "date", "price": "number"}
    assert model.schema.kind("tags") == "tags"
    assert model.schema.kind("active") == "flag"
    assert model.schema.kind("id") == "ignore"


def test_predict_needs_no_flag_and_dicts_mean_the_same(braided, days, tmp_path):
    braided("train", *days, "--model", "m.braided", *OPTIONS)
    model = package.load(tmp_path / "m.braided")
    for day, path in enumerate(days, start=1):
        lines = braided("predict", "m.braided", path, "--json").out.splitlines()
        for line, record in zip(map(json.loads, lines), records(day), strict=True):
            said = model.predict_proba_one(record)  # its label is no feature
            assert said[line["label"]] == line["probability"]
            del record["bought"]
            assert model.predict_proba_one(dict(reversed(record.items()))) == said


def test_a_crash_within_a_later_day_is_resumed(braided, days, tmp_path):
    braided("train", *days[:2], "--model", "all.braided", *OPTIONS)
    braided("train", days[0], "--model", "m.braided", *OPTIONS)
    training = Training.go_on(tmp_path / "m.braided", every=7)
    rows = package.streams.read(days[1], schema=training.model.schema).rows()
    training.learn(rows[:40])  # here it crashes, after the checkpoint of row 60 + 38
    assert package.load(tmp_path / "m.braided").rounds == 98
    assert braided("train", days[1], "--model", "m.braided", "--resume").code == 0
    assert (tmp_path / "m.braided").read_bytes() == (tmp_path / "all.braided").read_bytes()


def test_a_model_is_never_overwritten_by_itself(braided, refused, days, tmp_path):
    train = ("train", days[0], "--model", "m.braided", *OPTIONS)
    assert braided(*train).code == 0
    first = (tmp_path / "m.braided").read_bytes()
    told = refused(*train)
    assert all(flag in told for flag in ("--continue", "--resume", "--overwrite"))
    assert (tmp_path / "m.braided").read_bytes() == first
    assert braided(*train, "--resume").code == 0
    assert braided(*train, "--overwrite").code == 0
    assert (tmp_path / "m.braided").read_bytes() == first
    assert "choose one" in refused(*train, "--overwrite", "--continue")
    (tmp_path / "other.braided").write_text("a diary")
    told = refused("train", days[0], "--model", "other.braided", "--overwrite", *OPTIONS)
    assert "is not overwritten" in told
    assert "does not exist" in refused("train", days[0], "--model", "none.braided", "--continue")


def test_a_folder_that_can_not_be_written_is_found_before_the_first_row(refused, days, tmp_path):
    assert "no folder" in refused("train", "nothing.csv", "--model", "away/m.braided")
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    if not os.access(folder, os.W_OK):  # root may write everywhere
        assert "can not be written" in refused("train", days[0], "--model", "locked/m.braided")


def test_what_can_not_be_changed_when_going_on(braided, refused, days):
    braided("train", days[0], "--model", "m.braided", *OPTIONS)
    go_on = ("train", days[1], "--model", "m.braided", "--continue")
    assert "knows field 'age' as number" in refused(*go_on, "--category", "age")
    assert "as it began" in refused(*go_on, "--learner", "oco")
    assert braided(*go_on, "--category", "device").code == 0


def test_layout_is_remembered(braided, tmp_path):
    (tmp_path / "a.data").write_text("1; x; yes\n2; y; no\n3; x; yes\n")
    (tmp_path / "b.data").write_text("4; y\n5; x\n")
    train = ("train", "a.data", "--model", "m.braided", "--no-header", "--label", "3")
    assert braided(*train).code == 0
    assert braided("predict", "m.braided", "b.data").out.split() == ["no", "yes"]


def test_control_c_saves_and_says_how_to_go_on(days, tmp_path):
    lines = days[0].read_text().splitlines(keepends=True)
    many = tmp_path / "many.csv"
    many.write_text(lines[0] + "".join(lines[1:]) * 4000)
    command = [sys.executable, "-m", "braided", "train", str(many), "--label", "bought"]
    command += ["--ignore", "id", "--model", str(tmp_path / "c.braided")]
    process = subprocess.Popen([*command, "--checkpoint-seconds", "0.2"], stderr=subprocess.PIPE)
    until = time.monotonic() + 120
    while not (tmp_path / "c.braided").exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 130, told
    assert "Ctrl-C again stops at once" in told
    assert "to go on:" in told
    assert told.rstrip().endswith("--resume")
    assert 0 < package.load(tmp_path / "c.braided").rounds < 240_000
