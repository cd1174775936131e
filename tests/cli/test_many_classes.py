"""More than two labels, from the command line."""

import json

import pytest
from sklearn.datasets import load_digits


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
    predicted = [json.loads(line)["label"] for line in out.splitlines()]
    truth = load_digits(return_X_y=True)[1].tolist()
    assert sum(p == y for p, y in zip(predicted, truth, strict=True)) > 0.9 * len(truth)
    code, out, _ = braided("inspect", model, "--json", "--top", "3")
    told = json.loads(out)
    assert told["labels"] == list(range(10))
    assert told["params"]["learner"] == "OLSF"
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


@pytest.mark.parametrize("command", [("evaluate",), ("train", "--model", "{}/m")])
def test_without_the_option_the_error_names_it(refused, digits, tmp_path, command):
    name, *options = (part.format(tmp_path) for part in command)
    assert "--many-classes rest" in refused(name, digits, *options)


def test_what_does_not_go_together(refused, digits, tmp_path):
    assert "choose one of 'rest', 'one'" in refused("evaluate", digits, "--many-classes", "all")
    page = str(tmp_path / "page.html")
    assert "--html" in refused("evaluate", digits, "--many-classes", "rest", "--html", page)
