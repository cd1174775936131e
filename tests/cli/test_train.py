"""``braided train``, ``braided predict`` and ``braided inspect``."""

import json
import os

import pytest

import braided as package
from tests.support.kill import write_data

DATA = os.environ.get("BRAIDED_DATA")  # the fixture takes it away
TRAIN = ("train", "rows.svm", "--model", "m.braided")


@pytest.fixture(autouse=True)
def rows(braided, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    write_data(tmp_path / "rows.svm", 120)
    return tmp_path


def test_train_keeps_the_model(braided, rows):
    code, out, err = braided(*TRAIN, "--learner", "olsf", "--set", "budget=7")
    assert (code, err) == (0, "")
    made = "Calibrated(learner=OLSF(budget=7))"
    assert out.startswith(f"m.braided: {made}, 120 rows learned, 48 features seen, 7 kept")
    data = package.streams.read_svmlight(rows / "rows.svm")
    model, plain = package.load(rows / "m.braided"), package.OLSF(budget=7).partial_fit(data)
    assert model.weights() == plain.weights()
    assert model.decision_function(data).tolist() == plain.decision_function(data).tolist()
    assert braided("predict", "m.braided", "rows.svm").out.split() == [
        str(label) for label in plain.predict(data)
    ]


def test_resume_goes_on_and_checkpoints_change_nothing(braided, rows):
    braided(*TRAIN)
    whole = (rows / "m.braided").read_bytes()
    assert braided(*TRAIN, "--overwrite", "--checkpoint", "every=7").code == 0
    assert (rows / "m.braided").read_bytes() == whole
    assert braided(*TRAIN, "--resume").code == 0
    assert (rows / "m.braided").read_bytes() == whole
    lines = (rows / "rows.svm").read_text().splitlines(keepends=True)
    (rows / "first.svm").write_text("".join(lines[:50]))
    (rows / "second.svm").write_text("".join(lines[50:]))
    os.remove(rows / "m.braided")
    braided("train", "first.svm", "--model", "m.braided", "--resume")
    braided("train", "first.svm", "second.svm", "--model", "m.braided", "--resume")
    assert (rows / "m.braided").read_bytes() == whole


def test_what_resume_refuses(braided, refused, rows):
    braided(*TRAIN, "--learner", "olsf", "--set", "budget=7")
    assert "it is another stream" in refused("train", "german", "--model", "m.braided", "--resume")
    assert "as it began" in refused(*TRAIN, "--resume", "--learner", "oco")
    assert "as it began" in refused(*TRAIN, "--resume", "--learner", "olsf", "--set", "budget=8")
    package.OLSF().save(rows / "m.braided")
    assert "has no position" in refused(*TRAIN, "--resume")
    (rows / "m.braided").write_bytes(b"something else")
    assert "is not overwritten" in refused(*TRAIN, "--resume")
    assert "is not overwritten" in refused(*TRAIN, "--overwrite")
    assert (rows / "m.braided").read_bytes() == b"something else"


@pytest.mark.parametrize("checkpoint", ["10", "every", "every=0", "every=x", "after=3"])
def test_wrong_checkpoints(refused, checkpoint):
    assert "write every=ROWS" in refused(*TRAIN, "--checkpoint", checkpoint)


def test_predict(braided, refused, rows):
    braided(*TRAIN)
    data = package.streams.read_svmlight(rows / "rows.svm")
    model = package.load(rows / "m.braided")
    labels, scores = model.predict(data).tolist(), model.decision_function(data).tolist()
    plain = braided("predict", "m.braided", "rows.svm").out
    assert plain.split() == [str(label) for label in labels]
    lines = braided("predict", "m.braided", "rows.svm", "--json").out.splitlines()
    chances = model.predict_proba(data).max(axis=1).tolist()
    assert [tuple(json.loads(line).items()) for line in lines] == [
        (("label", y), ("probability", p), ("score", s))
        for y, p, s in zip(labels, chances, scores, strict=True)
    ]
    table = braided("predict", "m.braided", "rows.svm", "--csv").out.splitlines()
    assert table[:2] == ["label,probability,score", f"{labels[0]},{chances[0]},{scores[0]}"]
    assert "choose one" in refused("predict", "m.braided", "rows.svm", "--csv", "--json")
    package.OLSF().partial_fit(data).save(rows / "m.braided")  # not by train: no probabilities
    line = braided("predict", "m.braided", "rows.svm", "--json").out.splitlines()[0]
    assert json.loads(line)["probability"] is None
    package.OLSF().save(rows / "m.braided")
    assert "has learned nothing yet" in refused("predict", "m.braided", "rows.svm")
    assert "No such file" in refused("predict", "nowhere", "rows.svm")


def test_inspect(braided, rows):
    braided(*TRAIN, "--learner", "olsf", "--set", "budget=7")
    out = braided("inspect", "m.braided").out
    shown = ("Calibrated: ", "budget=7", "-1, 1", "120", "48", "after row 120", "speaks for 1")
    assert all(text in out for text in shown)
    told = json.loads(braided("inspect", "m.braided", "--json", "--top", "2").out)
    assert (told["learner"], told["params"]["learner"]) == ("Calibrated", "OLSF")
    assert told["params"]["learner__radius"] == "inf"
    assert (told["rounds"], told["features_kept"], told["stream_rows"]) == (120, 7, 120)
    weights = package.load(rows / "m.braided").weights()
    negative, positive = told["weights"]
    assert len(negative) <= 2
    assert all(weights[name] == weight > 0 for name, weight in positive)
    package.OCO().save(rows / "m.braided")
    assert "none yet" in braided("inspect", "m.braided").out


@pytest.mark.skipif(DATA is None, reason="sms_spam is not in BRAIDED_DATA")
def test_inspect_shows_the_words_of_spam(braided, monkeypatch):
    monkeypatch.setenv("BRAIDED_DATA", str(DATA))
    if "sms_spam" not in package.datasets.names():
        pytest.skip("sms_spam is not in BRAIDED_DATA")
    braided("train", "sms_spam", "--learner", "olsf", "--model", "m.braided")
    told = json.loads(braided("inspect", "m.braided", "--json", "--top", "40").out)
    spam = {name for name, _ in told["weights"][1]}
    assert len(spam & {"txt", "text", "free", "claim", "call", "reply", "stop", "mobile"}) >= 4


def test_files_of_other_formats_and_files_without_labels(braided, rows):
    (rows / "a.csv").write_text("age,pet,y\n31,cat,yes\n,dog,no\n50,cat,yes\n")
    (rows / "b.jsonl").write_text('{"age":20,"pet":"dog","y":"no"}\n')
    code, _, err = braided("train", "a.csv", "b.jsonl", "--label", "y", "--model", "m.braided")
    assert (code, err) == (0, "")
    model = package.load(rows / "m.braided")
    assert model.engine.space.names == ["age", "pet=cat", "pet=dog"]
    (rows / "new.csv").write_text("age,pet\n40,cat\n,dog\n")
    expected = model.predict([{"age": 40, "pet=cat": 1}, {"pet=dog": 1}]).tolist()
    assert braided("predict", "m.braided", "new.csv").out.split() == expected
