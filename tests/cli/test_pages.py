"""``--html`` and ``--plot``."""

import json
import sys
from dataclasses import replace

import pytest

from braided.cli import demo
from braided.datasets import shipped

pytest.importorskip("matplotlib")
pytest.importorskip("plotly")

SHORT = ["--stream", "capricious", "--repeats", "2"]


def test_evaluate_writes_a_page_and_a_drawing(braided, tmp_path):
    files = ["--learner", "olsf", "--html", "out.html"]
    files += ["--plot", "curve.svg", "--budgets", "0.1,0.5"]
    code, out, err = braided("evaluate", "wisconsin", *SHORT, *files)
    assert (code, err) == (0, "")
    assert f"report: {tmp_path / 'out.html'}" in out
    assert f"drawing: {tmp_path / 'curve.svg'}" in out
    page = (tmp_path / "out.html").read_text()
    command = " ".join(["braided evaluate wisconsin", *SHORT, *files])
    for words in (command, "olsf on wisconsin", "Error by budget", "majority class", "Mean ± "):
        assert words in page
    assert "mean of 2 runs" in (tmp_path / "curve.svg").read_text()


def test_page_changes_no_figure(braided):
    plain = braided("evaluate", "wisconsin", *SHORT, "--json")
    shown = braided("evaluate", "wisconsin", *SHORT, "--json", "--html", "out.html")
    assert shown.err.startswith("report: ")
    runs = [json.loads(ran.out)["repeats"] for ran in (plain, shown)]
    for run in (*runs[0], *runs[1]):
        del run["seconds"]
    assert runs[0] == runs[1]


def test_holdout_has_a_page_too(braided, tmp_path):
    code, _, err = braided("evaluate", "wisconsin", *SHORT, "--holdout", 0.5, "--html", "out.html")
    assert (code, err) == (0, "")
    assert "Recent mistakes" in (tmp_path / "out.html").read_text()


def test_compare_writes_a_section_for_each_set(braided, tmp_path):
    code, out, err = braided(
        "compare", "wisconsin", "ionosphere", *SHORT, "--html", "out.html", "--csv"
    )
    assert (code, err) == (0, f"report: {tmp_path / 'out.html'}\n")
    assert out.startswith("data,learner,seed")
    page = (tmp_path / "out.html").read_text()
    assert page.count("<h3>Observed features</h3>") == 2
    assert "3 learners on wisconsin, ionosphere" in page
    assert "Error by budget" not in page


def test_demo_ends_with_a_page(braided, tmp_path, monkeypatch):
    read = shipped.read

    def part(name):
        dataset = read(name)
        return replace(dataset, X=dataset.X[::100], y=dataset.y[::100])

    monkeypatch.setattr(shipped, "read", part)
    code, out, err = braided("demo", "--quick", "--html", "demo.html")
    assert (code, err) == (0, "")
    assert out.rstrip().splitlines()[-1] == f"report: {tmp_path / 'demo.html'}"
    page = (tmp_path / "demo.html").read_text()
    for words in ("braided demo --quick --html demo.html", *demo.SETS, *demo.STREAMS, "last label"):
        assert words in page


def test_inspect_writes_the_page_of_a_model(braided, tmp_path):
    braided("train", "wisconsin", "--learner", "glsc", "--model", "m.braided")
    code, out, err = braided("inspect", "m.braided", "--html", "out.html")
    assert (code, err) == (0, "")
    assert f"report: {tmp_path / 'out.html'}" in out
    page = (tmp_path / "out.html").read_text()
    for words in ("braided inspect m.braided --html out.html", "Weights of GLSC", "Feature graph",
                  "of its stream", "rows learned"):  # fmt: skip
        assert words in page
    assert "Mistakes so far" not in page
    told = braided("inspect", "m.braided", "--html", "out.html", "--json")
    assert told.err.startswith("report: ")
    assert json.loads(told.out)["learner"] == "GLSC"


def test_refused_before_anything_is_run(refused, monkeypatch):
    monkeypatch.setattr("braided.datasets.load", None)
    for command in ("evaluate", "compare"):
        assert "folder that exists" in refused(command, "german", "--html", "no/out.html")
        assert "--html FILE" in refused(command, "german", "--budgets", "0.1")
        told = refused(command, "german", "--html", "out.html", "--budgets", "1,0.5")
        assert "either all shares" in told
    assert "folder that exists" in refused("inspect", "m.braided", "--html", "no/out.html")
    assert ".png, .svg, .pdf" in refused("evaluate", "german", "--plot", "curve.gif")
    assert "budget=0" in refused("evaluate", "german", "--html", "out.html", "--budgets", "0")


def test_missing_extra_is_named(refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    assert 'pip install "braided[report]"' in refused("evaluate", "german", "--html", "out.html")
