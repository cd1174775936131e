"""``braided demo``, on a part of each set."""

import re
from dataclasses import replace

import pytest

from braided import registry
from braided.cli import demo
from braided.datasets import shipped


@pytest.fixture
def small(monkeypatch):
    """Only every hundredth row of the sets."""
    read = shipped.read

    def part(name):
        dataset = read(name)
        return replace(dataset, X=dataset.X[::100], y=dataset.y[::100])

    monkeypatch.setattr(shipped, "read", part)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("args", [[], ["--quick"]])
def test_demo_shows_every_learner_set_and_stream(braided, args):
    code, out, err = braided("demo", *args)
    assert (code, err) == (0, "")
    families = {each.name for each in registry.LEARNERS if each.alias_of is None}
    learners = {*demo.OLSF_FORMS, *families} - {"olsf"}
    for expected in (*learners, *demo.SETS, *demo.STREAMS, "zscore+unit"):
        assert expected in out
    rows = [line.split() for line in out.splitlines() if line.split()[:1] == ["OLSF-II-all"]]
    assert [len(row) for row in rows] == [1 + len(demo.SETS) * len(demo.STREAMS)]
    assert out.rstrip().endswith("braided evaluate --help")


def test_forms_of_olsf():
    assert demo.OLSF_FORMS["OLSF"]["variant"] == "hard"
    assert demo.OLSF_FORMS["OLSF-II-all"]["budget"] == 1.0
    assert demo.OLSF_FORMS["OLSF-I-rand"]["selection"] == "random"
    assert demo.OLSF_FORMS["OLSF-per"]["update"] == "perceptron"
    assert len(demo.OLSF_FORMS) == 10


@pytest.mark.usefixtures("small")
def test_best_of_each_column_is_bold(braided, monkeypatch):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "200"}.items():
        monkeypatch.setenv(name, value)
    _, out, _ = braided("demo", "--quick")
    found = [re.findall(r"(\x1b\[1m)?(?<![\d.])(\d+\.\d)\b", line) for line in out.splitlines()]
    rows = [cells for cells in found if len(cells) == len(demo.SETS) * len(demo.STREAMS)]
    assert len(rows) > len(demo.OLSF_FORMS)
    for column in zip(*rows, strict=True):
        best = [rate for bold, rate in column if bold]
        assert set(best) == {min((rate for _, rate in column), key=float)}
