"""More than two labels, from the command line."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import datasets
from sklearn.datasets import load_digits

from braided import Braid, OneVsRest, as_rows, load, registry, streams
from braided.compose.calibrated import with_probabilities
from braided.evaluate import prequential
from tests.support.learned import state_of


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    path = tmp_path_factory.mktemp("digits") / "digits.csv"
    X, y = load_digits(return_X_y=True)
    lines = [",".join([f"p{c}" for c in range(64)] + ["label"])]
    lines += [
        ",".join(map(str, [*(x / 16).tolist(), label])) for x, label in zip(X, y, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("how", ["rest", "one"])
def test_train_predict_and_inspect(braided, digits, tmp_path, how):
    model = str(tmp_path / "m.braided")
    options = ("--learner", "olsf-i", "--many-classes", how, "--model", model)
    code, out, _ = braided("train", digits, *options)
    assert code == 0
    assert "1797 rows learned" in out
    code, out, _ = braided("predict", model, digits, "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert all(0 < each["probability"] < 1 for each in told)
    predicted = [each["label"] for each in told]
    truth = load_digits(return_X_y=True)[1].tolist()
    assert sum(p == y for p, y in zip(predicted, truth, strict=True)) > 0.9 * len(truth)
    code, out, _ = braided("inspect", model, "--json", "--top", "3")
    told = json.loads(out)
    assert told["labels"] == list(range(10))
    made = "OneVsRest" if how == "rest" else "OneVsOne"
    assert (told["learner"], told["params"]["learner"]) == ("Calibrated", made)
    assert told["params"]["learner__learner"] == "OLSF"
    assert len(told["weights"]) == (10 if how == "rest" else 45)
    code, out, _ = braided("inspect", model, "--top", "3")
    assert (code, "speaks for it" in out) == (0, True)
    code, again, _ = braided("train", digits, *options, "--resume")
    assert (code, "1797 rows learned" in again) == (0, True)


def test_going_on_otherwise_is_refused(braided, refused, digits, tmp_path):
    model = str(tmp_path / "m.braided")
    braided("train", digits, "--many-classes", "rest", "--model", model)
    message = refused("train", digits, "--many-classes", "one", "--model", model, "--resume")
    assert "holds OneVsRest(learner=Braid())" in message
    assert "OneVsOne" in message


def test_evaluate(braided, digits):
    code, out, _ = braided("evaluate", digits, "--many-classes", "rest", "--metrics", "all")
    assert code == 0
    assert "auc, log_loss: for two labels" in out
    args = ("--learner", "olsf-i", "--many-classes", "rest", "--metrics", "all", "--every", "500")
    code, out, _ = braided("evaluate", digits, *args, "--json")
    told = json.loads(out)
    assert told["many_classes"] == "rest"
    (run,) = told["repeats"]
    assert run["error_rate"] < 0.15
    assert run["kappa"] > 0.8
    assert "auc" not in run
    assert [point["round"] for point in run["curve"]] == [500, 1000, 1500, 1797]
    assert told["baselines"]["majority class"]["error_rate_mean"] > 0.8
    code, out, _ = braided("evaluate", digits, *args[:4], "--stream", "fixed", "--repeats", "2")
    assert code == 0


@pytest.mark.parametrize("how", ["rest", "one"])
def test_compare(braided, digits, how):
    args = ("compare", digits, "--learners", "olsf-i,oco", "--no-braid", "--many-classes", how)
    args += ("--repeats", "2", "--metrics", "auc,kappa")
    found = []
    for jobs in ("1", "2"):
        code, out, _ = braided(*args, "--json", "--jobs", jobs)
        assert code == 0
        found.append(json.loads(out))
        for cell in found[-1]["cells"]:
            for run in cell["runs"]:
                del run["seconds"]
    assert found[0] == found[1]
    assert found[0]["many_classes"] == how
    errors = {cell["learner"]: cell["error_rate_mean"] for cell in found[0]["cells"]}
    assert list(errors) == ["olsf-i", "majority class", "last label", "oco"]
    assert errors["olsf-i"] < 0.2 < 0.8 < errors["majority class"]
    code, out, _ = braided(*args, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 4 * 2
    assert all(row["auc"] == "" and row["kappa"] for row in rows)
    code, out, _ = braided(*args)
    for words in ("kappa, mean", "left out: auc: for two labels", "many classes: a learner for"):
        assert words in out
    assert "auc, mean" not in out


def test_compare_gives_the_figures_of_evaluate(braided, digits):
    shared = ("--many-classes", "rest", "--stream", "trapezoidal", "--repeats", "2", "--json")
    _, out, _ = braided("compare", digits, "--learners", "olsf-i", "--no-braid", *shared)
    cell = json.loads(out)["cells"][0]
    _, out, _ = braided("evaluate", digits, "--learner", "olsf-i", *shared)
    mistakes = [run["mistakes"] for run in json.loads(out)["repeats"]]
    assert [run["mistakes"] for run in cell["runs"]] == mistakes


@pytest.mark.parametrize("how", ["rest", "one"])
@pytest.mark.parametrize("method", ["prefix", "permutations"])
def test_tune(braided, digits, how, method):
    args = ("--learner", "olsf-i", "--grid", "aggressiveness=1e-6|0.1", "--many-classes", how)
    args += ("--method", method, "--repeats", "1")
    code, out, _ = braided("tune", digits, *args, "--json")
    assert code == 0
    tuned = json.loads(out)
    assert tuned["chosen"] == {"aggressiveness": 0.1}
    assert tuned["error_rate"] < 0.2
    code, out, _ = braided("tune", digits, *args)
    assert (code, "Chosen: --set aggressiveness=0.1" in out) == (0, True)


@pytest.mark.parametrize("how", ["rest", "one"])
def test_pages(braided, digits, tmp_path, how):
    pytest.importorskip("plotly")
    shared = ("--many-classes", how, "--repeats", "2", "--html", "out.html")
    commands = (
        ("compare", digits, "--learners", "olsf-i", "--budgets", "0.1,0.5", *shared),
        ("evaluate", digits, "--stream", "capricious", *shared),
        ("evaluate", digits, "--holdout", "0.5", *shared),
    )
    for command in commands:
        code, _, err = braided(*command)
        assert (code, err) == (0, "")
        page = (tmp_path / "out.html").read_text()
        for words in (
            "Many classes: a learner for each",
            "Observed features",
            "Recent mistakes",
            "Weights of braid, class by class",
        ):
            assert words in page
        assert ("Error by budget" in page) == ("--budgets" in command)
        assert "Calibration" not in page


@pytest.mark.parametrize(("name", "right"), [("iris", 0.87), ("wine", 0.95), ("digits", 0.91)])
def test_a_file_with_many_labels_needs_no_option(braided, tmp_path, name, right):
    data = getattr(datasets, f"load_{name}")()
    order = np.random.default_rng(0).permutation(data.target.size)
    path = tmp_path / f"{name}.csv"
    lines = [",".join([*(f"f{i}" for i in range(data.data.shape[1])), "kind"])]
    for x, y in zip(data.data[order].tolist(), data.target[order], strict=True):
        lines.append(",".join([*map(repr, x), f"kind {y}"]))
    path.write_text("\n".join(lines) + "\n")
    code, out, _ = braided("evaluate", str(path), "--label", "kind", "--json")
    assert code == 0
    error_rate = json.loads(out)["error_rate_mean"]
    assert 1 - error_rate >= right
    rows = as_rows(data.data[order], [f"kind {y}" for y in data.target[order]])
    for model, most in ((Braid(), 0.0), (OneVsRest(Braid()), 0.01)):
        found = prequential(model, streams.given(rows.with_labels(None), rows.labels)).error_rate
        assert abs(error_rate - found) <= most


def test_two_labels_and_a_third_later(braided, tmp_path):
    """A training that was stopped before the third label goes on as if it had not been."""
    kinds = ["xyz"[t % (2 if t < 40 else 3)] for t in range(90)]
    head, lines = "a,b,kind", [f"{t % 7},{t % 5},{kind}" for t, kind in enumerate(kinds)]
    for name, part in (("part", lines[:30]), ("whole", lines)):
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *part]) + "\n")
    part, whole = str(tmp_path / "part.csv"), str(tmp_path / "whole.csv")
    for learner in ("olsf", "braid"):
        stopped, model = str(tmp_path / f"{learner}-1"), str(tmp_path / f"{learner}-2")
        shared = ("--label", "kind", "--learner", learner)
        assert braided("train", part, *shared, "--model", stopped)[0] == 0
        alone = with_probabilities(registry.create(learner).allow_any_labels())
        alone.partial_fit(*_rows(part))
        assert state_of(load(stopped)) == state_of(alone)
        assert braided("train", whole, *shared, "--model", stopped, "--resume")[0] == 0
        code, out, _ = braided("train", whole, *shared, "--model", model)
        assert (code, type(alone).__name__ in out) == (0, True)
        assert Path(stopped).read_bytes() == Path(model).read_bytes()
        code, out, _ = braided("predict", model, whole, "--label", "kind")
        assert set(out.split()) <= set("xyz")
        code, out, _ = braided("inspect", model)
        assert "speaks against it" in out


def _rows(path):
    rows = streams.read(path, label="kind").rows()
    return rows.with_labels(None), rows.labels


COMMANDS = [
    ("evaluate",),
    ("train", "--model", "{}/m"),
    ("compare", "--repeats", "2"),
    ("compare", "--repeats", "2", "--jobs", "2"),
    ("tune", "--grid", "aggressiveness=0.1"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_without_the_option_labels_are_told_apart_one_against_the_rest(
    braided, digits, tmp_path, command
):
    name, *options = (part.format(tmp_path) for part in command)
    code, out, _ = braided(name, digits, *options)
    assert code == 0
    assert name in ("train", "tune") or "a learner for each label, against the rest" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_another_word_is_refused_before_anything_is_read(refused, tmp_path, command):
    name, *options = (part.format(tmp_path) for part in command)
    message = refused(name, "no_such_file", *options, "--many-classes", "all")
    assert message == "--many-classes='all' is not allowed: choose one of 'rest', 'one', 'matrix'"
