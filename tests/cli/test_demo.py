"""``braided demo``, on a part of each set."""

from dataclasses import replace

import pytest

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
    for expected in (*demo._contenders(), *demo.SETS, *demo.STREAMS, "zscore+unit"):
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


def test_best_of_each_column_is_bold():
    rates = {
        (name, stream): {learner: rank / 10 for rank, learner in enumerate(demo.OLSF_FORMS)}
        for name in demo.SETS
        for stream in demo.STREAMS
    }
    table = demo._table(rates, 1)
    cells = list(table.columns[1].cells)
    assert cells[:2] == ["[bold]0.0[/]", "10.0"]
