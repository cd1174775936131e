"""What the printed figures of OLSF and STSD come from, to the digit where the orders are known."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from braided.papers import find, run, sets
from braided.papers.experiment import Table
from braided.papers.scripts import FROM_HALF, GRID, RULES, ScriptRun, mistakes
from braided.papers.verdict import cells
from tests.naive import olsf_scripts

DATA = Path(os.environ.get("BRAIDED_DATA", str(Path(__file__).parents[3] / "shared" / "data")))
TABLES = ("stsd-table-2", "stsd-table-3", "olsf-table-3", "olsf-table-4", "olsf-table-5")

NOT_TO_THE_DIGIT = {
    ("stsd-table-3", "STSD-I, B=0.8"): "346.35 (7.98): printed 336.4, a misprint",
}
CHANCE = ("STSDI-rand", "OLSF-I-rand", "OFS")
"""Rows whose random choices, or whose figures, are not the authors' scripts' on these orders."""


@pytest.fixture
def data(monkeypatch):
    def use(*names: str) -> None:
        for name in names:
            if not (DATA / f"{name}.svm.gz").exists():
                pytest.skip(f"needs {name}.svm.gz in the folder BRAIDED_DATA")

    monkeypatch.setenv("BRAIDED_DATA", str(DATA))
    sets.load.cache_clear()
    yield use
    sets.load.cache_clear()


def column(table: str, name: str, only: str | None = None):
    """The cells of a column, or one of them, as printed."""
    printed = find(table).as_printed
    assert isinstance(printed, Table)
    kept = {
        place: measure
        for place, measure in printed.cells.items()
        if place[1] == name and not place[0].startswith("OFS") and only in (None, place[0])
    }
    return {(c.row, c.column): c for c in cells(run(replace(printed, cells=kept)))}


@pytest.mark.parametrize("table", TABLES)
def test_german_comes_out_to_the_printed_digit(table, data):
    data("german")
    if not (DATA / "german_permutations.csv.gz").exists():
        pytest.skip("needs german_permutations.csv.gz in the folder BRAIDED_DATA")
    looked = 0
    for (row, _), cell in column(table, "german").items():
        if row.startswith(CHANCE):
            assert cell.outcome == "level"
        elif (table, row) in NOT_TO_THE_DIGIT:
            assert (cell.mean, cell.std) == (pytest.approx(346.35), pytest.approx(7.98, abs=0.005))
        else:
            # Figures are printed with one digit; 415.90 and 343.65 are told from 344.1 by it.
            assert abs(cell.mean - cell.paper.mean) < 0.0501, row
            assert abs(cell.std - cell.paper.std) < 0.0501, row
            looked += 1
    assert looked >= 2


EXACT = [
    ("hard", 0.5, None, 415.90, 15.61),
    ("I", 0.5, None, 366.90, 8.82),
    ("II", 0.5, None, 366.90, 12.78),
    ("everything", 1.0, None, 344.10, 7.07),
    ("perceptron", 0.2, None, 703.70, 20.46),
    ("perceptron", 0.5, None, 368.65, 16.41),
    ("perceptron", 0.8, None, 354.20, 7.69),
    ("I", 0.2, None, 702.70, 20.10),
    ("I", 0.04, FROM_HALF, 628.60, 42.50),
    ("I", 0.16, FROM_HALF, 402.20, 39.71),
    ("I", 0.64, FROM_HALF, 326.65, 6.98),
    ("I", 1.0, FROM_HALF, 318.45, 7.26),
]


@pytest.mark.parametrize(("rule", "budget", "shares", "mean", "std"), EXACT)
def test_german_to_the_second_digit(rule, budget, shares, mean, std, data):
    data("german")
    if sets.authors_order("german", 0) is None:
        pytest.skip("needs german_permutations.csv.gz in the folder BRAIDED_DATA")
    measure = ScriptRun("german", rule, budget, **({} if shares is None else {"shares": shares}))
    found = measure.settled(np.array([measure(seed) for seed in range(20)]))
    assert round(float(found.mean()), 2) == mean
    assert round(float(found.std(ddof=1)), 2) == std


@pytest.mark.parametrize("name", ["splice", "svmguide3"])
def test_table_3_within_two_printed_deviations(name, data):
    data(name)
    for cell in column("olsf-table-3", name).values():
        assert abs(cell.deviations) <= 2, cell


@pytest.mark.parametrize("name", ["wbc", "wdbc"])
def test_table_3_olsf_within_one_printed_deviation(name, data):
    data(name)
    cell = column("olsf-table-3", name, "OLSF")["OLSF", name]
    assert abs(cell.mean - cell.paper.mean) <= cell.paper.std + 1e-9


@pytest.mark.parametrize("name", ["german", "svmguide3", "splice", "spambase", "magic04", "a8a"])
def test_table_5_within_3_percent(name, data):
    data(name)
    cell = column("olsf-table-5", name, "OLSF-I")["OLSF-I", name]
    assert cell.mean == pytest.approx(cell.paper.mean, rel=0.03)


def test_on_equal_streams_the_budget_does_not_beat_all_features(data):
    """That OLSF-I with B = 0.64 beats -all, as Table 4 has it, is an artefact."""
    data("german", "splice")
    for name in ("german", "splice"):
        limited, every = (
            ScriptRun(name, rule, budget) for rule, budget in (("I", 0.64), ("everything", 1.0))
        )
        means = [
            run.settled(np.array([run(seed) for seed in range(5)])).mean()
            for run in (limited, every)
        ]
        assert means[1] < 1.01 * means[0]


# The compiled pass is what it is said to be


@st.composite
def widening(draw):
    """Rows of which none is shorter than the one before, with labels."""
    width = draw(st.integers(1, 6))
    lengths = sorted(draw(st.lists(st.integers(1, width), min_size=1, max_size=25)))
    value = st.integers(-8, 8).filter(bool).map(lambda k: k / 4)
    rows = [draw(st.lists(value, min_size=k, max_size=k)) for k in lengths]
    return rows, draw(st.lists(st.sampled_from([-1, 1]), min_size=len(rows), max_size=len(rows)))


@given(widening(), st.sampled_from([r for r in RULES if r != "random"]),
       st.sampled_from([0.04, 0.2, 0.5, 0.64, 1.0]), st.sampled_from(GRID))  # fmt: skip
@settings(deadline=None)
def test_the_compiled_pass_is_the_plain_one(stream, rule, budget, c):
    rows, labels = stream
    indptr = np.cumsum([0, *(len(x) for x in rows)])
    values, signs = np.concatenate(rows), np.array(labels, float)
    found = mistakes(indptr, values, signs, len(rows[-1]), rule, budget, c, np.zeros(1))
    assert found.tolist() == olsf_scripts.mistakes(rows, labels, rule, budget, c)


def test_random_selection_keeps_each_column_equally_often(data):
    rng = np.random.default_rng(2)
    n, d = 4000, 4
    values, signs = rng.normal(size=(n, d)), np.ones(n)
    right = []
    for only in range(d):  # the score is right only when this column is kept
        one = np.zeros((n, d))
        one[:, only] = np.abs(values[:, only]) + 0.1
        found = mistakes(np.arange(n + 1) * d, one.ravel(), signs, d, "random", 0.25, 1e-3,
                         rng.random(n * d))  # fmt: skip
        right.append(1 - found.mean())
    np.testing.assert_allclose(right, 0.25, atol=0.03)
